/// The content of a stream, kept in a temporary file without a name until it is stored.
///
/// A stream can be read once only, and slowly: so it is read to its end before the transaction begins. Nobody has to wait
/// for it, and a save that is rolled back can be repeated.
public struct SpoolFile: Sendable {
  /// The digest of the content.
  public let digest: String
  /// Its bytes.
  public let length: Int64

  let file: FileDescriptor

  init(_ file: FileDescriptor, digest: String, length: Int64) {
    self.file = file
    self.digest = digest
    self.length = length
  }

  /// Reads a stream to its end.
  ///
  /// - Parameters:
  ///   - folder: where the file is made. In the folder of the database there is room for it if there is for the blob.
  ///   - read: fills a buffer with the next bytes and says how many these are; 0 at the end.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/io`` or ``StoreError/Kind/diskFull``, and what `read` throws.
  /// - Complexity: O(n) in time, O(1) in memory.
  public init(in folder: String, reading read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    let writer = try SpoolWriter(in: folder)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlobSource.chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try read(buffer), count > 0 {
      try writer.append(UnsafeRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)]))
    }
    self = try writer.finish()
  }
}
