/// Edits the text of an object and keeps its other members byte for byte.
public enum JSONObjectText {
  /// Returns the text of an object without its top-level members with this key.
  ///
  /// ```swift
  /// try JSONObjectText.removing("_id", from: Array(#"{"_id":"a","x":1.0}"#.utf8))   // {"x":1.0}
  /// ```
  ///
  /// - Parameters:
  ///   - key: the key. Only members whose key is written without escapes are removed.
  ///   - text: an object that a ``JSONParser`` accepts; for any other text the result is undefined.
  /// - Returns: The text without the members, or the same text if there are none.
  /// - Complexity: O(n) in the length of the text.
  public static func removing(_ key: String, from text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { source in
      var scanner = JSONContainerScanner(source, of: source.indices)
      let wanted = Array(key.utf8)
      var result: [UInt8] = [UInt8(ascii: "{")]
      var end = 0
      var removed = false
      while let member = scanner.next() {
        end = member.end
        if let key = member.key, source[key].elementsEqual(wanted) {
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

  /// Returns the text of an object after merging another object into it: each member of the other object replaces the
  /// member with the same key, or is appended.
  ///
  /// ```swift
  /// // {"a":1.50,"b":[3],"c":4}
  /// try JSONObjectText.merging(Array(#"{"b":[3],"c":4}"#.utf8), into: Array(#"{"a":1.50,"b":2}"#.utf8))
  /// ```
  ///
  /// - Parameters:
  ///   - changes: an object that a ``JSONParser`` accepts.
  ///   - text: the object to merge `changes` into, which a ``JSONParser`` must also accept.
  /// - Returns: The members of both, with their text unchanged. If a key occurs twice in `changes`, its first value is
  ///   used.
  /// - Complexity: O(n) in the length of both texts.
  public static func merging(_ changes: [UInt8], into text: [UInt8]) -> [UInt8] {
    let changed = members(of: changes)
    var values: [[UInt8]: ArraySlice<UInt8>] = [:]
    for member in changed where values[member.key] == nil { values[member.key] = member.value }
    var written: Set<[UInt8]> = []
    var result: [UInt8] = [UInt8(ascii: "{")]
    func append(_ member: Member, _ value: ArraySlice<UInt8>) {
      if result.count > 1 { result.append(UInt8(ascii: ",")) }
      result.append(contentsOf: member.name)
      result.append(UInt8(ascii: ":"))
      result.append(contentsOf: value)
    }
    for member in members(of: text) {
      append(member, values[member.key] ?? member.value)
      written.insert(member.key)
    }
    for member in changed where written.insert(member.key).inserted {
      append(member, values[member.key] ?? member.value)
    }
    result.append(UInt8(ascii: "}"))
    return result
  }

  private struct Member {
    /// The unescaped key.
    let key: [UInt8]
    /// The key as written, quotes included.
    let name: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
  }

  private static func members(of text: [UInt8]) -> [Member] {
    text.withUnsafeBytes { source in
      var scanner = JSONContainerScanner(source, of: source.indices)
      var result: [Member] = []
      while let item = scanner.next() {
        guard let key = item.key else { continue }
        let name = JSONString.string(UnsafeRawBufferPointer(rebasing: source[key]))
        result.append(
          Member(
            key: Array(name.utf8), name: text[(key.lowerBound - 1)..<(key.upperBound + 1)], value: text[item.value]))
      }
      return result
    }
  }
}
