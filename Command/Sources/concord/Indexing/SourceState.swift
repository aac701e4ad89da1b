@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// The state of a file compared with the database.
enum SourceState {
  case unchanged
  case changed(size: Int64, modified: Int64)
  case deleted

  /// Compares size and modification time, as `concord index` does. A file that cannot be accessed counts as unchanged.
  init(of source: ImportSource) {
    var status = stat()
    guard stat(source.path, &status) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .deleted : .unchanged
      return
    }
    let modified = status.modified
    let size = Int64(status.st_size)
    self = size == source.size && modified == source.modified ? .unchanged : .changed(size: size, modified: modified)
  }
}

extension SourceState: Equatable {}
