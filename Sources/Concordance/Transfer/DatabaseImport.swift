import DocumentStore
import Foundation
import JSONText

/// Imports the lines of an export written by ``Database/exportLines(of:onDamagedDocument:_:)``, or any other JSON
/// Lines.
///
/// ```swift
/// let transfer = try DatabaseImport(into: database)
/// for (index, line) in lines.enumerated() {
///   try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: index + 1) }
/// }
/// let summary = try transfer.finish()
/// ```
///
/// A JSON object that does not have the form of any other kind of export line is a document. Its id is the value of
/// `_id`, a string or an integer; without `_id`, a UUID of version 7 is generated. Its collection is the value of
/// `_collection`, for example `inventory.hotels`; without `_collection` it is the default collection. Missing
/// collections are created. All other members are the properties of the document.
///
/// Another thread saves the documents in batches of about 32 MiB of text, see ``DatabaseConfiguration/indexMemory``,
/// each in its own transaction. If the process is killed, all committed batches remain. ``finish(progress:)`` creates
/// the indexes after all documents are saved.
///
/// If the import is created inside ``Database/inBatch(using:)``, its documents belong to this batch. Otherwise, it must
/// not be used inside a batch.
///
/// ## Migrations
///
/// An export of a whole database lists the steps of ``DatabaseConfiguration/migrations`` that the database has run.
/// ``finish(progress:)`` records them as run in the new database, because the documents have already been migrated. If
/// the new database has run other steps, ``add(line:number:)`` throws an error. An import into one collection ignores
/// the steps.
///
/// An import must be used on one thread at a time. Documents that were not saved before it is released are lost; the
/// batch that is being saved may still be committed.
///
/// After an error with which documents could not be saved, the import has ended, and all calls throw this error.
public final class DatabaseImport {
  /// How documents whose ids already exist are treated.
  public enum ExistingDocuments: String, Sendable, CaseIterable {
    /// The existing document is replaced, unless it has the same text, or an earlier line of the same import saved it
    /// with different content. In the second case, the line throws ``DatabaseImport/LineError``.
    case replace
    /// The existing document is kept, and the line is skipped.
    case skip
    /// The existing document is kept, and the line throws ``DatabaseImport/LineError``.
    case fail
  }

  /// An error of one line, which was not imported. The import can continue with the next line.
  ///
  /// ```swift
  /// do {
  ///   try bytes.withUnsafeBytes { try transfer.add(line: $0, number: number) }
  /// } catch let error as DatabaseImport.LineError {
  ///   print("line \(error.line): \(error)")
  /// }
  /// ```
  public struct LineError: Error, CustomStringConvertible {
    /// The number that was passed when the line was added.
    public let line: Int
    /// The reason why the line was not imported.
    public let error: CBLError

    /// The message of ``error``.
    public var description: String { error.message }
  }

  /// The numbers of imported documents, collections, blobs and indexes so far.
  public var summary: TransferSummary {
    var summary = writer.summary
    summary.add(declared)
    return summary
  }

  /// The numbers of collections and indexes.
  private var declared = TransferSummary()
  private let database: Database
  /// The collection for all documents; nil for the collections of the lines.
  private let target: Collection?
  private let existing: ExistingDocuments
  private let parser: LineParser
  /// The changes that have been added but not passed to the writer yet.
  private var batch = TransferBatch()
  private let batchSize: Int
  /// Whether all lines of the current file so far are blank.
  private var isAtStart = true
  /// The number of the last line.
  private var lastNumber = 0
  /// Saves the batches. Each call to `add` reports one refused line, so the number of unreported lines is bounded by
  /// the lines of the batches in progress.
  private let writer: TransferWriter
  /// The blob whose pieces are being read.
  private var blob: PartialBlob?
  /// The target collection of each `_collection` value so far. The key nil is for lines without `_collection`.
  private var collections: [String?: TransferTarget] = [:]
  /// The same collections, each once: a name may have been written with and without the scope.
  private(set) var targets: [TransferTarget] = []
  /// The migration steps of the exported database.
  private var migrations: [String] = []
  /// The indexes to create at the end.
  private var indexes: [(collection: Collection, name: String, configuration: any IndexConfiguration)] = []

