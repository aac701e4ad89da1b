import DocumentStore

extension Collection {
  /// The files that documents of this collection were read from and that were read to their end.
  public func importedSources() throws -> [ImportSource] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.all(in: record, db).filter(\.isComplete).map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }

  /// Whether documents were read from files.
  public var hasImportedSources: Bool {
    get throws { try withPublicErrors { try engine.store.read { try SourceCatalog.hasSources(in: record, $0) } } }
  }

  /// Whether documents were read from the file with this absolute path, or from files below the folder.
  public func hasImportedSources(below path: String) throws -> Bool {
    try withPublicErrors {
      try engine.store.read { try SourceCatalog.hasSources(below: SourcePath(path), in: record, $0) }
    }
  }

  /// The files that documents were read from, as they were then: one for each id, nil for a document that is not there or was
  /// not read from a file.
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

  /// The file with this path as it was when it was read last, or nil where no document was read from it.
  public func importedSource(ofPath path: String) throws -> ImportSource? {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.source(ofPath: path, in: record, db).map {
          ImportSource(path: $0.path, size: $0.size, modified: $0.modified, settings: $0.settings)
        }
      }
    }
  }

  /// The ids of the documents that were read from a file, in the order of the file.
  public func documentIDs(ofSource path: String) throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in
        try SourceCatalog.ids(ofPath: path, in: record, db).flatMap {
          try SourceCatalog.documentIDs(of: $0, in: record, db)
        }
      }
    }
  }

  /// The paths of the files whose reading was cut short: some of their documents may be here and others not, so they
  /// are to be read again, or removed when they are gone.
  public func interruptedSourcePaths() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in try SourceCatalog.all(in: record, db).filter { !$0.isComplete }.map(\.path) }
    }
  }
}
