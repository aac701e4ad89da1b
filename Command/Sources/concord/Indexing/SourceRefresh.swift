import Concordance
import CorpusReader

/// Reads the files that have changed since they were indexed, and removes the documents of deleted files. Only `concord
/// index` reads new files, because its arguments specify where to search for them.
struct SourceRefresh {
  private let collection: Collection
  private let messages: Messages

  private init(collection: Collection, _ messages: Messages) {
    self.collection = collection
    self.messages = messages
  }

  /// Reads changed files into the database that the options name.
  static func read(_ options: some DatabaseArguments, _ messages: Messages) throws {
    let database = try options.openForWriting()
    try SourceRefresh(collection: try options.collection(in: database), messages).read()
    try database.close()
  }

  private func read() throws {
    guard try collection.hasImportedSources else {
      return messages.warning(
        "--fresh has nothing to read: no document of \(collection.fullName) was read from a file")
    }
    var changed: [String: [SourceFile]] = [:]
    var deleted: [String] = []
    for source in try collection.importedSources() {
      switch SourceState(of: source) {
      case .unchanged: continue
      case .deleted: deleted.append(source.path)
      case .changed(let size, let modified):
        // Only `concord index --pre` reads preprocessed files.
        guard let settings = SourceSettings(source.settings), !settings.isPreprocessed else { continue }
        changed[source.settings, default: []].append(
          SourceFile(
            path: try displayPath(of: source), absolutePath: source.path, size: size, modified: modified,
            format: settings.format, language: settings.givenLanguage, isFormatCertain: settings.isOfRecords))
      }
    }
    guard !changed.isEmpty || !deleted.isEmpty else { return }
    let problems = ProblemLog(messages)
    let progress = IndexProgress(messages)
    var groups = changed.sorted { $0.key < $1.key }.map { (options(of: $0.key), $0.value) }
    if groups.isEmpty { groups.append((CorpusOptions(), [])) }
    for (options, files) in groups {
      let corpus = try CorpusImport(
        into: collection, options: options, problems: problems, progress: progress, messages: messages)
      for path in deleted { try corpus.remove(path) }
      deleted = []
      for file in files { try corpus.read(corpus.checkingFormat(of: file)) }
      try corpus.finish()
      try SearchIndex.add(languages: corpus.languages, in: collection)
      try RefusalReport(collection: collection, idField: options.idField, problems: problems, messages)
        .report(corpus.summary)
    }
    problems.reportCounts()
    Messages.clearStatus()
  }

  private func options(of settings: String) -> CorpusOptions {
    var options = CorpusOptions()
    let settings = SourceSettings(settings)
    options.idField = settings?.idField
    options.detectsLanguage = settings?.detectsLanguage == true
    return options
  }

  /// Returns the path that the ids of the file's documents are derived from.
  private func displayPath(of source: ImportSource) throws -> String {
    for id in try collection.documentIDs(ofSource: source.path).prefix(100) {
      let path = DocumentFilter.path(of: id)
      if source.path == path || source.path.hasSuffix("/" + path) { return path }
    }
    // The ids of records may not contain the path.
    return FilePath.relative(source.path)
  }
}
