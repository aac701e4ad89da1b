import DocumentStore
import JSONText
import Synchronization

/// Calls the registered models for the queries of one database, with JSON text as input and output.
final class ModelCaller: Sendable {
  private struct DatabaseReference: Sendable {
    /// Weak, because the database owns the engine, which owns this object.
    weak var database: Database?
  }

  private struct BorrowedBlob: Sendable {
    weak var blob: Blob?
  }

  private let databaseReference = Mutex(DatabaseReference())
  /// Lent blobs by digest. Several queries may lend equal blobs, each while the query exists.
  private let borrowedBlobs = Mutex<[String: [BorrowedBlob]]>([:])
  /// Whether the writer thread of the database is calling a model. Only that thread changes it.
  private let isAskedInTransaction = Atomic(false)

  /// Sets the database from which the blobs of inputs are read.
  func readBlobs(from database: Database) { databaseReference.withLock { $0.database = database } }

  /// Lets models read a blob that is not in a document but is the value of a parameter, while the query that has the
  /// parameter exists.
  func lendBlob(_ blob: Blob) {
    guard let digest = blob.contentDigest() else { return }
    borrowedBlobs.withLock { blobs in
      blobs = blobs.compactMapValues { lent in
        let living = lent.filter { $0.blob != nil }
        return living.isEmpty ? nil : living
      }
      if blobs[digest]?.contains(where: { $0.blob === blob }) != true {
        blobs[digest, default: []].append(BorrowedBlob(blob: blob))
      }
    }
  }

  /// The lent blob with this digest.
  func borrowedBlob(digest: String) -> Blob? {
    for lent in borrowedBlobs.withLock({ $0[digest] ?? [] }) {
      if let blob = lent.blob { return blob }
    }
    return nil
  }

  /// Throws if the writer thread is calling a model or a map function.
  ///
  /// A change inside it would re-enter SQLite statements that are still running.
  ///
  /// - Parameter isWriting: whether the calling thread is the writer thread.
  func requireNoModel(isWriting: Bool) throws {
    guard isWriting, isAskedInTransaction.load(ordering: .relaxed) else { return }
    throw CBLError(
      CBLError.transactionNotClosed,
      "a model or map function that is called in a write transaction must not change the database; do it after")
  }

  /// Calls a function of the program, which must not change the database, in the open transaction.
  ///
  /// Must be called on the writer thread.
  func withoutChanges<T>(_ body: () throws -> T) rethrows -> T {
    let isInsideAnother = isAskedInTransaction.exchange(true, ordering: .relaxed)
    defer { isAskedInTransaction.store(isInsideAnother, ordering: .relaxed) }
    return try body()
  }

  /// The output of a model; nil if the model returns nil.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the model is not registered, or if its output cannot be written as JSON.
  func output(of name: String, for input: [UInt8]) throws -> [UInt8]? {
    guard let model = Database.prediction.model(named: name) else {
      throw CBLError(
        CBLError.invalidQuery,
        "there is no model \"\(name)\" for PREDICTION; register it first with Database.prediction.registerModel")
    }
    let database = databaseReference.withLock { $0.database }
    let isWriting = database?.engine.store.isWriting ?? false
    let isInsideAnother = isWriting && isAskedInTransaction.exchange(true, ordering: .relaxed)
    defer { if isWriting { isAskedInTransaction.store(isInsideAnother, ordering: .relaxed) } }
    let state = ContainerState(JSONSourceText(input), isDictionary: true, isMutable: false, database: database)
    guard let output = model.predict(input: DictionaryObject(state)) else { return nil }
    if let fault = output.fault() {
      let location = fault.path.isEmpty ? "" : " (\(PropertyPath(fault.path)))"
      throw CBLError(CBLError.invalidQuery, "the output of the model \"\(name)\"\(location) \(fault.reason)")
    }
    return output.jsonBytes
  }
}
