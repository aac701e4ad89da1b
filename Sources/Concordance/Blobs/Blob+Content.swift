import DocumentStore
public import Foundation

extension Blob {
  /// The content, or nil if it cannot be read: it was deleted or is damaged, the database is closed, or reading a file
  /// or a stream failed.
  ///
  /// ```swift
  /// if let data = hotel.blob(forKey: "picture")?.content { print(data.count) }
  /// ```
  ///
  /// The content of a stream is kept in memory after it is read, so that the blob can still be saved.
  ///
  /// - Complexity: O(n) in the length; the whole content is read into memory. Use ``contentStream`` for large blobs.
  public var content: Data? {
    // Not interrupted, because nil would then look like content that cannot be read.
    Interruption.$current.withValue(nil) {
      // This property of Couchbase Lite's API cannot throw. Saving the blob and `Database.verify()` report the error.
      for source in readableSources(after: { try readStreamIntoMemory() }) {
        if case .bytes(let data) = source { return data }
        var content = Data()
        if (try? source.forEachChunk { content.append(contentsOf: $0) }) != nil { return content }
      }
      return nil
    }
  }

  /// A new stream that reads the content from the beginning, or nil if the content cannot be read.
  ///
  /// ```swift
  /// guard let stream = blob.contentStream else { return }
  /// stream.open()
  /// defer { stream.close() }
  /// var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
  ///   output.write(Data(buffer[..<count]))
  /// }
  /// ```
  ///
  /// A stored blob is read in chunks on demand, and no transaction is open between chunks. After an error, for example
  /// because the database was closed, `read` returns -1 and `streamError` is set. The stream cannot be scheduled in a
  /// run loop. It must not be used by two threads at the same time.
  ///
  /// - Complexity: O(1) memory. If the blob was created from a stream and has not been saved yet, the stream is first
  ///   copied to a temporary file.
  public var contentStream: InputStream? {
    // Not interrupted, for the same reason as ``content``.
    Interruption.$current.withValue(nil) { () -> InputStream? in
      let folder = FileManager.default.temporaryDirectory.path
      for source in readableSources(after: { try spoolStream(in: folder) }) {
        if case .stored(let store, let digest) = source, (try? store.blobLength(digest: digest)) == nil { continue }
        if let stream = try? BlobInputStream(source) { return stream }
      }
      return nil
    }
  }

  /// Returns the digest of the content. Content that is not stored yet is read to compute it.
  ///
  /// - Returns: the digest, or nil if the content cannot be read.
  func contentDigest() -> String? {
    // Not interrupted, because the blob would then differ from an equal one.
    Interruption.$current.withValue(nil) {
      // The errors are ignored: in comparisons, a blob that cannot be read differs from every other blob.
      try? spoolStream(in: FileManager.default.temporaryDirectory.path)
      return withState { state in
        try? state.identify()
        return state.digest
      }
    }
  }

  /// The source of the content if the blob is not stored; nil if it is.
  private var unstoredSource: BlobSource? { withState { $0.owningDatabase == nil ? $0.origin.source : nil } }

  /// Returns the sources that the content can be read from, in order of preference.
  ///
  /// - Parameter readStream: reads the stream of the blob if it has one.
  private func readableSources(after readStream: () throws -> Void) -> [BlobSource] {
    // If reading the stream fails, there is no source.
    try? readStream()
    let state = withState { $0 }
    let origin = state.origin.source
    guard let owningDatabase = state.owningDatabase, let digest = state.digest else { return origin.map { [$0] } ?? [] }
    let stored = BlobSource.stored(owningDatabase.engine.store, digest: digest)
    switch origin {
    case .bytes(let data): return [.bytes(data)]
    case .spool(let spool): return [stored, .spool(spool)]
    // The blob may be a parameter of a query that is not stored in any document.
    case .none:
      return [stored] + (owningDatabase.engine.models.parameterBlob(digest: digest)?.unstoredSource.map { [$0] } ?? [])
    // The file may have changed since the blob was stored.
    default: return [stored]
    }
  }
}
