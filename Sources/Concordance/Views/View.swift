import DocumentStore
import GRDB
import JSONText
import MapReduce
import TextIndex

/// A persistent index of key/value pairs that a map function emits for the documents of a collection, in the order of
/// the keys.
///
/// ```swift
/// let byDate = tasks.view(named: "byDate")
/// try byDate.setMap(version: "1.0") { document, emit in
///   emit(document.string(forKey: "created_at"), document)
/// }
/// for row in try byDate.createQuery().run() { print(row.keyJSON, row.documentID ?? "") }
/// ```
///
/// The rows are stored in the file, but the function is not: a program sets it each time it opens the database, before
/// it uses the view. By default, a query first updates the view with the documents that have changed since the last
/// update. Rows are sorted by key in CouchDB's order: null, Booleans, numbers, strings by the Unicode root collation,
/// arrays, objects.
///
/// A view with a ``ViewConfiguration`` uses SQL++ expressions, which are stored in the file, instead of a function.
public final class View: Sendable {
  /// The name, unique among the indexes and views of the collection.
  public let name: String
  /// The collection of the documents.
  public let collection: Collection

  var engine: DatabaseEngine { collection.engine }

  init(_ name: String, of collection: Collection) {
    self.name = name
    self.collection = collection
  }

  /// Sets the map function and the reduce function, and creates the view if it does not exist.
  ///
  /// - Parameters:
  ///   - version: the version of the functions. If the version or the name of the reduce function differs from the
  ///     stored one, all rows are removed and the next update maps every document. Change the version whenever the
  ///     functions change.
  ///   - reduce: the reduce function; nil for none.
  ///   - map: the map function. It emits any number of rows for a document: a key and a value that can be stored in
  ///     documents. A row whose key is nil is omitted; `NSNull()` is the null key. If the value is the document itself,
  ///     only a reference is stored, and the document is read with the row. The function must depend only on the
  ///     document. It may run on any thread, and it must not change the database. If it throws an error, the document
  ///     has no rows; see ``mapErrors()``.
  /// - Returns: whether the view was created or its version changed.
  /// - Throws: ``CBLError/invalidParameter`` if an index has this name, or the view has SQL++ expressions;
  ///   ``CBLError/busy`` and ``CBLError/notWriteable`` as for ``Collection/save(document:)``.
  @discardableResult
  public func setMap(version: String, reduce: ViewReduce? = nil, _ map: @escaping ViewMap) throws -> Bool {
    try withPublicErrors {
      let configuration = ViewConfiguration(version: version, reduce: reduce?.name)
      let definition = try configuration.definition()
      let stored = try engine.store.read { try storedView($0) }
      if let stored, !stored.configuration.isFunction {
        throw CBLError(
          CBLError.invalidParameter,
          "the view \"\(name)\" has SQL++ expressions; delete it before you set a map function, or use another name")
      }
      let isChanged = stored?.configuration != configuration
      // Set first, so that queries of other threads find the functions of the version that they read in the file.
      let added = ViewFunctions(configuration: configuration, map: map, reduce: reduce)
      let replaced = engine.views.add(added, for: self)
      do {
        if isChanged { try collection.createIndex(name, definition) }
        try whenCommitted(added, replacing: replaced, isChanged: isChanged)
      } catch {
        engine.views.withdraw(added, restoring: replaced, for: self)
        throw error
      }
      return isChanged
    }
  }

  /// Releases the functions of earlier versions after the version of new functions is committed, and runs live queries
  /// again. If it is rolled back, releases the new ones.
  private func whenCommitted(_ added: ViewFunctions, replacing replaced: ViewFunctions?, isChanged: Bool) throws {
    let isInBatch: Void? = try engine.store.writeInsideOpenTransaction { transaction in
      // The new functions, then those that they replace.
      atEnd(of: transaction, holding: [added, replaced].compactMap { $0 }) { isCommitted, held in
        if isCommitted { return self.engine.views.didStore(held[0], for: self) }
        return isChanged ? self.engine.views.withdraw(held[0], restoring: held.dropFirst().first, for: self) : []
      }
      if isChanged { transaction.onCompletion { if $0 { self.runLiveQueriesAgain() } } }
    }
    guard isInBatch == nil else { return }
    engine.views.didStore(added, for: self, hasWrittenVersion: isChanged)
    if isChanged { runLiveQueriesAgain() }
  }

  /// Changes the functions of the view at the end of a transaction, before the next writer runs, which may set or
  /// delete them. Releases them on another thread, because a function may own objects whose deinitializers call this
  /// database.
  ///
  /// - Parameters:
  ///   - functions: the functions that `change` receives.
  ///   - change: a closure that returns the functions to release as well. It must not capture functions.
  private func atEnd(
    of transaction: WriteTransaction, holding functions: [ViewFunctions],
    _ change: @escaping @Sendable (_ isCommitted: Bool, _ held: [ViewFunctions]) -> [ViewFunctions]
  ) {
    let held = Locked<[ViewFunctions]?>(functions)
    transaction.onCompletion { isCommitted in
      held.withLock { functions in
        guard let kept = functions else { return }
        functions = kept + change(isCommitted, kept)
      }
      self.engine.releaseOnAnotherThread(held)
    }
  }

