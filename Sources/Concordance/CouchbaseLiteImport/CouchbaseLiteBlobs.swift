import CouchbaseLiteFile
import DocumentStore
import SQLiteAccess

/// Adds the blobs that documents refer to. Each file is read once, even if many documents refer to it.
struct CouchbaseLiteBlobs {
  /// A compressed attachment. Its content may not be longer than its document states.
  private struct Attachment: Hashable {
    let digest: String
    let length: Int64
  }

  /// The content of a compressed attachment.
  private enum Content {
    case damaged
    case blob(digest: String, length: Int64)
  }

  private let file: CouchbaseLiteFile
  private let temporaryFolder: String
  /// The digests of blobs that were added.
  private var added: Set<String> = []
  /// The digests of blobs whose files are damaged. They are not in `added`, because a compressed attachment may have
  /// the content with this digest.
  private var damaged: Set<String> = []
  private var attachments: [Attachment: Content] = [:]

  /// The maximum size of each of the collections above. When it is reached, the collection is emptied, and a file that
  /// a later document refers to is read again.
  private static let maximumCount = 100_000

  init(_ file: CouchbaseLiteFile, temporaryFolder: String) {
    self.file = file
    self.temporaryFolder = temporaryFolder
  }

  /// Adds a blob to a part, unless it was added before. A blob that is missing or does not match its digest is skipped;
  /// the document that refers to it is then rejected when it is saved, unless the blob is already stored.
  mutating func add(
    _ digest: String, to part: inout CouchbaseLitePart, _ summary: inout CouchbaseLiteImportSummary
  ) throws {
    guard !added.contains(digest), !damaged.contains(digest), let path = file.blobPath(digest: digest) else { return }
    let source = BlobSource.file(path: path)
    let found = try source.digest()
    guard found.digest == digest else {
      CouchbaseLiteBlobs.note(digest, in: &damaged)
      summary.addNote("the blob \(digest) is damaged: its content has the digest \(found.digest)")
      return
    }
    // The content is copied from the file when the batch is saved, so it takes no memory.
    append(digest, found.length, source, to: &part)
  }

  /// Adds the decompressed content of an attachment to a part, unless it was added before.
  ///
  /// - Parameters:
  ///   - digest: the digest of the compressed file.
  ///   - length: the length of the content in its document.
  /// - Returns: the digest and the length of the content; nil if the file is missing or damaged.
  mutating func addContent(
    ofCompressed digest: String, length: Int64, to part: inout CouchbaseLitePart,
    _ summary: inout CouchbaseLiteImportSummary
  ) throws -> (digest: String, length: Int64)? {
    let attachment = Attachment(digest: digest, length: length)
    switch attachments[attachment] {
    case .damaged?: return nil
    case .blob(let digest, let length)?: return (digest, length)
    case nil: break
    }
    guard let path = file.blobPath(digest: digest) else { return nil }
    if attachments.count >= CouchbaseLiteBlobs.maximumCount { attachments.removeAll() }
    do {
      let gzip = try GzipFile(path: path, maximumLength: length)
      let spool = try SpoolFile(in: temporaryFolder) { try gzip.read(into: $0) }
      if !added.contains(spool.digest) { append(spool.digest, spool.length, .spool(spool), to: &part) }
      attachments[attachment] = .blob(digest: spool.digest, length: spool.length)
      return (spool.digest, spool.length)
    } catch let error as CouchbaseLiteFileError {
      attachments[attachment] = .damaged
      summary.addNote("the compressed blob \(digest) is damaged: \(error.message)")
      return nil
    }
  }

  private mutating func append(
    _ digest: String, _ length: Int64, _ source: BlobSource, to part: inout CouchbaseLitePart
  ) {
    CouchbaseLiteBlobs.note(digest, in: &added)
    part.append(.blob(digest: digest, length: length, source), "blob \(digest)")
  }

  private static func note(_ digest: String, in digests: inout Set<String>) {
    if digests.count >= maximumCount { digests.removeAll() }
    digests.insert(digest)
  }
}
