public import Foundation

/// The source of a blob's content while it is stored. It can be read any number of times.
public enum BlobSource: Sendable {
  /// Bytes in memory.
  case bytes(Data)
  /// A file, which may change between one read and the next.
  case file(path: String)
  /// A copy of a stream's content on disk.
  case spool(SpoolFile)
  /// A blob of this or another store.
  case stored(Store, digest: String)

  /// The size of a chunk, in the file and for reading and copying. A blob is not stored as one value because SQLite
  /// limits values to 1 GB and reads each into memory as a whole.
  public static let chunkSize = 256 << 10

  /// Returns a function that reads the content: each call returns the next ``chunkSize`` bytes, or fewer at the end, or
  /// nil after the end.
  ///
  /// - Throws: Like the returned function, ``StoreError`` of kind ``StoreErrorKind/notFound``,
  ///   ``StoreErrorKind/cannotOpen``, ``StoreErrorKind/io``, ``StoreErrorKind/noSuchBlob`` or
  ///   ``StoreErrorKind/corrupt``.
  public func makeReader() throws -> () throws -> Data? {
    switch self {
    case .bytes(let data):
      var rest = data
      return {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(BlobSource.chunkSize) }
        return rest.prefix(BlobSource.chunkSize)
      }
    case .file(let path): return try FileDescriptor(reading: path).makeReader(0..<Int64.max)
    case .spool(let spool): return spool.file.makeReader(spool.offset..<(spool.offset + spool.length))
    case .stored(let store, let digest):
      var reader = BlobReader(store, digest: digest)
      return { try reader.next() }
    }
  }

  /// Calls `body` with the content, chunk by chunk. See ``makeReader()``.
  ///
  /// - Throws: The errors of the reader and of `body`; `CancellationError` if the operation of this thread is
  ///   interrupted.
  public func forEachChunk(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let next = try makeReader()
    while let chunk = try next() {
      try Interruption.check()
      try chunk.withUnsafeBytes { try body($0) }
    }
  }

  /// Reads the content and returns its digest and length.
  public func digest() throws -> (digest: String, length: Int64) {
    let hasher = try BlobHasher()
    try forEachChunk { try hasher.update($0) }
    return (try hasher.finish(), hasher.length)
  }
}

extension FileDescriptor {
  fileprivate func makeReader(_ range: Range<Int64>) -> () throws -> Data? {
    var offset = range.lowerBound
    return {
      var chunk = Data(count: Int(min(Int64(BlobSource.chunkSize), range.upperBound - offset)))
      let count = try chunk.withUnsafeMutableBytes { try self.read(into: $0, at: offset) }
      offset += Int64(count)
      return count > 0 ? chunk.prefix(count) : nil
    }
  }
}