  private func runLiveQueriesAgain() { engine.liveQueries.runAgain(ExactString(name), of: collection.record) }

  /// Creates a query for the rows.
  public func createQuery() -> ViewQuery { ViewQuery(.view(self)) }

  /// Maps the documents that have changed since the last update.
  ///
  /// Queries do this by default; see ``ViewQuery/indexUpdateMode``.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist, ``CBLError/notFound`` if its map function is not
  ///   set, ``CBLError/conflict`` if another program has set a different version, and the errors of
  ///   ``Collection/save(document:)``.
  /// - Complexity: O(c log n) for c changes; O(n log n) for the first update.
  public func update() throws { try withPublicErrors { try updateIfNeeded() } }

  /// Returns the sequence number of the last change that the view contains; 0 before the first update.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist.
  public func lastSequenceIndexed() throws -> UInt64 {
    try read { stored, db in UInt64(clamping: try ViewState(stored.tables, db).lastSequence) }
  }

  /// Returns the number of rows after the last update.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist.
  /// - Complexity: O(1).
  public func rowCount() throws -> Int {
    try read { stored, db in Int(clamping: try ViewState(stored.tables, db).rowCount) }
  }

  /// Returns whether documents have changed since the last update.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist.
  public func isStale() throws -> Bool {
    try read { stored, db in
      try ViewUpdate.lastSequence(of: self.collection.record, db) != ViewState(stored.tables, db).lastSequence
    }
  }

  /// Returns the ids of the documents for which the map function threw an error, each with the error message. These
  /// documents have no rows.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist.
  public func mapErrors() throws -> [(documentID: String, message: String)] {
    let record = collection.record
    return try read { stored, db in
      try stored.tables.mapErrors(of: record, db).map { ($0.documentID, $0.message) }
    }
  }

  /// Removes all rows. The next update maps every document.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist.
  public func deleteIndex() throws { try collection.rebuildIndex(forName: name) }

  /// Deletes the view and its function. Does nothing if the view does not exist.
  ///
  /// Inside a batch, the function is released after the batch is committed. If the batch is rolled back, the view and
  /// its function remain.
  ///
  /// - Throws: the same errors as ``Collection/deleteIndex(forName:)``, in which case the view and its function remain.
  public func delete() throws {
    // Functions that are set during this call or later in the same batch remain.
    let functions = engine.views.allFunctions(of: self)
    try withPublicErrors {
      if try engine.store.read({ try storedView($0) }) != nil { try collection.deleteIndex(forName: name) }
      let isInBatch: Void? = try engine.store.writeInsideOpenTransaction { transaction in
        // The next writer may store a version whose functions it has already set.
        atEnd(of: transaction, holding: functions) { isCommitted, held in
          isCommitted ? self.engine.views.remove(held, for: self) : []
        }
      }
      if isInBatch == nil { engine.views.remove(functions, for: self) }
    }
  }

  private func read<T>(_ body: (StoredView, GRDB.Database) throws -> T) throws -> T {
    try withPublicErrors { try engine.store.read { try body(requireStored($0), $0) } }
  }
}

extension View {
  /// Returns the stored view; nil if it does not exist.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if an index of another kind has the name.
  func storedView(_ db: GRDB.Database) throws -> StoredView? {
    guard let index = try engine.indexes(of: collection.record, db)[name] else { return nil }
    guard let view = index as? StoredView else {
      throw CBLError(
        CBLError.invalidParameter,
        "\(collection.fullName) already has an index \"\(name)\"; use another name for the view")
    }
    return view
  }

  func requireStored(_ db: GRDB.Database) throws -> StoredView {
    if let view = try storedView(db) { return view }
    throw CBLError(
      CBLError.missingIndex, "\(collection.fullName) has no view \"\(name)\"; create it with setMap or createIndex")
  }
}

extension Collection {
  /// Returns the view with the given name. The view need not exist yet; ``View/setMap(version:reduce:_:)`` creates it.
  ///
  /// - Parameter name: the name of the view.
  public func view(named name: String) -> View { View(name, of: self) }

  /// Returns the view with the given name, or nil if it does not exist.
  ///
  /// - Parameter name: the name of the view.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func existingView(named name: String) throws -> View? {
    try views().first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Returns the views of the collection, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func views() throws -> [View] {
    try withPublicErrors {
      try engine.store.read { db in
        try engine.storedViews(of: record, db).map { View($0.name, of: self) }
      }
    }
  }
}

extension Database {
  /// Returns the default collection's view with the given name. See ``Collection/view(named:)``.
  ///
  /// - Parameter name: the name of the view.
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func view(named name: String) throws -> View { try defaultCollection().view(named: name) }
}
