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

  /// Removes the first `count` changes after they have been processed.
  mutating func removeFirst(_ count: Int) {
    changes.removeFirst(count)
    if changes.isEmpty { size = 0 }
  }

  /// Saves the changes up to the first rejected change.
  ///
  /// - Parameters:
  ///   - database: the database to save to.
  ///   - existing: how existing documents are treated.
  ///   - summary: the totals before this batch.
  ///   - starts: the sequences before the import. A document with different content and a later sequence is not
  ///     replaced, because an earlier line or, during the import, another program has saved it.
  ///   - refused: called with the line of the rejected change, after the batch is committed.
  /// - Returns: the totals including this batch, and the number of processed changes, including the rejected change.
  /// - Throws: errors that occur while the batch is written. In this case, no part of the batch is saved.
  func write(
    to database: Database, _ existing: DatabaseImport.ExistingDocuments, _ summary: TransferSummary,
    startingAt starts: inout StartSequences, refused: (Int, CBLError) -> Void
  ) throws -> (TransferSummary, Int) {
    let engine = database.engine
    var known = starts
    var failure: (line: Int, error: CBLError)?
    let result = try engine.write { transaction in
      var summary = summary
      if let remote = transaction.remote { try readStored(remote, transaction) }
      for (position, (line, change)) in changes.enumerated() {
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
            failure = (line, error)
            return (summary, position + 1)
          } catch let error as StoreError where error.kind == .conflict && isRepeated {
            let message =
              "the document \"\(id)\" of \(collection.fullName) is on an earlier line with different content; "
              + "give each document a unique id"
            failure = (line, CBLError(CBLError.conflict, message))
            return (summary, position + 1)
          } catch let error as StoreError where error.kind == .conflict {
            guard existing == .fail else {
              summary.skippedCount += 1
              continue
            }
            let message = "the document \"\(id)\" already exists in \(collection.fullName)"
            failure = (line, CBLError(CBLError.conflict, message))
            return (summary, position + 1)
          }
        case .blob(let digest, let length, let source):
          try transaction.storeBlob(digest: digest, length: length, from: source)
          summary.blobCount += 1
        }
      }
      return (summary, changes.count)
    }
    starts = known
    if let failure { refused(failure.line, failure.error) }
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
