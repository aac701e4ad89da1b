import Concordance
import CorpusReader

/// A run of `concord index`: compares the files with the database, prepares the index, removes the documents of deleted
/// files, and reads changed files.
struct IndexRun {
  let files: [String]
  let readsStandardInput: Bool
  var options: CorpusOptions
  /// Whether documents from files and documents from other sources with the same ids replace each other.
  let replacesStored: Bool
  let index: SearchIndex
  let patterns: GrepIndex
  let collection: Collection
  /// The path of the database.
  let database: String
  let messages: Messages
  /// Called with the absolute path of each folder before it is read.
  var folder: ((String) -> Void)?

  func run() throws -> IndexReport {
    let report = try pass(isFirst: true)
    // A deleted file may have hidden a document with the same id in another file.
    guard report.summary.reopenedSourceCount > 0 else { return report }
    return report.followed(by: try pass(isFirst: false))
  }

  private func pass(isFirst: Bool) throws -> IndexReport {
    let start = ContinuousClock.now
    let problems = ProblemLog(
      messages, namedFiles: Set(files.map(FilePath.absolute)), requiresRecords: options.idField != nil)
    let progress = IndexProgress(messages)
    let scan = try CorpusScan(
      paths: files, options: options, database: database, in: collection, folder: folder, problems)
    for (path, count) in scan.removedRoots {
      messages.warning(
        "\(path) no longer exists; the documents of \(Quantity.count(count, "file")) are removed")
    }
    if !files.isEmpty, options.scope == nil, scan.isEmpty, scan.removedRoots.isEmpty, problems.errorCount == 0 {
      messages.warning("there are no files to read; --hidden and --no-ignore include hidden and ignored files")
    }
    progress.totalBytes = scan.byteCount
    let corpus = try CorpusImport(
      into: collection, options: options, replacesStored: replacesStored, problems: problems, progress: progress,
      messages: messages)

    let changed = scan.changed.map { corpus.checkingFormat(of: $0) }
    let found = changed.reduce(into: scan.unchangedKinds) { $0.formUnion(CorpusKinds($1.format)) }
    var isPrepared = false
    if readsStandardInput, isFirst {
      try corpus.readStandardInput { kinds in
        try prepare(for: found.union(kinds), progress)
        isPrepared = true
      }
    }
    // Documents that were not read from files may have properties other than title and text.
    let isNew = try !collection.indexDescriptions().contains { $0.name == SearchIndex.name }
    let kinds = files.isEmpty && !readsStandardInput && isNew ? CorpusKinds.records : found
    if !isPrepared { try prepare(for: kinds, progress) }
    for path in scan.deleted { try corpus.remove(path) }
    corpus.prepare(changed)
    for file in changed { try corpus.read(file) }
    try corpus.finish()
    try SearchIndex.add(languages: corpus.languages, in: collection)
    Messages.clearStatus()
    // If a second pass follows, it reports the rejected documents, because it reads their files again.
    if !isFirst || corpus.summary.reopenedSourceCount == 0 {
      try RefusalReport(collection: collection, idField: options.idField, problems: problems, messages)
        .report(corpus.summary)
    }
    problems.reportCounts()
    reportReplacements(corpus.summary)
    return IndexReport(
      summary: corpus.summary, documentCount: Int(collection.count), readFileCount: corpus.readFileCount,
      unchangedFileCount: scan.unchangedCount, deletedFileCount: scan.deleted.count, skipCount: problems.skipCount,
      errorCount: problems.errorCount, byteCount: corpus.byteCount,
      seconds: start.duration(to: .now) / .seconds(1))
  }

  private func prepare(for kinds: CorpusKinds, _ progress: IndexProgress) throws {
    try index.prepare(for: kinds, in: collection, progress: progress, messages)
    try patterns.prepare(for: kinds, in: collection, progress: progress)
  }

  /// Warns of replaced documents. If two files in different folders have the same path as typed, the last one is kept.
  private func reportReplacements(_ summary: ImportSummary) {
    guard summary.replacedCount > 0 else { return }
    let ids = summary.replacedIDs.prefix(3).joined(separator: ", ")
    let more = summary.replacedCount > 3 ? ", …" : ""
    messages.warning(
      "\(Quantity.count(summary.replacedCount, "document")) replaced another with the same id: \(ids)\(more)"
    )
  }
}
