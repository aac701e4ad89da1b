import Concordance

/// The documents that paths on the command line stand for.
///
/// Ids are paths as they were typed for `concord index`, so `docs` is looked for among the ids. An absolute path and `.` say where files
/// are, whatever was typed then, so they are compared with where the files were read from.
struct GrepPaths {
  /// Prefixes of ids.
  private(set) var idPrefixes: [String] = []
  /// Absolute paths of files and folders.
  private(set) var sourcePaths: [String] = []

  /// - Parameters:
  ///   - typed: the paths; none for all documents.
  ///   - collection: what is searched. If none of its documents was read from a file, ids are all that there is.
  init(_ typed: some Sequence<String>, in collection: Collection) throws {
    var isEverything = false
    for path in typed {
      let parts = path.split(separator: "/").filter { $0 != "." }
      if path.hasPrefix("/") || parts.isEmpty || parts.contains(".."), try collection.hasImportedSources {
        sourcePaths.append(FilePath.absolute(path))
      } else if parts.isEmpty {
        isEverything = true
      } else {
        let isFolder = path.hasSuffix("/")
        let stored = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/") + (isFolder ? "/" : "")
        idPrefixes.append(DocumentIdentity.id(ofPath: stored))
      }
    }
    if isEverything { (idPrefixes, sourcePaths) = ([], []) }
  }

  /// Whether they are one path, which is that of a single document: its id need not be printed with each line.
  func nameOneDocument(of collection: Collection) throws -> Bool {
    guard idPrefixes.count + sourcePaths.count == 1 else { return false }
    if let id = idPrefixes.first { return try collection.document(id: id) != nil }
    return try sourcePaths.first.map { try collection.documentIDs(ofSource: $0).count == 1 } ?? false
  }
}
