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

  /// The paths of the files whose reading was cut short: some of their documents may be here and others not, so they
  /// are to be read again, or removed when they are gone.
  public func interruptedSourcePaths() throws -> [String] {
    try withPublicErrors {
      try engine.store.read { db in try SourceCatalog.all(in: record, db).filter { !$0.isComplete }.map(\.path) }
    }
  }
}
