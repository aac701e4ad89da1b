import Concordance
import CorpusReader
import Foundation

/// Notices that files have changed since the database read them.
///
/// Looked at are the files of documents with a match, the first thousand: a look costs some microseconds, and a search may
/// take no longer than a few milliseconds. What is new on the disk, and what has a match only since it was changed, is not
/// noticed; `concord index` finds it.
struct StaleSources {
  private static let maximumCount = 1000

  private var documents: [String] = []

  /// Notes that a document has a match.
  mutating func add(_ id: String) {
    if documents.count < StaleSources.maximumCount { documents.append(id) }
  }

  /// Looks at the files of the documents.
  ///
  /// - Returns: what to tell the user.
  func notices(in collection: Collection) throws -> [String] {
    var visited: Set<String> = []
    var (changed, gone): ([String], [String]) = ([], [])
    for (id, source) in zip(documents, try collection.importedSources(ofDocuments: documents)) {
      guard let source, visited.insert(source.path).inserted else { continue }
      switch SourceState(of: source) {
      case .unchanged: continue
      case .changed: changed.append(id)
      case .gone: gone.append(id)
      }
    }
    var notices: [String] = []
    if let first = changed.first {
      notices.append(
        "\(Quantity.count(changed.count, "file")) on disk \(changed.count == 1 ? "is" : "are") newer than the index, for "
          + "instance that of \(first); --fresh reads what has changed first, `concord index` what is new as well")
    }
    if let first = gone.first {
      notices.append(
        "\(Quantity.count(gone.count, "file")) \(gone.count == 1 ? "is" : "are") gone from the disk, for instance that of "
          + "\(first); --fresh removes what is gone first")
    }
    return notices
  }
}

/// A file compared with what the database knows of it.
enum SourceState {
  case unchanged
  case changed(size: Int64, modified: Int64)
  case gone

  /// By size and time, as `concord index` tells. A file that cannot be looked at counts as unchanged.
  init(of source: ImportSource) {
    var status = stat()
    guard stat(source.path, &status) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .gone : .unchanged
      return
    }
    let modified = status.modified
    let size = Int64(status.st_size)
    self = size == source.size && modified == source.modified ? .unchanged : .changed(size: size, modified: modified)
  }
}

extension SourceState: Equatable {}
