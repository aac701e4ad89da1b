import ArgumentParser
import Concordance
import Foundation

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Show the terms of a text.",
    discussion: """
      Without analysis options, the text is analyzed as for the index of the database, if there is one.

        $ concord analyze "L'Ardèche"
        $ concord analyze --language en --query 'running shoes*'
        $ concord analyze --code spin_lock_irqsave
        $ concord analyze --field beschreibung "Häuser am Hafen"
        $ concord analyze --languages

      Each line is a term: its position, the term, its byte range in the text, and the original text. Terms at \
      the same position are alternatives, for example a word and its stem. With --query, each line is a position of a \
      query with the terms that match there.

      Exit status: 0 done, 1 the text contains no words, 2 error.
      """)

  @Argument(help: ArgumentHelp("The text; - is the standard input.", valueName: "text"))
  var text: [String] = []

  @Flag(help: "Show the terms that a query with this text searches for; a trailing * makes the last word a prefix.")
  var query = false

  @Flag(help: "List the languages that have a stemmer.")
  var languages = false

  @OptionGroup(title: "Text analysis")
  var analysis: AnalysisOptions

  @Option(help: ArgumentHelp("The index whose analysis is used, if there are several.", valueName: "name"))
  var index: String?

  @Option(
    help: ArgumentHelp("The field whose analysis is used, if the fields of the index differ.", valueName: "name")
  )
  var field: String?

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if text.isEmpty, !languages { throw ValidationError("There is no text to analyze.") }
    for (option, value) in [("--field", field), ("--index", index)] where value != nil && !analysis.isEmpty {
      throw ValidationError("\(option) uses the analysis of the index; remove the other analysis options.")
    }
  }

  func run() throws {
    let output = StandardOutput()
    if languages { return printLanguages(output) }
    let printer = TermPrinter(isJSON: json, style: global.outputStyle)
    let source = try input()
    let tokenizer = try analyzer().makeTokenizer()
    let lines = query ? printer.query(source, tokenizer) : printer.tokens(source, tokenizer)
    guard !lines.isEmpty else {
      global.makeMessages().warning("the text contains no words")
      throw ExitCode(ExitStatus.nothingFound)
    }
    for line in lines { json ? output.writeJSON(line) : output.writeLine(line) }
  }

  private func printLanguages(_ output: StandardOutput) {
    for language in Analyzer.languages {
      if json {
        var line = JSONLine()
        line.add("code", language.code)
        line.add("name", language.name)
        output.writeJSON(line.text)
      } else {
        output.writeLine("\(language.code)\t\(language.name)")
      }
    }
  }

  private func input() throws -> String {
    text == ["-"] ? try InputText.read("-") : text.joined(separator: " ")
  }

  private func analyzer() throws -> Analyzer {
    var configuration = AnalyzerConfiguration()
    if analysis.isEmpty, let known = try indexConfiguration() {
      configuration = known
    } else {
      analysis.apply(to: &configuration)
    }
    do {
      return try Analyzer(configuration)
    } catch let error as AnalyzerError {
      throw CommandFailure(error.description)
    }
  }

  /// Prints a message if the index analyzes some fields differently from the output shown. The message is shown only in
  /// verbose mode because every index of files has such a field, the path.
  private func noteFieldAnalyzers(of index: IndexDescription) {
    let others = index.fields.filter { index.configuration.analyzer(of: $0) != index.analyzer }
    guard !others.isEmpty else { return }
    global.makeMessages().detail(
      "the index \"\(index.name)\" analyzes \(others.joined(separator: ", ")) differently; "
        + "--field NAME shows the analysis of one field")
  }

  /// Returns the analysis of the database's index. A missing database is an error only if --database names one.
  private func indexConfiguration() throws -> AnalyzerConfiguration? {
    let isRequested = index != nil || field != nil || global.database != nil || global.collection != nil
    guard isRequested || global.hasDatabase else { return nil }
    let collection = try global.collection(in: try global.openForReading())
    do {
      return try analyzer(of: collection.searchedIndexDescription(named: index))
    } catch let error as CBLError where error.code == CBLError.missingIndex && index == nil {
      let hasIndexes = try !collection.indexDescriptions().isEmpty
      if field == nil, !isRequested || !hasIndexes { return nil }
      throw CommandFailure(error.message + (hasIndexes ? " with --index" : ""))
    }
  }

  private func analyzer(of index: IndexDescription) throws -> AnalyzerConfiguration {
    guard let field else {
      noteFieldAnalyzers(of: index)
      return index.analyzer
    }
    guard index.fields.contains(field) else {
      throw CommandFailure(
        "the index \"\(index.name)\" has no field \"\(field)\"; it has \(index.fields.joined(separator: ", "))")
    }
    return index.configuration.analyzer(of: field)
  }
}
