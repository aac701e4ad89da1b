import JSONText
import VersionVectors

/// Parses the JSON bodies of messages.
enum MessageBody {
  /// The maximum size in bytes of a body that is not a document. A parsed value takes many times the memory of its
  /// text.
  static let maximumSize = 4 << 20

  /// Parses a body.
  ///
  /// - Parameter maximumSize: the size in bytes above which a body is malformed.
  static func value(_ body: [UInt8], maximumSize: Int = maximumSize) throws(ReplicationError) -> JSONValue {
    guard body.count <= maximumSize else {
      throw .malformedMessage("a body of \(body.count) bytes, more than \(maximumSize)")
    }
    do {
      return try JSONParser.withShared { parser in
        JSONValue(try body.withUnsafeBytes { try parser.parse($0) })
      }
    } catch {
      throw .malformedMessage("\(error)")
    }
  }

  /// Parses a body that is an array of arrays.
  static func entries(
    _ body: [UInt8], of profile: String, maximumCount: Int
  ) throws(ReplicationError) -> [[JSONValue]] {
    guard case .array(let items) = try value(body) else { throw .malformedMessage("the body of \(profile)") }
    guard items.count <= maximumCount else {
      throw .malformedMessage("\(profile) with more than \(maximumCount) entries")
    }
    var entries: [[JSONValue]] = []
    for item in items {
      guard case .array(let entry) = item else { throw .malformedMessage("an entry of \(profile)") }
      entries.append(entry)
    }
    return entries
  }

  /// Parses a version, a version vector (whose current version is returned) or a legacy revision id. Returns nil for
  /// any other text.
  static func version(_ text: String) -> Version? { try? VersionVector(text: text).current }
}

extension JSONValue {
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int64? { if case .int64(let number) = self { number } else { nil } }

  /// The value of an object's member; nil if there is none.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}
