/// A string that is compared by its UTF-8 bytes, as the keys of JSON objects and the ids of documents are. `String`
/// compares canonically equivalent texts as equal, such as é as one code point and as two.
///
/// ```swift
/// ExactString("caf\u{E9}") == ExactString("cafe\u{301}")  // false
/// ```
public struct ExactString: Hashable, Comparable, Sendable {
  /// The string.
  public let text: String

  /// - Parameter text: the string.
  public init(_ text: String) { self.text = text }

  public static func == (one: ExactString, other: ExactString) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  public static func < (one: ExactString, other: ExactString) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Ends the string, so that the hashes of sequences of strings differ from each other.
    hasher.combine(0xFF as UInt8)
  }
}

extension ExactString: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

extension Dictionary where Key == ExactString {
  /// The value of a key.
  public subscript(key: String) -> Value? {
    get { self[ExactString(key)] }
    set { self[ExactString(key)] = newValue }
  }
}
