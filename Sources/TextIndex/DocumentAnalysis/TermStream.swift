import TextAnalysis

/// Reads the encoding of terms that `TokenBuffer` writes.
enum TermStream {
  /// A term that occurs in no text. It occupies the position between two strings of a column, so that no phrase spans
  /// them: FTS5 cannot skip a position.
  static let boundaryTerm: UInt8 = 0x7F
  /// The separator between two strings.
  static let boundary = [TokenBuffer.separator, boundaryTerm, TokenBuffer.separator]

  /// Calls `body` with each term and its position.
  static func forEachTerm(in stream: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Int) -> Void) {
    var start = 0
    var position = 0
    while start < stream.count {
      var end = start
      while end < stream.count, stream[end] != TokenBuffer.separator, stream[end] != TokenBuffer.colocation {
        end += 1
      }
      body(UnsafeRawBufferPointer(rebasing: stream[start..<end]), position)
      if end < stream.count, stream[end] == TokenBuffer.separator { position += 1 }
      start = end + 1
    }
  }
}
