import ArgumentParser
import Concordance
import Foundation

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Show which terms a text becomes.",
    discussion: """
      Without options of the analysis, text is analysed as by the index of the database, where there is one.

        $ concord analyze "L'Ardèche"
        $ concord analyze --language en --query 'running shoes*'
        $ concord analyze --code spin_lock_irqsave
        $ concord analyze --field beschreibung "Häuser am Hafen"
        $ concord analyze --languages

      Each line is a term: its position, the term, the bytes of the text that it comes from, and that text. Terms at \
      the same position stand for each other, a stem beside its word for instance. With --query, each line is a \
      position of a query: the terms that are accepted there.

      Exit status: 0 done, 1 there is no word in the text, 2 error.
      """)

  @Argument(help: ArgumentHelp("The text; - is the standard input.", valueName: "text"))
  var text: [String] = []

  @Flag(help: "Show what a query of the text looks for; * at the end asks for words that begin so.")
  var query = false

  @Flag(help: "List the languages that have a stemmer.")
  var languages = false

  @OptionGroup(title: "How text is analysed")
  var analysis: AnalysisOptions

  @Option(help: ArgumentHelp("The index to analyse as, where there are several.", valueName: "name"))
  var index: String?

  @Option(
    help: ArgumentHelp("The field to analyse as, where those of the index are analysed differently.", valueName: "name")
  )
  var field: String?

  @Flag(help: "Print a JSON object a line.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if text.isEmpty, !languages { throw ValidationError("There is no text to analyse.") }
    if field != nil, !analysis.isEmpty {
      throw ValidationError("--field takes the analysis of the index; leave out the other options of the analysis.")
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
      global.makeMessages().warning("there is no word in the text")
      throw ExitCode(ExitStatus.nothingFound)
    }
    for line in lines { output.writeLine(line) }
  }

  private func printLanguages(_ output: StandardOutput) {
    for language in Analyzer.languages {
      if json {
        var line = JSONLine()
        line.add("code", language.code)
        line.add("name", language.name)
        output.writeLine(line.text)
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

  /// Says that some fields of an index are analysed in another way than the one that is shown.
  private func noteFieldAnalyzers(of index: IndexDescription) {
    let others = index.fields.filter { index.configuration.analyzer(of: $0) != index.analyzer }
    guard !others.isEmpty else { return }
    global.makeMessages().warning(
      "the index \"\(index.name)\" analyses \(others.joined(separator: ", ")) in another way; "
        + "--field NAME shows that of a field")
  }

  /// The analysis of the database's index. That there is no database is an error only when one was asked for.
  private func indexConfiguration() throws -> AnalyzerConfiguration? {
    let isAskedFor = index != nil || field != nil || global.database != nil || global.collection != nil
    guard isAskedFor || FilePath.exists(global.databasePath) else { return nil }
    let collection = try global.collection(in: try global.openForReading())
    let indexes = try collection.indexDescriptions()
    if let index {
      guard let named = indexes.first(where: { $0.name == index }) else {
        throw CommandFailure("the collection \(collection.fullName) has no index \"\(index)\"")
      }
      return try analyzer(of: named)
    }
    if let index = indexes.first(where: { $0.name == SearchIndex.name }) ?? indexes.first {
      return try analyzer(of: index)
    }
    if field == nil { return nil }
    throw CommandFailure("the collection \(collection.fullName) has no full-text index whose field could be meant")
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
