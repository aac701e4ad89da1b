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
}
