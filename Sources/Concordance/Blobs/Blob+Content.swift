import DocumentStore
public import Foundation

extension Blob {
  /// The content; nil if it cannot be read: it was deleted or is damaged, the database is closed, or a file or stream
  /// fails.
  ///
  /// Reading the stream of a blob that is not saved yet stores its bytes in a temporary file, so that it can still be
  /// saved.
  ///
  /// - Complexity: O(n); all of it is read into memory. See ``contentStream``.
  public var content: Data? {
    // The interface has no room for an error; a save and `Database.verify()` tell what is wrong.
    for source in readableSources({ try $0.readIntoMemory() }) {
      if case .bytes(let data) = source { return data }
      var content = Data()
      if (try? source.forEachChunk { content.append(contentsOf: $0) }) != nil { return content }
    }
    return nil
  }

  /// A new stream that reads the content from its start; nil if there is none.
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
  /// A stored blob is read in chunks on demand, and no transaction is open between them. An error, such as a closed
  /// database, makes `read` return -1 and is in `streamError`. The stream cannot be scheduled in a run loop. It must
  /// not be used by two threads at the same time.
  ///
  /// - Complexity: O(1) in memory. The stream of a blob that is not saved yet is first copied to a temporary file.
  public var contentStream: InputStream? {
    let folder = FileManager.default.temporaryDirectory.path
    for source in readableSources({ try $0.identify(spoolingIn: folder) }) {
      if case .stored(let store, let digest) = source, (try? store.blobLength(digest: digest)) == nil { continue }
      if let stream = try? BlobInputStream(source) { return stream }
    }
    return nil
  }

  /// The digest of the content, for which what is not stored yet is read; nil where it cannot be read.
  func contentDigest() -> String? {
    withState { state in
      // Two blobs that cannot be read are different ones: that is all that those who compare have to know.
      try? state.identify(spoolingIn: FileManager.default.temporaryDirectory.path)
      return state.digest
    }
  }

  /// Where the content of a blob that is not stored can be read.
  private var ownSource: BlobSource? { withState { $0.owningDatabase == nil ? $0.origin.source : nil } }

  /// Where the content can be read, best first.
  private func readableSources(_ takingStream: (inout BlobState) throws -> Void) -> [BlobSource] {
    let state = withState { state in
      // A stream that fails leaves no source.
      if case .stream = state.origin { try? takingStream(&state) }
      return state
    }
    let origin = state.origin.source
    guard let owningDatabase = state.owningDatabase, let digest = state.digest else { return origin.map { [$0] } ?? [] }
    let stored = BlobSource.stored(owningDatabase.engine.store, digest: digest)
    switch origin {
    case .bytes(let data): return [.bytes(data)]
    case .spool(let spool): return [stored, .spool(spool)]
    // A parameter's may be in no document.
    case .none:
      return [stored] + (owningDatabase.engine.models.borrowedBlob(digest: digest)?.ownSource.map { [$0] } ?? [])
    // A file may hold something else by now.
    default: return [stored]
    }
  }
}

extension BlobState {
  /// Reads the whole stream.
  fileprivate mutating func readIntoMemory() throws {
    guard case .stream(let stream) = origin else { return }
    do {
      var data = Data()
      try stream.readToEnd { data.append(contentsOf: $0) }
      origin = .data(data)
    } catch {
      origin = .failed(error)
      throw error
    }
  }
}
