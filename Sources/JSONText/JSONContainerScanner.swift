/// Iterates over the members of an object or the elements of an array in JSON text and returns their byte ranges.
///
/// ```swift
/// // In {"a": 1.50, "b": [2]} the members are "a" with 1.50, and "b" with [2].
/// var scanner = JSONContainerScanner(text, of: text.indices)
/// while let item = scanner.next() { … }
/// ```
///
/// It searches for brackets, commas and strings and does not validate the text, so the text must be one that a
/// ``JSONParser`` accepts. For any other text the ranges are meaningless, but are inside the text and in ascending
/// order.
///
/// - Complexity: O(n) in the length of the container for all items together.
public struct JSONContainerScanner {
  /// A member or an element.
  public struct Item {
    /// The start of the item: the opening quote of its key, or its value.
    public let start: Int
    /// The key between its quotes, with escapes unresolved; nil in an array.
    public let key: Range<Int>?
    /// The value, without white space around it.
    public let value: Range<Int>
    /// The offset after the value and the white space that follows: a comma or the closing bracket.
    public let end: Int
  }

  private let text: UnsafeRawBufferPointer
  private let limit: Int
  private let isObject: Bool
  private var index: Int

  /// Creates a scanner before the first item.
  ///
  /// - Parameters:
  ///   - text: the text that contains the container.
  ///   - range: the range of the container, including its brackets and white space around them.
  public init(_ text: UnsafeRawBufferPointer, of range: Range<Int>) {
    self.text = text
    limit = range.upperBound
    var index = range.lowerBound
    while index < limit, text[index] != UInt8(ascii: "{"), text[index] != UInt8(ascii: "[") { index += 1 }
    isObject = index < limit && text[index] == UInt8(ascii: "{")
    self.index = index + 1
  }

  /// Returns the next item, or nil after the last.
  public mutating func next() -> Item? {
    skipSpace()
    guard index < limit, text[index] != UInt8(ascii: "}"), text[index] != UInt8(ascii: "]") else { return nil }
    let start = index
    var key: Range<Int>?
    if isObject {
      guard text[index] == UInt8(ascii: "\"") else { return nil }
      skipString()
      key = (start + 1)..<max(start + 1, index - 1)
      skipSpace()
      if index < limit, text[index] == UInt8(ascii: ":") { index += 1 }
      skipSpace()
    }
    let valueStart = index
    skipValue()
    let end = index
    var valueEnd = end
    while valueEnd > valueStart, JSONContainerScanner.isSpace(text[valueEnd - 1]) { valueEnd -= 1 }
    if index < limit, text[index] == UInt8(ascii: ",") { index += 1 }
    guard index > start else { return nil }
    return Item(start: start, key: key, value: valueStart..<valueEnd, end: end)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private mutating func skipSpace() {
    while index < limit, JSONContainerScanner.isSpace(text[index]) { index += 1 }
  }

  private mutating func skipString() {
    index += 1
    while index < limit {
      let byte = text[index]
      if byte == UInt8(ascii: "\\") {
        index = min(index + 2, limit)
      } else {
        index += 1
        if byte == UInt8(ascii: "\"") { return }
      }
    }
  }

  /// Moves to the comma or the bracket that ends the value.
  private mutating func skipValue() {
    var depth = 0
    while index < limit {
      switch text[index] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      index += 1
    }
  }
}