  /// Starts an import.
  ///
  /// - Parameters:
  ///   - database: the database to import into.
  ///   - collection: the collection for all documents and indexes, regardless of the collections in the lines; nil for
  ///     the collections in the lines.
  ///   - existing: how existing documents are treated. Existing indexes are replaced by ``ExistingDocuments/replace``
  ///     and kept by the other cases.
  /// - Throws: ``CBLError`` if memory allocation fails. Errors of the database are thrown by the other methods.
  public init(
    into database: Database, collection: Collection? = nil, existing: ExistingDocuments = .replace
  ) throws {
    self.database = database
    self.existing = existing
    target = collection
    batchSize = ImportBatch.fullSize(in: database.engine.store)
    writer = TransferWriter(database, existing)
    parser = try withPublicErrors { try LineParser(database.engine.kinds) }
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: the UTF-8 bytes of the line, with or without its line feed. A line of white space is ignored.
  ///   - number: the number of the line in its file, for ``LineError/line``.
  /// - Throws: ``LineError`` if this line, or one of the earlier lines that were saved meanwhile, cannot be
  ///   imported. ``LineError/line`` is the number of that line, and ``LineError/error`` has one of these codes:
  ///   - ``CBLError/invalidJSON`` if the line is not a JSON object, or a member such as `_expiration` has an invalid
  ///     value.
  ///   - ``CBLError/badDocID`` if the id is not a valid document id.
  ///   - ``CBLError/invalidParameter`` if the document is too large, the name of the collection is invalid, or a blob
  ///     is incomplete.
  ///   - ``CBLError/notFound`` if the document refers to a blob that is not stored.
  ///   - ``CBLError/conflict`` if the document exists and ``ExistingDocuments/fail`` was passed, or if an earlier line
  ///     has the same id and different content.
  ///
  ///   ``CBLError`` for all other errors, after which the import cannot continue:
  ///   - ``CBLError/databaseTooNew`` if the export was written by a newer version.
  ///   - ``CBLError/invalidParameter`` if the database has run different migrations from the exported one.
  ///   - ``CBLError/notWriteable``, ``CBLError/busy`` and ``CBLError/ioError`` if these or earlier documents cannot be
  ///     saved.
  ///   - ``CBLError/transactionNotClosed`` inside a batch that began after the import.
  public func add(line: UnsafeRawBufferPointer, number: Int = 0) throws {
    try withPublicErrors { try writer.requireUsable() }
    // A number that is not greater than the previous one belongs to another file. Without numbers, only one file is
    // known.
    if number > 0, number <= lastNumber { isAtStart = true }
    lastNumber = number
    guard !line.trimmingSpace.isEmpty else { return }
    let isFirst = isAtStart
    isAtStart = false
    let parsed = try withLineErrors(number) {
      try parser.parse(line, isFirst: isFirst) { name, root in try target(named: name).preparation.terms(of: root) }
    }
    switch parsed {
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
      if target == nil { _ = try withLineErrors(number) { try self.target(named: name) } }
      declared.collectionCount += 1
    case .document(let document):
      let target = try withLineErrors(number) {
        if let id = document.id { try withPublicErrors { try database.engine.store.checkDocumentID(id) } }
        return try self.target(named: document.collection)
      }
      batch.append(.document(target.prepare(document)), line: number)
      if target.preparation.isFull(in: database.engine.store) { try saveBatch() }
    case .piece(let piece): try add(piece, number)
    case .index(let name, let collectionName, let configuration):
      let target = try withLineErrors(number) { try self.target(named: collectionName) }
      indexes.append((target.collection, name, configuration))
    }
    if batch.isFull(batchSize) { try saveBatch() }
    try reportRefused()
  }

  /// Saves the documents that have been added but not saved yet.
  ///
  /// - Throws: ``LineError`` for the first line that was refused; the next call reports the next one. All other lines
  ///   are saved. ``CBLError`` if the documents cannot be saved, as for ``add(line:number:)``.
  public func flush() throws {
    // Reported first, because saving may fail.
    try reportRefused()
    try saveBatch(isLast: true)
    try withPublicErrors { try writer.finish() }
    try reportRefused()
  }

  /// Returns the refused lines that no call has reported yet, in order. Call it after an error with which the import
  /// ends.
  public func takeRefusedLines() -> [LineError] {
    writer.abandon()
    return writer.takeRefused()
  }

  private func saveBatch(isLast: Bool = false) throws {
    guard !batch.isEmpty else { return }
    try withPublicErrors { try writer.requireUsable() }
    for target in targets { target.endBatch() }
    try withPublicErrors { try writer.save(batch, isLast: isLast) }
    batch = TransferBatch()
  }

  private func reportRefused() throws {
    if let first = writer.takeFirstRefused() { throw first }
  }

  /// Saves the remaining documents, creates the indexes, and ends the import.
  ///
  /// - Parameter progress: a closure that is called while an index is filled, with the number of indexed documents and
  ///   the total number of documents in the collection.
  /// - Returns: the numbers of imported documents, collections, blobs and indexes.
  /// - Throws: ``LineError`` as for ``flush()``, after which this method can be called again; ``CBLError`` if the
  ///   documents cannot be saved or an index cannot be created.
  public func finish(progress: ((UInt64, UInt64) -> Void)? = nil) throws -> TransferSummary {
    try flush()
    if let blob { throw abandon(blob) }
    if writer.summary.documentCount > 0 {
      try withPublicErrors { for target in targets { try target.finishImport() } }
      // The indexes need the memory of prepared entries.
      (collections, targets) = ([:], [])
    }
    while let index = indexes.first {
      indexes.removeFirst()
      if existing != .replace, try index.collection.indexes().contains(index.name) { continue }
      // An index may be incomplete, because an export does not contain the models of predictive indexes.
      try index.collection.createIndex(
        withName: index.name, config: index.configuration, leavingIncomplete: true
      ) { done, total in
        progress?(done, total)
        return true
      }
      declared.indexCount += 1
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
  /// Throws if this database has run different migration steps from the exported one. Documents of different schema
  /// versions must not be mixed, because later steps could not distinguish them.
  private func requireSameMigrations(_ exported: [String], _ applied: [String]) throws {
    guard !applied.isEmpty, applied != exported else { return }
    throw CBLError(
      CBLError.invalidParameter,
      "the exported database has userVersion \(exported.count) (\"\(exported.last ?? "")\"), and this one has userVersion "
        + "\(applied.count) (\"\(applied.last ?? "")\") with other migrations; import into a new database, and let the program "
        + "run the remaining migrations")
  }

  /// Returns the collection for documents of the collection with the given name, and creates it if it does not exist.
  /// Nil refers to the default collection.
  private func target(named name: String?) throws -> TransferTarget {
    let name = target == nil ? name : nil
    if let known = collections[name] { return known }
    let collection = try target ?? collection(named: name ?? CollectionName.default.description)
    if let known = targets.first(where: { $0.collection.record == collection.record }) {
      collections[name] = known
      return known
    }
    let made = try TransferTarget(collection)
    collections[name] = made
    targets.append(made)
    return made
  }

  private func collection(named name: String) throws -> Collection {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2
      ? try database.createCollection(name: parts[1], scope: parts[0]) : try database.createCollection(name: name)
  }

  /// Adds a piece of a blob. If it belongs to a different blob than the previous piece, the previous blob is
  /// incomplete.
  private func add(_ piece: BlobPiece, _ number: Int) throws {
    let cut = blob.flatMap { $0.digest == piece.digest ? nil : abandon($0) }
    try take(piece, number)
    // Thrown after the piece was added, because the piece may be the first one of a complete blob.
    if let cut { throw cut }
  }

  /// Appends a piece to the current blob, and adds the blob to the batch if it is complete.
  private func take(_ piece: BlobPiece, _ number: Int) throws {
    var open: PartialBlob
    if let blob { open = blob } else { open = try withPublicErrors { try PartialBlob(piece, for: database, number) } }
    blob = nil
    try withLineErrors(number) { try withPublicErrors { try open.append(piece) } }
    guard open.isComplete else { return blob = open }
    let source = try withLineErrors(number) { try withPublicErrors { try open.finish() } }
    batch.append(.blob(digest: piece.digest, length: piece.length, source), line: number)
  }

  /// Discards an incomplete blob and returns the error for it.
  private func abandon(_ open: PartialBlob) -> LineError {
    blob = nil
    return LineError(
      line: open.line, error: CBLError(CBLError.invalidParameter, "the rest of the blob \(open.digest) is missing"))
  }

  /// Calls `body`, and converts its error to a ``LineError`` if the line, not the database, is the cause.
  private func withLineErrors<T>(_ line: Int, _ body: () throws -> T) throws -> T {
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
