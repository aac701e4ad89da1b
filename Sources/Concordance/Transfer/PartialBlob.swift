import DocumentStore
import Foundation

/// A blob of which an import has not read all pieces yet.
struct PartialBlob {
  let digest: String
  /// The line of its first piece.
  let line: Int
  private let length: Int64
  private var count: Int64 = 0
  /// The content of a blob of one piece, which is most of them; others go into a file.
  private var content = Data()
  private let spool: SpoolWriter?

  /// Makes a blob without content for its first piece, which is appended separately.
  init(_ piece: BlobPiece, for database: Database, _ line: Int) throws {
    digest = piece.digest
    length = piece.length
    self.line = line
    let folder = PathComponents.folder(of: database.path ?? "")
    spool = piece.length > Int64(piece.content.count) ? try SpoolWriter(in: folder) : nil
  }

  var isComplete: Bool { count == length }

  /// Appends the next piece.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if the piece is out of order.
  mutating func append(_ piece: BlobPiece) throws {
    guard piece.length == length, piece.offset == count, piece.offset + Int64(piece.content.count) <= length else {
      throw CBLError(
        CBLError.invalidParameter,
        "this piece of the blob \(digest) is at byte \(piece.offset) of \(piece.length), and byte \(count) of \(length) is "
          + "expected")
    }
    if let spool { try piece.content.withUnsafeBytes { try spool.append($0) } } else { content = piece.content }
    count += Int64(piece.content.count)
  }

  /// The source of the complete content.
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
