import DocumentStore
import Foundation
import JSONText

/// Saves the lines that ``Database/exportLines(of:_:)`` has written, or any other JSON Lines.
///
/// ```swift
/// let transfer = try DatabaseImport(into: database)
/// for line in lines { try transfer.add(line: line) }
/// let summary = try transfer.finish()
/// ```
///
/// A line is a document. Its id is `_id`, or a new one; its collection is `_collection`, which is created if it does
/// not exist, or the default collection. Documents are saved in batches. ``finish(progress:)`` creates the indexes of
/// the lines after all documents are saved.
///
/// After ``finish(progress:)``, the steps of ``DatabaseConfiguration/migrations`` that the exported database has run count
/// as run in the new database, because the documents have already been migrated. If the new database has run other steps,
/// the import throws.
///
/// Use an import on one thread only. Documents that have not been saved when it is released are lost.
public final class DatabaseImport {
  /// What happens to a document whose id exists already.
  public enum ExistingDocuments: String, Sendable, CaseIterable {
    /// The existing document is replaced, unless a line of the same import has saved it with other content: then the line
    /// throws ``DatabaseImport/LineError``.
    case replace
    /// The existing document is kept, and the line is skipped.
    case skip
    /// The existing document is kept, and the line throws ``DatabaseImport/LineError``.
    case fail
  }

  /// A line that cannot be imported. The import can continue with the next line.
  public struct LineError: Error, CustomStringConvertible {
    /// The number of the line, as it was added.
    public let line: Int
    /// The reason.
    public let error: CBLError

    /// The message of the reason.
    public var description: String { error.message }
  }

  /// The numbers of imported documents, collections, blobs and indexes so far.
  public private(set) var summary = TransferSummary()

  private let database: Database
  private let target: Collection?
  private let existing: ExistingDocuments
  private let parser: LineParser
  private var batch = TransferBatch()
  private var starts = StartSequences()
  private var blob: PartialBlob?
  private var collections: [String: Collection] = [:]
  private var migrations: [String] = []
  private var indexes: [(collection: Collection, name: String, configuration: any IndexConfiguration)] = []

