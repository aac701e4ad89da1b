import DocumentStore
import Foundation

/// The last sequence of each collection before an import wrote to it.
struct StartSequences {
  private var sequences: [Int64: Int64] = [:]

  /// Returns the sequence of a collection, which is read when the import first writes to it.
  mutating func sequence(of collection: CollectionRecord, _ transaction: WriteTransaction) throws -> Int64 {
    if let known = sequences[collection.id] { return known }
    let sequence = try transaction.lastSequence(of: collection)
    sequences[collection.id] = sequence
    return sequence
  }
}

/// The changes that an import saves in one transaction.
struct TransferBatch {
  /// A document or a blob to save.
  enum Change {
    case document(Collection, id: String, DocumentBody, expiration: Date?)
    case blob(digest: String, length: Int64, BlobSource)
  }

  /// The changes with the numbers of their lines, in order.
  private var changes: [(line: Int, change: Change)] = []
  /// The size of the added contents in bytes.
  private var size = 0

  var isEmpty: Bool { changes.isEmpty }
  /// Whether the batch should be saved. See ``ExportFormat/batchCount`` and ``ExportFormat/batchSize``.
  var isFull: Bool { changes.count >= ExportFormat.batchCount || size >= ExportFormat.batchSize }

  /// Appends a change. `size` is its size in bytes.
  mutating func append(_ change: Change, line: Int, size: Int) {
    changes.append((line, change))
    self.size += size
  }

  /// Saves the changes. Documents that are refused are left out.
  ///
  /// - Parameters:
  ///   - database: the database to save to.
  ///   - existing: how existing documents are treated.
  ///   - summary: the totals before this batch.
  ///   - starts: the sequences before the import. A document with different content and a later sequence is not
  ///     replaced, because an earlier line or, during the import, another program has saved it.
  /// - Returns: the totals including this batch, and the lines of refused documents with the reasons.
  /// - Throws: errors that occur while the batch is written. In this case, no part of the batch is saved.
  func write(
    to database: Database, _ existing: DatabaseImport.ExistingDocuments, _ summary: TransferSummary,
    startingAt starts: inout StartSequences
  ) throws -> (TransferSummary, [DatabaseImport.LineError]) {
    let engine = database.engine
    var known = starts
    let result = try engine.write { transaction in
      var summary = summary
      var refused: [DatabaseImport.LineError] = []
      if let remote = transaction.remote { try readStored(remote, transaction) }
      for (line, change) in changes {
        switch change {
        case .document(let collection, let id, let body, let expiration):
          let writer = try engine.writer(for: collection.record, in: transaction)
          let start = try known.sequence(of: collection.record, transaction)
          var isRepeated = false
          do {
            let change = try writer.save(
              id: id, body: body, precondition: existing == .replace ? .none : .absent, skippingUnchanged: true
            ) { stored in
              isRepeated = stored.sequence > start && stored.body != body.bytes
              return !isRepeated
            }
            if let expiration { try collection.setDocumentExpiration(id: id, expiration: expiration) }
            if change.isUnchanged { summary.unchangedCount += 1 } else { summary.documentCount += 1 }
          } catch let error as CBLError where error.code == CBLError.notFound {
            // A document that refers to a missing blob. The writer has not changed anything.
            refused.append(DatabaseImport.LineError(line: line, error: error))
          } catch let error as StoreError where error.kind == .conflict {
            guard isRepeated || existing == .fail else {
              summary.skippedCount += 1
              continue
            }
            let reason =
              isRepeated
              ? "is on an earlier line with different content; give each document a unique id" : "already exists"
            refused.append(
              DatabaseImport.LineError(
                line: line,
                error: CBLError(CBLError.conflict, "the document \"\(id)\" of \(collection.fullName) \(reason)")))
          }
        case .blob(let digest, let length, let source):
          try transaction.storeBlob(digest: digest, length: length, from: source)
          summary.blobCount += 1
        }
      }
      return (summary, refused)
    }
    starts = known
    return result
  }

  /// Reads the stored documents with the ids of the batch in one round trip for each collection.
  private func readStored(_ remote: any RemoteStorage, _ transaction: WriteTransaction) throws {
    var ids: [CollectionRecord: [String]] = [:]
    for case .document(let collection, let id, _, _) in changes.map(\.change) {
      ids[collection.record, default: []].append(id)
    }
    for (collection, ids) in ids { try remote.willSave(ids: ids, in: collection, transaction.db) }
  }
}
