@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// Walks a corpus and compares it with the database. Files are not opened.
struct CorpusScan {
  /// New and changed files.
  private(set) var changed: [SourceFile] = []
  /// The number of unchanged files.
  private(set) var unchangedCount = 0
  /// The given paths that no longer exist, with the number of files that were read from each.
  private(set) var removedRoots: [(path: String, fileCount: Int)] = []
  /// The absolute paths of deleted files.
  private(set) var deleted: [String] = []
  /// The kinds of the unchanged files.
  private(set) var unchangedKinds: CorpusKinds = []
  /// The total size of ``changed`` in bytes.
  private(set) var byteCount: Int64 = 0

  /// Whether the walk found no files.
  var isEmpty: Bool { changed.isEmpty && unchangedCount == 0 }

  private let options: CorpusOptions
  private var unreadable: [String] = []

  /// Walks the paths and compares the files with the collection.
  ///
  /// - Parameters:
  ///   - paths: the roots of the walk.
  ///   - options: the options of the walk.
  ///   - database: the path of the database, which is excluded from the walk.
  ///   - collection: the collection to compare with.
  ///   - folder: called with each folder before it is read.
  ///   - problems: receives the files that cannot be read.
  /// - Throws: errors reading the database.
  init(
    paths: [String], options: CorpusOptions, database: String, in collection: Collection,
    folder: ((String) -> Void)? = nil, _ problems: ProblemLog
  ) throws {
    self.options = options
    var known = try IndexedSources(of: collection)
    let ownFiles = FilePath.databaseFiles(database)
    var unreadable: [String] = []
    var missing: [CorpusProblem] = []
    try CorpusWalker(paths: paths, options: options).walk { file in
      if ownFiles.contains(file.absolutePath) { return }
      let file = options.format != nil ? file : known.keepingFormat(of: file)
      if let settings = known.visit(file, options) {
        unchangedCount += 1
        unchangedKinds.formUnion(settings.kinds)
        if let outcome = settings.outcome { problems.addUnchanged(file.path, outcome, expected: settings.format) }
      } else {
        changed.append(file)
        byteCount = .saturatingSum(byteCount, file.size)
      }
    } folder: {
      folder?($0)
    } problem: { problem in
      guard problem.kind != .missing else { return missing.append(problem) }
      if problem.kind == .tooLarge, ownFiles.contains(FilePath.absolute(problem.path)) { return }
      if problem.kind == .unreadable { unreadable.append(FilePath.absolute(problem.path)) }
      problems.add(problem)
    }
    self.unreadable = unreadable
    let roots = paths.compactMap { FilePath.resolved($0) }
    deleted = known.unvisited.filter { path in
      options.scope?.contains(file: path) != false && roots.contains { FilePath.is(path, in: $0) } && isDeleted(path)
    }
    for problem in missing {
      let removed = removedFiles(of: problem.path, among: known.unvisited)
      if removed.isEmpty { problems.add(problem) } else { removedRoots.append((problem.path, removed.count)) }
      deleted += removed
    }
    deleted.sort()
  }

  /// Returns the known files of a path that no longer exists. Returns an empty array if the parent folder is also
  /// missing, because its disk may not be mounted.
  private func removedFiles(of path: String, among unvisited: [String]) -> [String] {
    let absolute = FilePath.absolute(path)
    guard FilePath.exists(FilePathComponents(absolute).folder) else { return [] }
    return unvisited.filter { FilePath.is($0, in: absolute) }
  }

  /// Returns whether a known file that the walk did not find was deleted. Returns false for a file that the walk could
  /// not access and, if the options limit the walk to some files, for a file that still exists.
  private func isDeleted(_ path: String) -> Bool {
    if unreadable.contains(where: { FilePath.is(path, in: $0) }) { return false }
    let isNarrowed = !options.include.isEmpty || !options.exclude.isEmpty || options.maximumFileSize != nil
    return !isNarrowed || !FilePath.exists(path)
  }
}

extension ImportSource {
  /// Creates the stored state of a file: its path, size, modification time and the settings for reading it.
  init(_ file: SourceFile, _ options: CorpusOptions, outcome: SourceSettings.Outcome? = nil) {
    let settings = SourceSettings(file, options, outcome: outcome)
    self.init(path: file.absolutePath, size: file.size, modified: file.modified, settings: settings.text)
  }
}
