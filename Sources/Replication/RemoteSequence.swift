import JSONText

/// A sequence number of a peer, which can be any JSON value.
///
/// Databases send numbers. Sync Gateway also sends strings of the forms `seq`, `trigger:seq`, `low:trigger:seq` and
/// `low::seq`. Only the last part is compared; `low` is the sequence from which a later replication can safely resume.
public struct RemoteSequence: Hashable, Sendable {
  /// The JSON text, which is sent back to the peer as it was received.
  public let text: String
  /// The number to compare; nil if the sequence has a different form.
  let number: UInt64?

  /// The maximum size of the text in bytes. It limits the size of checkpoints; real sequences are much shorter.
  private static let maximumSize = 1000

  /// Creates a database's sequence; nil if it is greater than 2^63 - 1, which no database reaches.
  init?(_ sequence: UInt64) {
    guard let value = Int64(exactly: sequence) else { return nil }
    self.init(JSONValue.int64(value))
  }

  /// Creates a sequence from a JSON value; nil for null and for a value whose text is longer than 1,000 bytes.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .int64(let value): number = UInt64(exactly: value)
    case .uint64(let value): number = value
    case .string(let value): number = value.split(separator: ":").last.flatMap { UInt64($0) }
    default: number = nil
    }
    text = value.text
    if text.utf8.count > RemoteSequence.maximumSize { return nil }
  }

  /// Parses JSON text; nil for null, for text that is not JSON, and for text longer than 1,000 bytes.
  public init?(text: String) {
    guard text.utf8.count <= RemoteSequence.maximumSize, let parser = try? JSONParser(),
      let root = try? parser.parse(utf8: text)
    else {
      return nil
    }
    self.init(JSONValue(root))
  }

  /// Returns the earlier of two sequences; nil if they cannot be compared.
  static func earlier(_ one: RemoteSequence, _ other: RemoteSequence) -> RemoteSequence? {
    if one == other { return one }
    guard let first = one.number, let second = other.number else { return nil }
    return first <= second ? one : other
  }
}
