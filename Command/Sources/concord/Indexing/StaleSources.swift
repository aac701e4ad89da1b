@_spi(Command) import Concordance

/// Detects files that have changed since they were indexed.
///
/// Checks the files of the first thousand documents with a match: a check takes a few microseconds, and a search must
/// take no more than a few milliseconds. If nothing was found, it checks the first ten thousand files of the
/// collection, because one of them may have changed and now match. New files are not detected; `concord index` finds
/// them.
struct StaleSources {
  private static let maximumCount = 1000
  private static let maximumFileCount = 10_000

  private var documents: [String] = []

  /// Records that a document has a match.
  mutating func add(_ id: String) {
    if documents.count < StaleSources.maximumCount { documents.append(id) }
  }

  /// Checks the files of the documents.
  ///
  /// - Parameter foundNothing: whether nothing was found, so that the files of the collection are checked.
  /// - Returns: the messages for the user.
  func notices(in collection: Collection, foundNothing: Bool) throws -> [String] {
    var visited: Set<String> = []
    var (changed, deleted): ([String], [String]) = ([], [])
    for source in try sources(in: collection, foundNothing: foundNothing) where visited.insert(source.path).inserted {
      switch SourceState(of: source) {
      case .unchanged: continue
      case .changed: changed.append(FilePath.relative(source.path))
      case .deleted: deleted.append(FilePath.relative(source.path))
      }
    }
    var notices: [String] = []
    if let first = changed.first {
      notices.append(
        "\(Quantity.count(changed.count, "file")) on disk \(changed.count == 1 ? "is" : "are") newer than the index, for "
          + "example \(first); --fresh reads changed files first, `concord index` also reads new files")
    }
    if let first = deleted.first {
      notices.append(
        "\(Quantity.count(deleted.count, "file")) \(deleted.count == 1 ? "was" : "were") deleted from disk, for example "
          + "\(first); --fresh removes deleted files first")
    }
    return notices
  }

  /// Returns the files to check.
  private func sources(in collection: Collection, foundNothing: Bool) throws -> [ImportSource] {
    if foundNothing { return try collection.importedSources(limit: StaleSources.maximumFileCount) }
    return try collection.importedSources(ofDocuments: documents).compactMap { $0 }
  }
}
