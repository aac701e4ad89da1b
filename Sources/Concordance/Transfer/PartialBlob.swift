import DocumentStore
import Foundation

/// A blob that an import has read partially.
struct PartialBlob {
  let digest: String
  /// The number of the line with its first piece, for errors.
  let line: Int
  /// The length of the whole blob in bytes.
  private let length: Int64
  /// The number of bytes that were appended.
  private var count: Int64 = 0
  /// The content of a blob that consists of one piece, which is the most common case.
  private var content = Data()
  /// The temporary file with the content of a blob that consists of several pieces.
  private let spool: SpoolWriter?

  /// Creates an empty blob with the digest and the length in its first piece. The caller then appends the piece.
  init(_ piece: BlobPiece, for database: Database, _ line: Int) throws {
    digest = piece.digest
    length = piece.length
    self.line = line
    let isPartial = piece.length > Int64(piece.content.count)
    spool = isPartial ? try SpoolWriter(in: database.engine.store.folderOfTemporaryFiles) : nil
  }

  /// Whether all bytes of the blob were appended.
  var isComplete: Bool { count == length }

  /// Appends the next piece.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the piece does not begin at the end of the previous one, extends beyond
  ///   the end of the blob, or states a different length of the blob.
  mutating func append(_ piece: BlobPiece) throws {
    guard piece.length == length, piece.offset == count, piece.offset + Int64(piece.content.count) <= length else {
      throw CBLError(
        CBLError.invalidParameter,
        "a piece of the blob \(digest) begins at byte \(piece.offset) of \(piece.length), but byte \(count) of \(length) "
          + "was expected")
    }
    if let spool { try piece.content.withUnsafeBytes { try spool.append($0) } } else { content = piece.content }
    count += Int64(piece.content.count)
  }

  /// Returns the source of the complete content.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the content does not match the digest.
  func finish() throws -> BlobSource {
    let source = try spool.map { BlobSource.spool(try $0.finish()) } ?? .bytes(content)
    let found: String
    if case .spool(let file) = source { found = file.digest } else { found = try source.digest().digest }
    guard found == digest else {
      throw CBLError(CBLError.invalidParameter, "the content of the blob \(digest) has the digest \(found)")
    }
    return source
  }
}
