public import Foundation

extension Database {
  /// Imports a Couchbase Lite database.
  ///
  /// ```swift
  /// let summary = try database.importCouchbaseLite(at: "travel.cblite2")
  /// for problem in summary.problems { print(problem) }
  /// print("\(summary.documentCount) documents, \(summary.deletedCount) deleted")
  /// ```
  ///
  /// It reads databases that Couchbase Lite 1.0 to 4.x stored in SQLite: collections, the current revisions of
  /// documents, their blobs and expiration times, and the definitions of value indexes and full-text indexes. The
  /// attachments of version 1 become blobs, which stay in `_attachments` under their names.
  ///
  /// Tombstones, conflicting revisions, revision ids, local documents, views, replication checkpoints, and indexes of
  /// other kinds are not imported. ``CouchbaseLiteImportSummary`` counts deleted documents and documents with
  /// conflicts; its notes list the skipped indexes and, for version 1, the numbers of local documents and views. JSON
  /// has no binary data, so binary data in a document becomes a Base64 string.
  ///
  /// The imported database is not changed, and no file is created next to it, even if a write-ahead log has to be
  /// applied: in this case, a temporary copy is made in the folder of this database. Close the imported database in
  /// other programs before the import.
  ///
  /// Documents are saved in batches of about 32 MiB of text, see ``DatabaseConfiguration/indexMemory``, each in its own
  /// transaction, so if an import fails, the batches before the error remain saved. An import can be repeated.
  ///
  /// - Parameters:
  ///   - path: the path of the folder `NAME.cblite2`, of the file `db.sqlite3` in it, or of a file `NAME.cblite` of
  ///     version 1.0 or 1.1.
  ///   - collection: the collection for the documents and indexes of all collections; nil for the collections of the
  ///     imported database, which are created if they do not exist. If indexes of several collections have the same
  ///     name, the names of the later ones begin with the collection, such as `airlines.byName`.
  ///   - existing: how documents and indexes that already exist are treated.
  ///   - progress: a closure that is called after each batch with the number of processed rows and the total number of
  ///     rows.
  /// - Returns: a summary of what was imported and what was not.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if there is nothing at the path.
  ///   - ``CBLError/unreadableDatabase`` if it is not a Couchbase Lite database, or if it is encrypted.
  ///   - ``CBLError/unsupported`` if its storage is ForestDB, or if its schema is not that of a released version.
  ///   - ``CBLError/databaseTooNew`` if it was written by a newer version of Couchbase Lite.
  ///   - ``CBLError/corruptData`` if it is damaged.
  ///   - ``CBLError/busy`` if another program changes it during the import.
  ///   - ``CBLError/notWriteable`` and ``CBLError/ioError`` if the documents cannot be saved.
  /// - Complexity: O(n) in the size of the imported database. Memory use is bounded by the size of a batch.
  @discardableResult
  public func importCouchbaseLite(
    at path: String, into collection: Collection? = nil, existing: DatabaseImport.ExistingDocuments = .replace,
    progress: ((Int, Int) -> Void)? = nil
  ) throws -> CouchbaseLiteImportSummary {
    let run = CouchbaseLiteImport(database: self, target: collection, existing: existing, progress: progress)
    return try withPublicErrors { try run.run(path) }
  }

  /// Imports a Couchbase Lite database. See ``importCouchbaseLite(at:into:existing:progress:)-(URL,_,_,_)``.
  ///
  /// - Parameters:
  ///   - url: the URL of the folder or file.
  ///   - collection: the collection for all documents and indexes; nil for the collections of the imported database.
  ///   - existing: how documents and indexes that already exist are treated.
  ///   - progress: a closure that is called after each batch with the number of processed rows and the total number of
  ///     rows.
  /// - Returns: a summary of what was imported and what was not.
  /// - Throws: the same errors as the method with a path.
  @discardableResult
  public func importCouchbaseLite(
    at url: URL, into collection: Collection? = nil, existing: DatabaseImport.ExistingDocuments = .replace,
    progress: ((Int, Int) -> Void)? = nil
  ) throws -> CouchbaseLiteImportSummary {
    try importCouchbaseLite(at: url.path, into: collection, existing: existing, progress: progress)
  }
}
