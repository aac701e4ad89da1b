import DocumentStore

extension Collection {
  /// Returns the files from which documents of this collection were read completely.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func importedSources() throws -> [ImportSource] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.all(in: record, db).filter(\.isComplete).map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }

  /// Whether any document was read from a file.
  public var hasImportedSources: Bool {
    get throws { try withPublicErrors { try engine.store.read { try SourceCatalog.hasSources(in: record, $0) } } }
  }

  /// Returns whether documents were read from a file, or from files in a folder.
  ///
  /// - Parameter path: the absolute path of the file or folder.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func hasImportedSources(below path: String) throws -> Bool {
    try withPublicErrors {
      try engine.store.read { try SourceCatalog.hasSources(below: SourcePath(path), in: record, $0) }
    }
  }

  /// Returns the files that documents were read from, in the state in which they were read.
  ///
  /// - Parameter ids: the ids of the documents.
  /// - Returns: one element for each id; nil for a document that does not exist or was not read from a file.
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

  /// Returns the file with a path, in the state in which it was read last; nil if no document was read from it.
  ///
  /// - Parameter path: the absolute path of the file.
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

  /// Returns the ids of the documents that were read from a file, in the order of the file.
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

  /// Returns the paths of files whose reading was interrupted, so that only a part of their documents may be stored.
  /// Read them again, or remove them if they do not exist any more.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func interruptedSourcePaths() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in try SourceCatalog.all(in: record, db).filter { !$0.isComplete }.map(\.path) }
    }
  }
}
