/// Changes to the text of an object that leave its other members byte for byte as they are.
public enum JSONObjectText {
  /// The text of an object without its top-level members of this name.
  ///
  /// ```swift
  /// try JSONObjectText.removing("_id", from: Array(#"{"_id":"a","x":1.0}"#.utf8))   // {"x":1.0}
  /// ```
  ///
  /// - Parameters:
  ///   - key: the name, which must stand in the text without escapes to be found.
  ///   - text: an object that a ``JSONParser`` accepts; of another text the result is not defined.
  /// - Returns: the text without the members, or the same text when there are none.
  /// - Complexity: O(n) in the length of the text.
  public static func removing(_ key: String, from text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { source in
      var scanner = MemberScanner(source)
      let wanted = Array(key.utf8)
      var result: [UInt8] = [UInt8(ascii: "{")]
      var end = 0
      var removed = false
      while let member = scanner.next() {
        end = member.end
        if source[member.key].elementsEqual(wanted) {
          removed = true
        } else {
          if result.count > 1 { result.append(UInt8(ascii: ",")) }
          result.append(contentsOf: source[member.start..<member.end])
        }
      }
      guard removed else { return text }
      result.append(contentsOf: source[end...])
      return result
    }
  }
}

/// Walks the top-level members of an object's text.
private struct MemberScanner {
  struct Member {
    /// Where the key's opening quote is.
    var start: Int
    /// The key between its quotes.
    var key: Range<Int>
    /// Behind the value and the white space that follows: a comma or the closing brace.
    var end: Int
  }

  private let text: UnsafeRawBufferPointer
  private var index = 0

  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
    while index < text.count, text[index] != UInt8(ascii: "{") { index += 1 }
    index += 1
  }

  mutating func next() -> Member? {
    while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "}") { index += 1 }
    guard index < text.count, text[index] == UInt8(ascii: "\"") else { return nil }
    let start = index
    skipString()
    let key = (start + 1)..<max(start + 1, index - 1)
    skipValue()
    defer { if index < text.count, text[index] == UInt8(ascii: ",") { index += 1 } }
    return Member(start: start, key: key, end: index)
  }

  private mutating func skipString() {
    index += 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
      } else if text[index] == UInt8(ascii: "\"") {
        index += 1
        return
      } else {
        index += 1
      }
    }
    index = text.count
  }

  /// From behind a key to the comma or the brace that ends its value.
  private mutating func skipValue() {
    var depth = 0
    while index < text.count {
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
