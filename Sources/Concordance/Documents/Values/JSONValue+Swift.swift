import Foundation
import JSONText

extension JSONValue {
  /// The value as a Swift value: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or `[String: Any]`.
  var swiftValue: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let value): value
    case .int64(let value): Int(value)
    case .uint64(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.swiftValue)
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.swiftValue) }, uniquingKeysWith: { first, _ in first })
    }
  }
}
