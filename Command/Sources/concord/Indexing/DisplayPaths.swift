import Concordance
import CorpusReader
import Synchronization

/// The paths of the files that a run reads, as the user typed them. The writer thread uses them.
final class DisplayPaths: Sendable {
  private let paths = Mutex<[String: String]>([:])

  func add(_ file: SourceFile) {
    // Two files in different folders never have the same absolute path.
    guard file.path != file.absolutePath else { return }
    paths.withLock { $0[file.absolutePath] = file.path }
  }

  /// Returns whether a document replaces a document of another file with the same id. It does if the other file no
  /// longer exists, for example because it was moved. It also does if both files have the same path as typed, in
  /// different folders, and their ids are derived from it: the last one indexed is kept. The same record id in two
  /// files is always an error, and so is the id of a document that was not read from a file.
  func mayReplace(_ duplicate: ImportDuplicate) -> Bool {
    guard let path = duplicate.path, let storedPath = duplicate.storedPath else { return false }
    if !FilePath.exists(storedPath) { return true }
    guard let shown = paths.withLock({ $0[path] }) else { return false }
    return storedPath.hasSuffix("/" + shown) && DisplayPaths.isID(duplicate.id, ofPath: shown)
  }

  /// Returns whether an id is a path or a location in it: `r.jsonl:12`, `box.mbox#3`.
  private static func isID(_ id: String, ofPath path: String) -> Bool {
    let head = DocumentIdentity.id(ofPath: DocumentFilter.path(of: id))
    let location = String(Substring(id.utf8.dropFirst(head.utf8.count)))
    return id == DocumentIdentity.id(path) || id == DocumentIdentity.id(path + location)
  }
}
