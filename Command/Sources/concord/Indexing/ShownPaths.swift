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
  /// here. And it does where both have the same path as typed, in two folders, and are called after it: the last one that is indexed
  /// stays. The same record id in two files is an error wherever they are, and so is that of a document that is not of a file.
  func mayReplace(_ duplicate: ImportDuplicate) -> Bool {
    guard let path = duplicate.path, let storedPath = duplicate.storedPath else { return false }
    if !FilePath.exists(storedPath) { return true }
    guard let shown = paths.withLock({ $0[path] }) else { return false }
    return storedPath.hasSuffix("/" + shown) && ShownPaths.isID(duplicate.id, ofPath: shown)
  }

  /// Whether an id is a path or a location in it: `r.jsonl:12`, `box.mbox#3`.
  private static func isID(_ id: String, ofPath path: String) -> Bool {
    let head = DocumentIdentity.id(ofPath: DocumentFilter.path(of: id))
    let location = String(Substring(id.utf8.dropFirst(head.utf8.count)))
    return id == DocumentIdentity.id(path) || id == DocumentIdentity.id(path + location)
  }
}
