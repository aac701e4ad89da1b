import DocumentStore
import Foundation

/// The changes that an import saves in one transaction.
struct TransferBatch: Sendable {
  /// A document or a blob to save.
  enum Change {
    case document(TransferDocument)
    case blob(digest: String, length: Int64, BlobSource)
  }

  /// The result of ``write(to:_:after:)``.
  struct Outcome {
    /// The numbers of saved documents and blobs.
    var summary = TransferSummary()
    /// The lines for which existing documents were kept.
    var kept: [Int] = []
    /// The lines of refused documents with the reasons.
    var refused: [DatabaseImport.LineError] = []
  }

  /// The changes with the numbers of their lines, in order.
  private var changes: [(line: Int, change: Change)] = []
  /// The size of the added contents in bytes, plus an estimate for each change.
  private var size = 0
  private var blobCount = 0
  /// The maximum number of blobs in a batch. Each may have an open temporary file, and several batches exist at a time.
  private static let maximumBlobCount = 32
  /// The number of changes whose stored documents are read together from another database.
  private static let readCount = 1000

  var isEmpty: Bool { changes.isEmpty }

  /// Whether the batch should be saved.
  ///
  /// - Parameter fullSize: see ``ImportBatch/fullSize(in:)``.
  func isFull(_ fullSize: Int) -> Bool { size >= fullSize || blobCount >= TransferBatch.maximumBlobCount }

  /// Appends a change.
  mutating func append(_ change: Change, line: Int) {
    changes.append((line, change))
    size += 256
    switch change {
    case .document(let document): size += document.content.body.bytes.count
    case .blob(_, let length, _):
      size += Int(clamping: min(length, 1 << 40))
      blobCount += 1
    }
  }

  /// Saves the changes. Documents that are refused are left out.
  ///
  /// - Parameters:
  ///   - database: the database to save to.
  ///   - existing: how existing documents are treated.
  ///   - earlier: the earlier lines of the import.
  /// - Returns: what was saved, kept and refused.
  /// - Throws: errors that occur while the batch is written. In this case, no part of the batch is saved.
  func write(
    to database: Database, _ existing: DatabaseImport.ExistingDocuments, after earlier: inout EarlierLines
  ) throws -> Outcome {
    let engine = database.engine
    var known = earlier
    let result = try engine.write { transaction in
      var outcome = Outcome()
      for (number, (line, change)) in changes.enumerated() {
        if number % TransferBatch.readCount == 0 { try readStored(from: number, transaction) }
        switch change {
        case .document(let document):
          let writer = try engine.writer(for: document.collection.record, in: transaction)
          do {
            if try !document.save(existing, &known, &outcome.summary, writer, transaction) { outcome.kept.append(line) }
          } catch let error as CBLError where DatabaseImport.refusals.contains(error.code) {
            // The writer has not changed anything.
            outcome.refused.append(DatabaseImport.LineError(line: line, error: error))
          }
        case .blob(let digest, let length, let source):
          try transaction.storeBlob(digest: digest, length: length, from: source)
          outcome.summary.blobCount += 1
        }
      }
      return outcome
    }
    earlier = known
    return result
  }

  /// Reads the stored documents with the ids of the next changes in one round trip for each collection, if they are in
  /// another database.
  private func readStored(from start: Int, _ transaction: WriteTransaction) throws {
    guard let remote = transaction.remote else { return }
    var ids: [CollectionRecord: [String]] = [:]
    for case .document(let document) in changes[start...].prefix(TransferBatch.readCount).map(\.change) {
      ids[document.collection.record, default: []].append(document.id)
    }
    for (collection, ids) in ids { try remote.willSave(ids: ids, in: collection, transaction.db) }
  }
}

extension DatabaseImport {
  /// The codes of the errors of refused documents: it refers to a missing blob, or exists.
  fileprivate static let refusals = [CBLError.notFound, CBLError.conflict]
}
