import DocumentStore
import JSONText
import Synchronization

/// Calls the registered models for the queries of one database, with JSON text as input and output.
final class ModelCaller: Sendable {
  private struct DatabaseReference: Sendable {
    /// Weak, because the database owns the engine, which owns this object.
    weak var database: Database?
  }

  private struct ParameterBlob: Sendable {
    weak var blob: Blob?
  }

  private let databaseReference = Mutex(DatabaseReference())
  /// The blobs in parameters of queries, by digest. Several queries may have equal blobs; each blob is available as
  /// long as its query exists.
  private let parameterBlobs = Mutex<[String: [ParameterBlob]]>([:])
  /// Whether the writer thread of the database is calling a model or a map function. Only that thread changes it.
  private let isCallingModel = Atomic(false)

  /// Sets the database from which blobs in inputs are read.
  func readBlobs(from database: Database) { databaseReference.withLock { $0.database = database } }

  /// Lets models read a blob that is the value of a query parameter and is not in a document. It is available as long
  /// as the query exists.
  func addParameterBlob(_ blob: Blob) {
    guard let digest = blob.contentDigest() else { return }
    parameterBlobs.withLock { blobs in
      blobs = blobs.compactMapValues { references in
        let live = references.filter { $0.blob != nil }
        return live.isEmpty ? nil : live
      }
      if blobs[digest]?.contains(where: { $0.blob === blob }) != true {
        blobs[digest, default: []].append(ParameterBlob(blob: blob))
      }
    }
  }

  /// Returns the blob with the given digest from a query parameter.
  func parameterBlob(digest: String) -> Blob? {
    for reference in parameterBlobs.withLock({ $0[digest] ?? [] }) {
      if let blob = reference.blob { return blob }
    }
    return nil
  }

  /// Throws if the writer thread is calling a model or a map function.
  ///
  /// A change that such a function makes would re-enter SQLite statements that are still running.
  ///
  /// - Parameter isWriting: whether the calling thread is the writer thread.
  func requireNoModel(isWriting: Bool) throws {
    guard isWriting, isCallingModel.load(ordering: .relaxed) else { return }
    throw CBLError(
      CBLError.transactionNotClosed,
      "a model or map function that is called in a write transaction must not change the database; change it later")
  }

  /// Calls a function that the application supplied, in the open transaction. If the function tries to change the
  /// database, that call throws.
  ///
  /// Must be called on the writer thread.
  func withoutChanges<T>(_ body: () throws -> T) rethrows -> T {
    let wasCallingModel = isCallingModel.exchange(true, ordering: .relaxed)
    defer { isCallingModel.store(wasCallingModel, ordering: .relaxed) }
    return try body()
  }

  /// Returns the output of a model as JSON text; nil if the model returns nil.
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
    let wasCallingModel = isWriting && isCallingModel.exchange(true, ordering: .relaxed)
    defer { if isWriting { isCallingModel.store(wasCallingModel, ordering: .relaxed) } }
    let state = ContainerState(JSONSourceText(input), isDictionary: true, isMutable: false, database: database)
    guard let output = model.predict(input: DictionaryObject(state)) else { return nil }
    if let fault = output.fault() {
      let location = fault.path.isEmpty ? "" : " (\(PropertyPath(fault.path)))"
      throw CBLError(CBLError.invalidQuery, "the output of the model \"\(name)\"\(location) \(fault.reason)")
    }
    return output.jsonBytes
  }
}
