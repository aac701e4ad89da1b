/// A buffer that contains the bytes of a source from the start of the current piece, such as a line or an element of an
/// array. Memory use is proportional to the longest piece, up to the limit.
struct PieceBuffer {
  private let source: ByteSource
  private let buffer: ByteBuffer
  private let limit: Int
  /// The number of bytes of the current piece that were dropped because it exceeds the limit.
  private var skipped: Int64 = 0

  /// Starts at the beginning of a source. Empties `buffer`, which then stores the pieces.
  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.source = source
    self.buffer = buffer
    self.limit = limit
    buffer.removeAll()
  }

  /// The bytes, valid until more are read.
  var bytes: UnsafeRawBufferPointer { buffer.bytes }

  /// Reads more of the piece that begins at `start`. Afterwards the piece begins at 0.
  ///
  /// - Returns: the index of the first new byte in ``bytes``; nil at the end of the source.
  mutating func extend(from start: Int) throws -> Int? {
    if buffer.count - start > limit {
      // The piece is dropped, but its end must still be found.
      skipped += Int64(buffer.count - start)
      buffer.removeAll()
    } else {
      buffer.removeFirst(start)
    }
    let kept = buffer.count
    return try source.read(into: buffer) ? kept : nil
  }

  /// Ends the current piece.
  ///
  /// - Parameter range: the part of ``bytes`` that belongs to the piece.
  /// - Returns: the bytes of the piece, valid until more are read, or nil if it exceeds the limit; and its size.
  mutating func end(_ range: Range<Int>) -> (bytes: UnsafeRawBufferPointer?, size: Int64) {
    let size = skipped + Int64(range.count)
    skipped = 0
    return (size > Int64(limit) ? nil : UnsafeRawBufferPointer(rebasing: buffer.bytes[range]), size)
  }

  /// Whether no byte of the current piece has been read.
  var isEmpty: Bool { buffer.count == 0 && skipped == 0 }
}
