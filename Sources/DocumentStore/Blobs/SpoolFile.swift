/// The content of a stream, kept in an unnamed temporary file until it is stored.
///
/// A stream can be read only once and may be slow. It is therefore read to its end before the transaction begins, so
/// that it does not block writers and a save that is rolled back can be repeated.
public struct SpoolFile: Sendable {
  /// The digest of the content.
  public let digest: String
  /// The length of the content in bytes.
  public let length: Int64

  let file: FileDescriptor
  /// The offset of the content in the file.
  let offset: Int64

  init(_ file: FileDescriptor, offset: Int64 = 0, digest: String, length: Int64) {
    self.file = file
    self.offset = offset
    self.digest = digest
    self.length = length
  }

  /// Reads a stream to its end.
  ///
  /// - Parameters:
  ///   - folder: the folder of the temporary file. The folder of the database has enough space if the blob can be
  ///     stored at all.
  ///   - read: fills a buffer with the next bytes and returns their number; 0 at the end.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/io`` or ``StoreErrorKind/diskFull``, and any error of `read`;
  ///   `CancellationError` if the operation of this thread is interrupted.
  /// - Complexity: O(n) in time, O(1) in memory.
  public init(in folder: String, reading read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    let writer = try SpoolWriter(in: folder)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlobSource.chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try read(buffer), count > 0 {
      try Interruption.check()
      try writer.append(UnsafeRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)]))
    }
    self = try writer.finish()
  }
}
