import Foundation
import JSONText

extension JSONValue {
  /// The value of a Swift type, or nil for one that JSON cannot hold. A date becomes an ISO 8601 string.
  init?(swiftValue value: Any?) {
    // Asked for first and by its class: an `NSNumber` of 1 casts to `Bool` as well.
    if let value, type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      self.init(number: number)
      return
    }
    switch value {
    case nil, is NSNull: self = .null
    case let value as JSONValue: self = value
    case let value as String: self = .string(value)
    case let value as Bool: self = .boolean(value)
    case let value as Date: self = .string(DocumentDate.string(from: value))
    case let value as any BinaryInteger: self.init(integer: value)
    case let value as Double: self.init(finite: value)
    case let value as Float: self.init(finite: Double(value))
    case let value as [String: Any]: self.init(dictionary: value)
    case let value as [Any]: self.init(array: value)
    case let value?: self.init(unwrapping: value)
    }
  }

  /// The value as a Swift type: `NSNull`, `Bool`, `Int`, `UInt64`, `Double`, `String`, `[Any]` or `[String: Any]`.
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

  private init?(integer value: any BinaryInteger) {
    if let value = Int64(exactly: value) {
      self = .int64(value)
    } else if let value = UInt64(exactly: value) {
      self = .uint64(value)
    } else {
      return nil
    }
  }

  private init?(finite value: Double) {
    guard value.isFinite else { return nil }
    self = .double(value)
  }

  private init?(number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c" where isBoolean(number): self = .boolean(number.boolValue)
    case "f", "d": self.init(finite: number.doubleValue)
    case "Q": self.init(integer: number.uint64Value)
    default: self = .int64(number.int64Value)
    }
  }

  private init?(dictionary: [String: Any]) {
    var members: [JSONMember] = []
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      guard let value = JSONValue(swiftValue: value) else { return nil }
      members.append(JSONMember(key, value))
    }
    self = .object(members)
  }

  private init?(array: [Any]) {
    var elements: [JSONValue] = []
    for value in array {
      guard let value = JSONValue(swiftValue: value) else { return nil }
      elements.append(value)
    }
    self = .array(elements)
  }

  /// An optional inside an `Any`.
  private init?(unwrapping value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return nil }
    guard let wrapped = mirror.children.first else {
      self = .null
      return
    }
    self.init(swiftValue: wrapped.value)
  }
}

/// On Linux a boolean `NSNumber` is told from an 8-bit integer by its type.
private func isBoolean(_ number: NSNumber) -> Bool {
  number === NSNumber(value: true) || number === NSNumber(value: false)
}