  /// Starts an import.
  ///
  /// - Parameters:
  ///   - database: the database to import into.
  ///   - collection: the collection for all documents and indexes, whatever the lines say; nil for the collections of
  ///     the lines.
  ///   - existing: what happens to existing documents and indexes.
  /// - Throws: ``CBLError``; ``CBLError/notWriteable`` if the database is read-only.
  public init(
    into database: Database, collection: Collection? = nil, existing: ExistingDocuments = .replace
  ) throws {
    self.database = database
    self.existing = existing
    target = collection
    parser = try withPublicErrors { try LineParser(database.engine.kinds) }
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: the bytes of the line, with or without its line feed; an empty line is ignored.
  ///   - number: the number of the line for ``LineError``.
  /// - Throws: ``LineError`` for this line, or for an earlier line that is saved only now. Any other error is a
  ///   ``CBLError`` of writing, after which the import cannot continue.
  public func add(line: UnsafeRawBufferPointer, number: Int = 0) throws {
    guard line.contains(where: { $0 > 0x20 }) else { return }
    switch try concerning(number, { try parser.parse(line) }) {
    case .header(let version, let names):
      guard version <= ExportFormat.version else {
        throw CBLError(
          CBLError.databaseTooNew,
          "the export was written by a newer version (format \(version), this one reads up to \(ExportFormat.version)); "
            + "update Concordance")
      }
      // An import into one collection ignores migration steps, which belong to a database.
      guard target == nil, !names.isEmpty else { break }
      try requireSameMigrations(names, database.appliedMigrations())
      migrations = names
    case .collection(let name):
      if target == nil { _ = try concerning(number) { try collection(name) } }
      summary.collectionCount += 1
    case .document(let document):
      let collection = try concerning(number) { try self.collection(document.collection) }
      batch.append(
        .document(
          collection, id: document.id ?? UUID().uuidString.lowercased(), document.body, expiration: document.expiration),
        line: number, size: document.body.bytes.count)
    case .piece(let piece): try add(piece, number)
    case .index(let name, let collectionName, let configuration):
      let collection = try concerning(number) { try self.collection(collectionName) }
      indexes.append((collection, name, configuration))
    }
    if batch.isFull { try flush() }
  }

  /// Saves pending documents, for instance before messages about other lines.
  ///
  /// - Throws: ``LineError`` for a line that cannot be saved. The lines before it are saved then, and the next call
  ///   saves those after it.
  public func flush() throws {
    while !batch.isEmpty {
      var failure: (line: Int, error: CBLError)?
      try withPublicErrors {
        let (saved, count) = try batch.write(to: database, existing, summary, startingAt: &starts) {
          failure = ($0, $1)
        }
        summary = saved
        batch.removeFirst(count)
      }
      if let failure { throw LineError(line: failure.line, error: failure.error) }
    }
  }

  /// Saves pending documents and creates the indexes.
  ///
  /// - Parameter progress: called while an index is filled, with the number of indexed documents and of all documents.
  /// - Returns: the numbers of imported documents, collections, blobs and indexes.
  /// - Throws: as ``flush()``; call it again after a ``LineError``.
  public func finish(progress: ((UInt64, UInt64) -> Void)? = nil) throws -> TransferSummary {
    try flush()
    if let blob { throw abandon(blob) }
    while let index = indexes.first {
      indexes.removeFirst()
      if existing != .replace, try index.collection.indexes().contains(index.name) { continue }
      // The models of a database are not in its export.
      try index.collection.createIndex(
        withName: index.name, config: index.configuration, leavingIncomplete: true
      ) { done, total in
        progress?(done, total)
        return true
      }
      summary.indexCount += 1
    }
    if !migrations.isEmpty {
      try withPublicErrors {
        try database.engine.write { transaction in
          try requireSameMigrations(migrations, MigrationLog.names(transaction.db))
          try MigrationLog.set(migrations, transaction)
        }
      }
    }
    return summary
  }
}

extension DatabaseImport {
  /// Documents of different schema versions must not be mixed: later steps could not distinguish them.
  private func requireSameMigrations(_ exported: [String], _ applied: [String]) throws {
    guard !applied.isEmpty, applied != exported else { return }
    throw CBLError(
      CBLError.invalidParameter,
      "the exported database has userVersion \(exported.count) (\"\(exported.last ?? "")\"), and this one has userVersion "
        + "\(applied.count) (\"\(applied.last ?? "")\") with other migrations; import into a new database, and let the program "
        + "run the migrations that are left")
  }

  private func collection(_ name: String?) throws -> Collection {
    if let target { return target }
    let name = name ?? CollectionName.default.description
    if let known = collections[name] { return known }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let made =
      parts.count == 2
      ? try database.createCollection(name: parts[1], scope: parts[0]) : try database.createCollection(name: name)
    collections[name] = made
    return made
  }

  private func add(_ piece: BlobPiece, _ number: Int) throws {
    let cut = blob.flatMap { $0.digest == piece.digest ? nil : abandon($0) }
    try take(piece, number)
    // Reported only after the piece was stored: it is the first piece of a complete blob.
    if let cut { throw cut }
  }

  private func take(_ piece: BlobPiece, _ number: Int) throws {
    var open: PartialBlob
    if let blob { open = blob } else { open = try withPublicErrors { try PartialBlob(piece, for: database, number) } }
    blob = nil
    try concerning(number) { try withPublicErrors { try open.append(piece) } }
    guard open.isComplete else { return blob = open }
    let source = try concerning(number) { try withPublicErrors { try open.finish() } }
    batch.append(
      .blob(digest: piece.digest, length: piece.length, source), line: number, size: piece.content.count)
  }

  private func abandon(_ open: PartialBlob) -> LineError {
    blob = nil
    return LineError(
      line: open.line, error: CBLError(CBLError.invalidParameter, "the rest of the blob \(open.digest) is missing"))
  }

  /// Errors of a line and errors of writing are distinguished by their origin.
  private func concerning<T>(_ line: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CBLError where DatabaseImport.lineCodes.contains(error.code) {
      throw LineError(line: line, error: error)
    }
  }

  private static let lineCodes: Set = [
    CBLError.invalidJSON, CBLError.badDocID, CBLError.invalidParameter,
  ]
}

@available(*, unavailable)
extension DatabaseImport: Sendable {}
