import DocumentStore
import GRDB
import JSONText
import MapReduce

extension View {
  /// Updates the view if documents have changed.
  ///
  /// - Parameter onlyFirst: whether to update the view only if it has never been updated.
  func updateIfNeeded(onlyFirst: Bool = false) throws {
    let isCurrent = try engine.store.read { db in
      try self.isCurrent(requireStored(db), db, orFilled: onlyFirst)
    }
    guard !isCurrent else { return }
    let (liveQueries, record, run) = (engine.liveQueries, collection.record, Interruption.current)
    let view = ExactString(name)
    try engine.write { transaction in
      let db = transaction.db
      let stored = try requireStored(db)
      let functions = try functions(of: stored)
      let map =
        try functions?.makeMap(of: collection)
        ?? stored.configuration.definition().makeMap(of: collection.record, db)
      let before = try ViewState(stored.tables, db).lastSequence
      let after = try ViewUpdate(
        stored.tables, of: collection.record, reducer: stored.configuration.builtInReduce?.reducer, db, map: map
      ).run().lastSequence
      guard after != before else { return }
      // Live queries of the view that do not update it themselves.
      transaction.onCompletion { if $0 { liveQueries.runAgain(view, of: record, except: run) } }
    }
  }

  /// Returns whether the view contains all changes.
  ///
  /// - Parameter orFilled: whether to regard any view that has ever been updated as current.
  /// - Throws: ``CBLError/corruptData`` if the sort keys in the file have a different version and cannot be compared
  ///   with new ones; the errors of ``functions(of:)``.
  func isCurrent(_ stored: StoredView, _ db: GRDB.Database, orFilled: Bool = false) throws -> Bool {
    guard !stored.isOutdated else {
      throw CBLError(
        CBLError.corruptData,
        "the view \"\(name)\" was built with another version of ICU or of this library; call deleteIndex to rebuild it")
    }
    _ = try functions(of: stored)
    let state = try ViewState(stored.tables, db)
    if orFilled, state.lastSequence != 0 { return true }
    return try ViewUpdate.lastSequence(of: collection.record, db) == state.lastSequence
  }

  /// Returns the functions of a view; nil if it has SQL++ expressions.
  ///
  /// - Throws: ``CBLError/notFound`` if the program has not set them; ``CBLError/conflict`` if it has set them for
  ///   another version.
  func functions(of stored: StoredView) throws -> ViewFunctions? {
    guard stored.configuration.isFunction else { return nil }
    if let functions = engine.views.functions(of: self, stored.configuration) { return functions }
    guard let latest = engine.views.latestFunctions(of: self) else {
      throw CBLError(
        CBLError.notFound,
        "the map function of the view \"\(name)\" is not in the file; set it with setMap after the database is opened")
    }
    throw CBLError(
      CBLError.conflict,
      "the view \"\(name)\" has version \"\(stored.configuration.version ?? "")\" in the file, not "
        + "\"\(latest.configuration.version ?? "")\": another program has changed it; set the map function again")
  }

  /// Returns the reduce function of a view; nil if it has none.
  func reducer(of stored: StoredView) throws -> (any ViewReducer)? {
    try stored.configuration.builtInReduce?.reducer ?? functions(of: stored)?.reduce?.reducer
  }
}
