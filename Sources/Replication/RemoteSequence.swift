import JSONText

/// A sequence number of a peer, which can be any JSON value.
///
/// Databases send numbers. Sync Gateway also sends strings of the forms `seq`, `trigger:seq`, `low:trigger:seq` and
/// `low::seq`. Only the last part is compared; `low` is the sequence from which a later replication can safely resume.
public struct RemoteSequence: Hashable, Sendable {
  /// The JSON text, which is sent back to the peer as it was received.
  public let text: String
  /// The number to compare, at most 2^63 - 1; nil if the sequence is greater or has a different form.
  let number: UInt64?

  /// The maximum size of the text in bytes. It limits the size of checkpoints; real sequences are much shorter.
  private static let maximumSize = 1000

  /// Creates a database's sequence; nil if it is greater than 2^63 - 1, which no database reaches.
  init?(_ sequence: UInt64) {
    guard let value = Int64(exactly: sequence) else { return nil }
    number = sequence
    text = String(value)
  }

  /// Creates a sequence from a JSON value; nil for null and for a value whose text is longer than 1,000 bytes.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .int64(let value): number = UInt64(exactly: value)
    case .string(let value):
      number = value.split(separator: ":").last.flatMap { Int64($0) }.flatMap { UInt64(exactly: $0) }
    default: number = nil
    }
    text = value.text
    if text.utf8.count > RemoteSequence.maximumSize { return nil }
  }

  /// Parses JSON text; nil for null, for text that is not JSON, and for text longer than 1,000 bytes.
  public init?(text: String) {
    // Nearly all sequences are numbers in their shortest form.
    if text.utf8.count <= 18, text.utf8.first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let value = UInt64(text)
    {
      self.init(value)
      return
    }
    guard text.utf8.count <= RemoteSequence.maximumSize,
      let value = try? JSONParser.withShared({ JSONValue(try $0.parse(utf8: text)) })
    else { return nil }
    self.init(value)
  }

  /// Returns the earlier of two sequences; nil if they cannot be compared.
  static func earlier(_ one: RemoteSequence, _ other: RemoteSequence) -> RemoteSequence? {
    if one == other { return one }
    guard let first = one.number, let second = other.number else { return nil }
    return first <= second ? one : other
  }
}
