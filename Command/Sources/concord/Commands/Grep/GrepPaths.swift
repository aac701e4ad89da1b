import Concordance

/// The documents that paths on the command line select.
///
/// A path selects the file or folder that it names in the working directory if files were indexed from there,
/// regardless of how their paths were typed for `concord index`. Otherwise a relative path is compared with ids, which
/// are paths as typed for `concord index`: `docs` selects `docs/a.md` in any working directory.
struct GrepPaths {
  /// Prefixes of ids.
  private(set) var idPrefixes: [String] = []
  /// Absolute paths of files and folders.
  private(set) var sourcePaths: [String] = []

  /// - Parameters:
  ///   - typed: the paths; empty for all documents.
  ///   - collection: the collection to search. If none of its documents was read from a file, paths select only ids.
  init(_ typed: some Sequence<String>, in collection: Collection) throws {
    var isEverything = false
    for path in typed {
      let parts = path.split(separator: "/").filter { $0 != "." }
      if let source = try GrepPaths.source(path, parts, in: collection) {
        sourcePaths.append(source)
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

  /// Returns the absolute path of a typed path; nil if the path must be compared with ids.
  private static func source(_ path: String, _ parts: [Substring], in collection: Collection) throws -> String? {
    guard try collection.hasImportedSources else { return nil }
    // Such a path names a file, never an id.
    if path.hasPrefix("/") || parts.isEmpty || parts.contains("..") { return FilePath.absolute(path) }
    let absolute = FilePath.absolute(path)
    return try collection.hasImportedSources(below: absolute) ? absolute : nil
  }

  /// Returns whether there is only one path and it selects a single document, whose id need not be printed with each
  /// line.
  func nameOneDocument(of collection: Collection) throws -> Bool {
    guard idPrefixes.count + sourcePaths.count == 1 else { return false }
    if let id = idPrefixes.first { return try collection.document(id: id) != nil }
    return try sourcePaths.first.map { try collection.documentIDs(ofSource: $0).count == 1 } ?? false
  }
}
