/// The folded characters of one run of Han, Hiragana and Katakana, each with the byte range in the text of the
/// character that it was folded from. An instance is reused for all runs.
final class IdeographRun {
  struct Character {
    var offset: Int
    var length: Int
    var start: Int
    var end: Int
  }

  private(set) var characters: [Character] = []
  private(set) var bytes: [UInt8] = []

  /// The number of characters after which a run is processed in parts, to bound memory.
  static let maximumCount = 4096

  func removeAll() {
    characters.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Removes all characters except the last, which begins the next part.
  func keepLast() {
    guard let last = characters.last else { return }
    bytes.removeFirst(last.offset)
    characters.removeAll(keepingCapacity: true)
    characters.append(Character(offset: 0, length: last.length, start: last.start, end: last.end))
  }

  /// Adds the folded form of the character at `start..<end` of the text. One character, such as `㌀`, can fold to
  /// several; marks that do not compose are added to their base character.
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
