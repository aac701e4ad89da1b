import ArgumentParser
import Concordance
import CorpusReader
import Foundation

struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Index files and folders, or update the database from them.",
    discussion: """
      Each text, source code, Markdown or HTML file becomes a document, and so does each record of JSONL and mbox \
      files. JSON, CSV and TSV files contain records if they are given as a path or match --records; otherwise they \
      are text. Compressed files (.gz, .xz, .zst, .bz2) are decompressed. Files that have not changed since the last \
      run are skipped, and documents of deleted files are removed. Without a path, the configuration file applies: \
      concord.yaml in the current folder, else in ~/.config/concord; without one, the documents in the database are \
      indexed. Files excluded by .gitignore and .ignore, hidden files and binary files are skipped.

      Without --fields, the index covers title, name, path, symbols (the names that source code defines) and text of \
      files, and every string of records. Index options that are not given keep their values; changing one rebuilds \
      the index from the documents.

        $ concord index docs/ README.md
        $ concord index --language en --exclude 'vendor/**' .
        $ concord index --language en --field-language beschreibung=de \\
            --fields title,beschreibung items.jsonl
        $ concord index -c shop.products --id-field sku products.jsonl
        $ concord index --records 'data/*.csv' .
        $ concord index --watch notes/
        $ curl -s https://example.org/feed.jsonl | concord index --format jsonl -

      Exit status: 0 done, 2 a file could not be read or the database could not be written.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files and folders; - is the standard input. Without a path, those of the configuration file.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "The configuration file, instead of concord.yaml. It cannot be combined with paths.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var config: String?

  @Flag(help: "Keep the index current until Ctrl-C: read files when they change.")
  var watch = false

  @OptionGroup(title: "Input")
  var reading: ReadingOptions

  @Flag(
    help: ArgumentHelp(
      "Let a document read from a file replace a different document with the same id that was not read from a file.",
      discussion: """
        Records from standard input also replace documents that were read from files. Without --replace, both are \
        errors.
        """))
  var replace = false

  @Option(
    help: ArgumentHelp(
      "The properties to index, separated by commas; * stands for every other string.", valueName: "a,b"))
  var fields: FieldList?

  @OptionGroup(title: "Text analysis")
  var analysis: AnalysisOptions

  @OptionGroup(title: "Text analysis")
  var fieldAnalysis: FieldAnalysisOptions

  @Option(
    help: ArgumentHelp(
      "A file of synonyms, one rule per line.",
      discussion: "`tv, television` works both ways, `laptop => notebook` one way; # begins a comment.",
      valueName: "file"),
    completion: .file())
  var synonyms: String?

  @Flag(
    name: .customLong("no-patterns"),
    help: ArgumentHelp(
      "Do not create the index for `concord grep` and regular expressions, which takes about a tenth of the size of "
        + "the text; drop an existing one.")
  )
  var noPatterns = false

  @OptionGroup
  var memory: IndexMemoryOption

  @Flag(help: "Print a summary as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if config != nil, !paths.isEmpty { throw ValidationError("--config cannot be combined with paths.") }
    if watch, paths.contains("-") { throw ValidationError("--watch cannot be combined with the standard input.") }
    if let other = fields?.names.first(where: { !PropertyArgument.isProperty($0) }) {
      throw ValidationError("--fields takes properties: \(PropertyArgument.advice(about: other)).")
    }
  }

  func run() throws {
    guard paths.isEmpty, let file = try ConfigurationFile.find(config) else { return try run(indexes: []) }
    var command = self
    command.global.makeMessages().detail("configuration \(file.path)")
    let indexes = try file.apply(to: &command)
    try command.run(indexes: indexes)
  }

  /// - Parameter indexes: additional indexes to create, each with its name.
  private func run(indexes: [(name: String, configuration: any IndexConfiguration)]) throws {
    let messages = global.makeMessages()
    let index = SearchIndex(
      fields: fields?.names, analysis: analysis, fieldAnalysis: fieldAnalysis,
      synonyms: try synonyms.map { try SynonymFile.read($0) })
    try checkAnalysis()
    let files = paths.filter { $0 != "-" }
    if watch, files.isEmpty { throw CommandFailure("--watch needs folders: name them, or write a configuration file") }
    // Checked before a new database is created.
    if !global.hasDatabase, files.count == paths.count, !files.isEmpty,
      !files.contains(where: FilePath.exists)
    {
      for path in files { messages.error("\(path): No such file or directory") }
      throw ExitCode(ExitStatus.error)
    }
    let database = try paths.isEmpty ? global.openForWriting(memory: memory) : global.openOrCreate(memory: memory)
    messages.detail("database \(global.databaseName)")
    let collection = try global.collectionOrNew(in: database)
    var options = try reading.corpusOptions
    options.detectsLanguage = try index.detectsLanguage(in: collection)
    if options.detectsLanguage, LanguageDetector.shared == nil {
      throw CommandFailure("--language auto needs the library CLD2; install it (Debian: libcld2-0), or name a language")
    }
    for index in indexes { try collection.createIndex(withName: index.name, config: index.configuration) }
    let run = IndexRun(
      files: files, readsStandardInput: files.count < paths.count, options: options,
      replacesStored: replace, index: index, patterns: GrepIndex(isWanted: !noPatterns), collection: collection,
      database: global.databaseName, messages: messages)
    if watch { try WatchRun(run: run) { show($0, messages) }.start() }
    let report = try run.run()
    try database.close()
    show(report, messages)
    if report.errorCount > 0 { throw ExitCode(ExitStatus.error) }
  }

  private func show(_ report: IndexReport, _ messages: Messages) {
    messages.note(report.text)
    guard json else { return }
    // A watch whose output nobody reads ends.
    let output = StandardOutput(ignoresClosedPipe: !watch)
    output.writeJSON(report.json)
    output.flush()
  }

  /// Throws for an unknown language before any file is indexed.
  private func checkAnalysis() throws {
    if let language = analysis.language { try AnalysisOptions.check(language: language) }
    try fieldAnalysis.check()
  }
}
