import ArgumentParser
import Concordance
import CorpusReader
import Foundation

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import JSON Lines, or a Couchbase Lite database.",
    discussion: """
      Each line becomes a document. Its id is _id, or a new one; its collection is _collection, which is created if it \
      does not exist, or the default one. A file written by `concord export` restores the same database, including \
      blobs and indexes. For other files no index is created; use `concord index` for that.

        $ concord import backup.jsonl
        $ concord import -c shop.products --skip products.jsonl
        $ concord import backup.jsonl.gz
        $ curl -s https://example.org/products | concord import -
        $ concord import old.cblite2

      A Couchbase Lite 1.x to 4.x database with SQLite storage is imported with its collections, blobs, expirations, \
      value indexes and full-text indexes. It is never changed. Deleted documents are omitted and counted.

      A line that cannot be imported is reported with its number, and the others are imported. At most 100 errors are \
      listed without -v. Files with the extensions gz, xz, zst and bz2 are decompressed.

      Exit status: 0 done, 2 a line could not be imported or a file could not be read.
      """)

  @Argument(
    help: ArgumentHelp(
      "JSON Lines files, or Couchbase Lite databases; - is the standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag
  var existing = ExistingDocuments.replace

  @OptionGroup
  var memory: IndexMemoryOption

  @Flag(help: "Print a summary as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    // Checked before a new database is created.
    let missing = files.filter { $0 != FileLines.standardInput && !FilePath.exists($0) }
    if missing.count == files.count, !global.hasDatabase {
      for path in missing { messages.error("\(path): No such file or directory") }
      if json {
        let report = ImportReport(summary: TransferSummary(), errorCount: missing.count)
        StandardOutput(ignoresClosedPipe: true).writeJSON(report.json)
      }
      throw ExitCode(ExitStatus.error)
    }
    let sources = files.filter(CouchbaseLiteFiles.contains)
    let database = try global.openOrCreate(memory: memory)
    var errorCount = 0
    for source in sources {
      let result = try CouchbaseLiteFiles.load(
        source, into: database, collection: global.collection == nil ? nil : global.collectionOrNew(in: database),
        existing: existing.policy, messages)
      let report = CouchbaseLiteReport(summary: result.summary, seconds: result.seconds)
      messages.note(report.text)
      if json { StandardOutput(ignoresClosedPipe: true).writeJSON(report.json) }
      errorCount += report.errorCount
    }
    let files = files.filter { !sources.contains($0) }
    if files.isEmpty {
      try database.close()
      if errorCount > 0 { throw ExitCode(ExitStatus.error) }
      return
    }
    let run = try LineImport(
      into: database, collection: global.collection == nil ? nil : global.collectionOrNew(in: database),
      existing: existing.policy, messages)
    let report = try run.run(files)
    try database.close()
    messages.note(report.text)
    let summary = report.summary
    if report.malformedCount > 0,
      summary.documentCount + summary.unchangedCount + summary.skippedCount == 0
    {
      messages.note(
        "import reads JSON Lines; `concord index` also reads JSON arrays, CSV, Markdown, HTML, mail and text")
    }
    if json { StandardOutput(ignoresClosedPipe: true).writeJSON(report.json) }
    if report.errorCount + errorCount > 0 { throw ExitCode(ExitStatus.error) }
  }
}

/// What to do with documents that already exist, as flags.
enum ExistingDocuments: String, EnumerableFlag {
  case replace
  case skip
  case fail

  static func help(for value: ExistingDocuments) -> ArgumentHelp? {
    switch value {
    case .replace: "Replace a document that already exists, unless it is the same."
    case .skip: "Keep a document that already exists."
    case .fail: "Keep a document that already exists, and report its line as an error."
    }
  }

  var policy: DatabaseImport.ExistingDocuments {
    switch self {
    case .replace: .replace
    case .skip: .skip
    case .fail: .fail
    }
  }
}
