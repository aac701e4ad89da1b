/// The folded characters of one run of Han, Hiragana and Katakana, each with the byte range of the text that it comes
/// from. Reused from run to run.
final class IdeographRun {
  struct Character {
    var offset: Int
    var length: Int
    var start: Int
    var end: Int
  }

  private(set) var characters: [Character] = []
  private(set) var bytes: [UInt8] = []

  /// Longer runs are processed in parts, to bound memory.
  static let maximumCount = 4096

  func removeAll() {
    characters.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Removes all but the last character, which the next part begins with.
  func keepLast() {
    guard let last = characters.last else { return }
    bytes.removeFirst(last.offset)
    characters.removeAll(keepingCapacity: true)
    characters.append(Character(offset: 0, length: last.length, start: last.start, end: last.end))
  }

  /// Adds the folded form of the character at `start..<end` of the text. One character can fold to several, as `㍿`
  /// does; marks that do not compose stay with their base.
  func append(_ folded: UnsafeBufferPointer<UInt8>, start: Int, end: Int, isMark: (UInt32) -> Bool) {
    guard let source = folded.baseAddress else { return }
    var index = 0
    while index < folded.count {
      let scalar = decodeScalar(source, index, folded.count)
      if index > 0, isMark(scalar.value) {
        characters[characters.count - 1].length += scalar.length
      } else {
        characters.append(
          Character(offset: bytes.count + index, length: scalar.length, start: start, end: end))
      }
      index += scalar.length
    }
    bytes.append(contentsOf: folded)
  }
}
