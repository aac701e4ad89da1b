import DocumentStore

extension Collection {
  /// Returns the files whose import into this collection is complete.
  ///
  /// ```swift
  /// let imported = Set(try pages.importedSources())
  /// let changed = files.filter { !imported.contains($0) }
  /// ```
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func importedSources() throws -> [ImportSource] { try importedSources(limit: .max) }

  /// Returns at most `limit` files whose import into this collection is complete, for the command. Not public API.
  @_spi(Command) public func importedSources(limit: Int) throws -> [ImportSource] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.all(in: record, limit: limit, db).filter(\.isComplete).map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }

  /// Whether any document of this collection was imported from a file.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public var hasImportedSources: Bool {
    get throws { try withPublicErrors { try engine.store.read { try SourceCatalog.hasSources(in: record, $0) } } }
  }

  /// Returns whether documents were imported from a file or from a folder and its subfolders.
  ///
  /// - Parameter path: the absolute path of the file or folder.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func hasImportedSources(below path: String) throws -> Bool {
    try withPublicErrors {
      try engine.store.read { try SourceCatalog.hasSources(below: SourcePath(path), in: record, $0) }
    }
  }

  /// Returns the files that documents were imported from, with the size and modification time that each file had when
  /// it was imported.
  ///
  /// - Parameter ids: the ids of the documents.
  /// - Returns: one element for each id; nil if the document does not exist or was not imported from a file.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func importedSources(ofDocuments ids: [String]) throws -> [ImportSource?] {
    try withPublicErrors {
      try engine.store.read { db in
        try ids.map { id in
          try SourceCatalog.source(ofDocument: id, in: record, db).map {
            ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
          }
        }
      }
    }
  }

  /// Returns the file with the given path, with its size and modification time at the last import.
  ///
  /// - Parameter path: the absolute path of the file.
  /// - Returns: the file, or nil if it was not imported.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func importedSource(ofPath path: String) throws -> ImportSource? {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.source(ofPath: path, in: record, db).map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }

  /// Returns the ids of the documents that were imported from a file, in the order of the file.
  ///
  /// - Parameter path: the absolute path of the file.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func documentIDs(ofSource path: String) throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.ids(ofPath: path, in: record, db).flatMap {
          try SourceCatalog.documentIDs(of: $0, in: record, db)
        }
      }
    }
  }

  /// Returns the paths of files whose import is incomplete, so that only some of their documents may be stored.
  ///
  /// Import these files again, or remove them with ``DocumentImporter/remove(sourcePath:)`` if they no longer exist.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func interruptedSourcePaths() throws -> [String] { try interruptedSources().map(\.path) }

  /// Returns the files whose import is incomplete; see ``interruptedSourcePaths()``.
  @_spi(Command) public func interruptedSources() throws -> [ImportSource] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.all(in: record, db).filter { !$0.isComplete }.map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }
}
