import ArgumentParser
import Concordance
import CorpusReader
import Foundation

struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Put files and folders into the database, or bring it up to date.",
    discussion: """
      Text, source code, Markdown and HTML files become a document each; so does each record of JSONL and mbox files, and \
      of the JSON, CSV and TSV files that are named as a path or by --records. Others of these are text. Files that are \
      compressed (.gz, .xz, .zst, .bz2) are read as what is in them. Files that have not changed since the last run are skipped, and documents of files that are gone \
      are removed. Without a path, an index is made over the documents that are there. What .gitignore and .ignore files name is left out, and so are hidden and binary files.

      Without --fields, files are searched in title, name, path and text, records in every string. Options of the index that \
      are not given stay as the index has them; others make it anew from the documents.

        $ concord index docs/ README.md
        $ concord index --language en --exclude 'vendor/**' .
        $ concord index --language en --field-language beschreibung=de --fields title,beschreibung items.jsonl
        $ concord index -c shop.products --id-field sku products.jsonl
        $ concord index --records 'data/*.csv' .
        $ curl -s https://example.org/feed.jsonl | concord index --format jsonl -

      Exit status: 0 done, 2 when something could not be read or the database not be written.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files and folders; - is the standard input. Without any, what is in the database.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @OptionGroup(title: "What is read")
  var reading: ReadingOptions

  @Flag(
    help: ArgumentHelp(
      "Let documents of files take the place of different ones with the same ids that were saved otherwise.",
      discussion: "And records of the standard input that of documents of files. Without it, these are errors."))
  var replace = false

  @Option(
    help: ArgumentHelp(
      "The properties to search in, separated by commas; * is every other string.", valueName: "a,b"))
  var fields: FieldList?

  @OptionGroup(title: "How text is analysed")
  var analysis: AnalysisOptions

  @OptionGroup(title: "How text is analysed")
  var fieldAnalysis: FieldAnalysisOptions

  @Option(
    help: ArgumentHelp(
      "Words that a search takes for each other, a rule a line.",
      discussion: "`tv, television` works both ways, `laptop => notebook` one way; # begins a comment.",
      valueName: "file"),
    completion: .file())
  var synonyms: String?

  @Flag(
    name: .customLong("no-patterns"),
    help:
      "Make no index for `concord grep` and regular expressions, a tenth of the text in size; drop one that is there.")
  var noPatterns = false

  @Flag(help: "Print what was done as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if let other = fields?.names.first(where: { !PropertyArgument.isProperty($0) }) {
      throw ValidationError("--fields takes properties: \(PropertyArgument.advice(about: other)).")
    }
  }

  func run() throws {
    let messages = global.makeMessages()
    let index = SearchIndex(
      fields: fields?.names, analysis: analysis, fieldAnalysis: fieldAnalysis,
      synonyms: try synonyms.map { try SynonymFile.read($0) })
    try checkAnalysis()
    let files = paths.filter { $0 != "-" }
    // Before a database is made that nobody asked for.
    if !FilePath.exists(global.databasePath), files.count == paths.count, !files.isEmpty,
      !files.contains(where: FilePath.exists)
    {
      for path in files { messages.error("\(path): No such file or directory") }
      throw ExitCode(ExitStatus.error)
    }
    let database = try paths.isEmpty ? global.openForWriting() : global.openOrCreate()
    messages.detail("database \(global.databasePath)")
    let run = IndexRun(
      files: files, readsStandardInput: files.count < paths.count, options: try reading.corpusOptions,
      replacesStored: replace, index: index, patterns: GrepIndex(isWanted: !noPatterns),
      collection: try global.collectionOrNew(in: database), database: global.databasePath, messages: messages)
    let report = try run.run()
    try database.close()
    messages.note(report.text)
    if json { StandardOutput().writeLine(report.json) }
    if report.errorCount > 0 { throw ExitCode(ExitStatus.error) }
  }

  /// An unknown language is told before anything is read.
  private func checkAnalysis() throws {
    if let language = analysis.language { try AnalysisOptions.check(language: language) }
    try fieldAnalysis.check()
  }
}
