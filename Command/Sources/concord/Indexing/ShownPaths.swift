import Concordance
import CorpusReader
import Synchronization

/// The paths of the files that a run reads as the user typed them, for the writing thread.
final class ShownPaths: Sendable {
  private let paths = Mutex<[String: String]>([:])

  func add(_ file: SourceFile) {
    // Others have no path that a file in another folder could have as well.
    guard file.path != file.absolutePath else { return }
    paths.withLock { $0[file.absolutePath] = file.path }
  }

  /// Whether a document takes the place of one of another file. It does where that file is not there any more: it was moved to
  /// here. And it does where both have the same path as typed, in two folders: that of a document is its id, so the last one that is
  /// indexed stays.
  func mayReplace(_ duplicate: ImportDuplicate) -> Bool {
    if !FilePath.exists(duplicate.storedPath) { return true }
    guard let shown = paths.withLock({ $0[duplicate.path] }) else { return false }
    return duplicate.storedPath.hasSuffix("/" + shown)
  }
}
