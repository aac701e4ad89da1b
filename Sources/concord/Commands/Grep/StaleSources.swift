import Concordance
import Foundation

/// Notices that files have changed since the database read them.
///
/// Looked at are the files of documents with a match, the first thousand: a look costs some microseconds, and a search may
/// take no longer than a few milliseconds. What is new on the disk, and what has a match only since it was changed, is not
/// noticed; `concord index` finds it.
struct StaleSources {
  private static let maximumCount = 1000

  private let collection: Collection
  private var visited: Set<String> = []
  private var checkCount = 0
  private var changed: [String] = []

  init(of collection: Collection) { self.collection = collection }

  /// Looks at the file of a document.
  mutating func check(_ id: String) throws {
    guard checkCount < StaleSources.maximumCount else { return }
    checkCount += 1
    guard let source = try collection.importedSource(ofDocument: id), visited.insert(source.path).inserted else {
      return
    }
    if SourceState(of: source) != .unchanged { changed.append(id) }
  }

  /// What to tell the user, or nil.
  var notice: String? {
    guard let first = changed.first else { return nil }
    let files = Quantity.count(changed.count, "file")
    return "\(files) on disk \(changed.count == 1 ? "is" : "are") newer than the index, for instance that of \(first); "
      + "--fresh reads what has changed first, `concord index` what is new as well"
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
    let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    let size = Int64(status.st_size)
    self = size == source.size && modified == source.modified ? .unchanged : .changed(size: size, modified: modified)
  }
}

extension SourceState: Equatable {}
