/// Cuts long texts into pieces that have the same terms as the whole text, so that the memory of their terms is
/// bounded.
///
/// A piece ends after a line feed, which separates words in all scripts, or after an ASCII space in ASCII text. Text
/// without such a place is one piece.
enum TextPieces {
  /// The minimum size of a piece in bytes.
  static let size = 256 << 10
  /// The number of ASCII bytes on both sides of a space: more than the distance at which the tokenizer merges regions
  /// of scripts without spaces.
  private static let margin = 128

  /// Calls `body` with the byte range of each piece.
  static func forEach(
    in text: UnsafeRawBufferPointer, size: Int = TextPieces.size, _ body: (Range<Int>) throws -> Void
  ) rethrows {
    var start = 0
    repeat {
      let end = pieceEnd(text, from: start, size)
      try body(start..<end)
      start = end
    } while start < text.count
  }

  private static func pieceEnd(_ text: UnsafeRawBufferPointer, from start: Int, _ size: Int) -> Int {
    guard text.count - start > size else { return text.count }
    var index = start + size
    // The first byte after the last one that is not ASCII.
    var asciiStart = max(start, index - margin)
    for before in asciiStart..<index where text[before] >= 0x80 { asciiStart = before + 1 }
    /// The end of a piece, if the next bytes are ASCII.
    var candidate: Int?
    while index < text.count {
      let byte = text[index]
      if byte == 0x0A { return index + 1 }
      if byte >= 0x80 {
        asciiStart = index + 1
        candidate = nil
      } else if let candidate, index - candidate >= margin {
        return candidate
      } else if candidate == nil, byte == 0x20, index - asciiStart >= margin {
        candidate = index + 1
      }
      index += 1
    }
    return text.count
  }
}
