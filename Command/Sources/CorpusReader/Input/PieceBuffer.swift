/// The bytes of a source from the start of the piece that is being read, such as a line or an element of an array.
/// Memory is used for the longest piece that is kept.
struct PieceBuffer {
  private let source: ByteSource
  private let buffer: ByteBuffer
  private let limit: Int
  /// How many bytes of the piece were dropped, because it is longer than the limit.
  private var skipped: Int64 = 0

  /// Begins at the start of a source. The buffer is emptied and used for the pieces.
  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.source = source
    self.buffer = buffer
    self.limit = limit
    buffer.removeAll()
  }

  /// The bytes, valid until more are read.
  var bytes: UnsafeRawBufferPointer { buffer.bytes }

  /// Reads more of the piece that begins at `start`. Afterwards it begins at 0.
  ///
  /// - Returns: where the new bytes begin in ``bytes``; nil if there are none.
  mutating func extend(from start: Int) throws -> Int? {
    if buffer.count - start > limit {
      // Nothing of it is kept, but its end must still be found.
      skipped += Int64(buffer.count - start)
      buffer.removeAll()
    } else {
      buffer.removeFirst(start)
    }
    let kept = buffer.count
    return try source.read(into: buffer) ? kept : nil
  }

  /// Ends the piece.
  ///
  /// - Parameter range: what is in ``bytes`` of it.
  /// - Returns: its bytes, valid until more are read, or nil if they are more than the limit; how many there are.
  mutating func end(_ range: Range<Int>) -> (bytes: UnsafeRawBufferPointer?, size: Int64) {
    let size = skipped + Int64(range.count)
    skipped = 0
    return (size > Int64(limit) ? nil : UnsafeRawBufferPointer(rebasing: buffer.bytes[range]), size)
  }

  /// Whether nothing of a piece was read.
  var isEmpty: Bool { buffer.count == 0 && skipped == 0 }
}
