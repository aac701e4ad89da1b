import Concordance
import CorpusReader

/// A run of `concord index`: compares, prepares the index, reads, removes.
struct IndexRun {
  let files: [String]
  let readsStandardInput: Bool
  let options: CorpusOptions
  /// Whether documents of files and others with the same ids take each other's place.
  let replacesStored: Bool
  let index: SearchIndex
  let patterns: GrepIndex
  let collection: Collection
  /// The path of the database.
  let database: String
  let messages: Messages

  func run() throws -> IndexReport {
    let report = try pass(isFirst: true)
    // A file that is gone may have hidden a document with an id that another file holds as well.
    guard report.summary.reopenedSourceCount > 0 else { return report }
    return report.followed(by: try pass(isFirst: false))
  }

  private func pass(isFirst: Bool) throws -> IndexReport {
    let start = ContinuousClock.now
    let problems = ProblemLog(messages, namedFiles: Set(files.map(FilePath.absolute)))
    let progress = IndexProgress(messages)
    let scan = try CorpusScan(
      paths: files, options: options, database: database, in: collection, problems)
    if !files.isEmpty, scan.isEmpty, problems.errorCount == 0 {
      messages.warning("there is no file to read; hidden and ignored ones take --hidden and --no-ignore")
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
    // Documents that did not come from files have no title and text that are known of.
    let isNew = try !collection.indexDescriptions().contains { $0.name == SearchIndex.name }
    let kinds = files.isEmpty && !readsStandardInput && isNew ? CorpusKinds.records : found
    if !isPrepared { try prepare(for: kinds, progress) }
    for path in scan.gone { try corpus.remove(path) }
    for file in changed { try corpus.read(file) }
    try corpus.finish()
    messages.clearStatus()
    // They are found again by the second pass, since the files that they are in are read again.
    if !isFirst || corpus.summary.reopenedSourceCount == 0 {
      try RefusalReport(collection: collection, problems: problems, messages).tell(corpus.summary)
    }
    problems.tellCounts()
    tellReplacements(corpus.summary)
    return IndexReport(
      summary: corpus.summary, documentCount: Int(collection.count), readFileCount: corpus.readFileCount,
      unchangedFileCount: scan.unchangedCount, goneFileCount: scan.gone.count, skipCount: problems.skipCount,
      errorCount: problems.errorCount, byteCount: corpus.byteCount,
      seconds: start.duration(to: .now) / .seconds(1))
  }

  private func prepare(for kinds: CorpusKinds, _ progress: IndexProgress) throws {
    try index.prepare(for: kinds, in: collection, progress: progress, messages)
    try patterns.prepare(for: kinds, in: collection, progress: progress)
  }

  /// Of two files with the same path as typed, in two folders, the last one stays; the user should know that the other is not there.
  private func tellReplacements(_ summary: ImportSummary) {
    guard summary.replacedCount > 0 else { return }
    let ids = summary.replacedIDs.prefix(3).joined(separator: ", ")
    let more = summary.replacedCount > 3 ? ", …" : ""
    messages.warning(
      "\(Quantity.count(summary.replacedCount, "document")) took the place of another with the same id: \(ids)\(more)"
    )
  }
}
