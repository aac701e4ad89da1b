import ArgumentParser
import Concordance

struct CreateIndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create-index",
    abstract: "Create an index that speeds up queries on values.",
    discussion: """
      An index stores the values of properties or other SQL++ expressions, sorted by the first, then the second, and \
      so on. With --array, it stores values from the elements of an array, for queries with UNNEST. With --patterns, \
      it stores the trigrams of strings, for regular expressions and LIKE. With --full-text, it stores the words of \
      strings, for MATCH in queries and `concord search --index`. `concord explain` shows whether a query uses it. \
      `concord index` creates the index for full-text search in files.

        $ concord create-index by_city city name
        $ concord create-index by_name 'LOWER(name)' --where 'type = "hotel"'
        $ concord create-index by_day day --array schedule
        $ concord create-index by_stars stars -c inventory.hotels
        $ concord create-index in_reviews --patterns 'reviews[].content'
        $ concord create-index hotels --full-text name description \\
            --where 'type = "hotel"' --language en

      If the same index already exists, nothing is done. If a different index has this name, it is kept and the exit \
      status is 2.

      Exit status: 0 done, 2 error.
      """)

  @Argument(help: ArgumentHelp("The name of the index.", valueName: "name"))
  var name: String

  @Argument(
    help: ArgumentHelp(
      "The properties or other expressions to index; with --array, those of an element; with --patterns and "
        + "--full-text, only properties.",
      valueName: "expression"))
  var expressions: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Index only documents for which this condition is true.", valueName: "sql++"))
  var condition: String?

  @Option(
    help: ArgumentHelp("The array whose elements are indexed: schedule, contacts[].phones.", valueName: "path"))
  var array: String?

  @Flag(help: "Index the trigrams of the strings in these properties; * stands for every other string.")
  var patterns = false

  @Flag(help: "Index the words of the strings in these properties; * stands for every other string.")
  var fullText = false

  @OptionGroup(title: "Text analysis, with --full-text")
  var analysis: AnalysisOptions

  @OptionGroup(title: "Ranking, with --full-text")
  var model: ModelOptions

  @OptionGroup
  var memory: IndexMemoryOption

  @Flag(help: "Print the index as a JSON object, as `concord indexes` does.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if name == SearchIndex.name || name == GrepIndex.name {
      throw ValidationError("The index \"\(name)\" is reserved for `concord index`. Choose another name.")
    }
    if array == nil, expressions.isEmpty {
      throw ValidationError("Name the properties or other SQL++ expressions to index.")
    }
    if patterns, fullText { throw ValidationError("--patterns and --full-text cannot be combined.") }
    if patterns, array != nil || condition != nil {
      throw ValidationError("--patterns cannot be combined with --array or --where.")
    }
    if fullText, array != nil { throw ValidationError("--full-text cannot be combined with --array.") }
    if patterns || fullText, let other = expressions.first(where: { !PropertyArgument.isProperty($0) }) {
      let option = patterns ? "--patterns" : "--full-text"
      throw ValidationError("An index with \(option) takes only properties: \(PropertyArgument.advice(about: other)).")
    }
    if !fullText, !analysis.isEmpty {
      throw ValidationError("\(AnalysisOptions.flags) need --full-text.")
    }
    if !fullText, model.model != nil { throw ValidationError("--model needs --full-text.") }
    // Otherwise the parameters were compared with those of the model.
    if model.model == nil { try model.refuseMissingParameters(of: [.bm25]) }
    if array != nil, condition != nil { throw ValidationError("--array cannot be combined with --where.") }
  }

  func run() throws {
    let messages = global.makeMessages()
    let configuration = try configuration()
    let database = try global.openForWriting(memory: memory)
    let collection = try global.collection(in: database)
    let start = ContinuousClock.now
    let (entry, isNew) = try QueryInput.reportingErrors(messages) { try make(configuration, in: collection, database) }
    try database.close()
    if json { StandardOutput(ignoresClosedPipe: true).writeJSON(try entry.line()) }
    let what =
      isNew
      ? "\(Quantity.count(entry.documentCount, "document")), \(Quantity.bytes(entry.size)); "
        + Quantity.seconds(start.duration(to: .now) / .seconds(1)) : "already exists"
    messages.note("index \(name): \(what)")
  }

  private func configuration() throws -> any IndexConfiguration {
    if patterns { return PatternIndexConfiguration(expressions) }
    if fullText {
      var configuration = analysis.configuration(expressions, where: condition)
      configuration.model = model.rankingModel ?? configuration.model
      try configuration.checkAnalyzers()
      return configuration
    }
    if let array { return ArrayIndexConfiguration(path: array, expressions: expressions.isEmpty ? nil : expressions) }
    return ValueIndexConfiguration(expressions, where: condition)
  }

  /// Creates the index.
  ///
  /// - Returns: the index, and whether it is new.
  private func make(
    _ configuration: any IndexConfiguration, in collection: Collection, _ database: Database
  ) throws -> (IndexEntry, isNew: Bool) {
    let (made, isNew) = try database.inCommandBatch {
      let old = try entry(in: collection)
      try collection.createIndex(withName: name, config: configuration)
      guard let new = try entry(in: collection) else { throw CommandFailure("the index \"\(name)\" was not created") }
      // The library has replaced the old index, which the user did not ask for. The error rolls back the batch.
      if let old, !old.summary.hasSameDefinition(as: new.summary) {
        throw CommandFailure(
          "there is another index \"\(name)\" in \(collection.fullName): \(old.definition); "
            + "choose another name, or drop it first with `concord drop-index`")
      }
      return (new, old == nil)
    }
    // FTS5 writes the last part of an index at the end of the batch, so its size is known only now.
    return (try entry(in: collection) ?? made, isNew)
  }

  private func entry(in collection: Collection) throws -> IndexEntry? {
    try collection.indexEntries().first { $0.name == name }
  }
}
