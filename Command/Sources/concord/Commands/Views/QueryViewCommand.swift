import ArgumentParser
@_spi(Command) import Concordance

struct QueryViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print the rows of a view.",
    discussion: """
      Prints one JSON object per row, sorted by key: id, key, value, and doc with --docs. If the view has a reduce \
      function, all rows are reduced to one; --group and --group-level reduce them by key, and --map-only does not \
      reduce them. Keys are JSON.

        $ concord view query prices --group-level 1 --start-key '["hotel"]'
        $ concord view query by_date --descending --limit 10
        $ concord view query by_date --key '"2024-01-01"' --key '"2024-02-01"'

      Exit status: 0 the result has rows, 1 it has no rows, 2 error.
      """)

  @Argument(help: ArgumentHelp("The name of the view.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The key at which the rows begin.", valueName: "json"))
  var startKey: String?

  @Option(help: ArgumentHelp("The key at which the rows end.", valueName: "json"))
  var endKey: String?

  @Option(help: ArgumentHelp("Begin at this document among those with the start key.", valueName: "id"))
  var startID: String?

  @Option(help: ArgumentHelp("End at this document among those with the end key.", valueName: "id"))
  var endID: String?

  @Flag(help: "Leave out rows with the start key.")
  var exclusiveStart = false

  @Flag(help: "Leave out rows with the end key.")
  var exclusiveEnd = false

  @Option(
    help: ArgumentHelp(
      "Also include keys that begin with the end key: with 1, longer strings or arrays; with 2, arrays whose last "
        + "element begins with the last element of the end key.",
      valueName: "level"))
  var prefixMatch = 0

  @Option(help: ArgumentHelp("Print only rows with this key; may be repeated.", valueName: "json"))
  var key: [String] = []

  @Flag(help: "Print the rows in reverse order. The start key is then the highest.")
  var descending = false

  @Option(name: [.customShort("n"), .long], help: ArgumentHelp("The maximum number of rows.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("The number of rows to leave out.", valueName: "n"))
  var skip = 0

  @Flag(help: "Reduce the rows of each key.")
  var group = false

  @Option(help: ArgumentHelp("Reduce the rows whose keys are arrays with the same first N elements.", valueName: "n"))
  var groupLevel = 0

  @Flag(help: "Do not reduce the rows.")
  var mapOnly = false

  @Option(
    help: ArgumentHelp(
      "Sort by id, key, value or a path in them, such as value.price or key[1]; a leading - reverses the order. May be "
        + "repeated.",
      valueName: "path"))
  var sort: [String] = []

  @Flag(help: "Also print the documents of the rows.")
  var docs = false

  @Flag(help: "Print the rows of the last update, and do not update the view.")
  var stale = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if skip < 0 || groupLevel < 0 || prefixMatch < 0 {
      throw ValidationError("--skip, --group-level and --prefix-match must not be negative.")
    }
    if prefixMatch > 2 { throw ValidationError("--prefix-match takes 0, 1 or 2, not \(prefixMatch).") }
    if !key.isEmpty, startKey != nil || endKey != nil {
      throw ValidationError("--key cannot be combined with --start-key or --end-key.")
    }
    if mapOnly, group || groupLevel > 0 {
      throw ValidationError("--map-only does not group rows, so it cannot be combined with --group or --group-level.")
    }
    if group, groupLevel > 0 { throw ValidationError("--group and --group-level cannot be combined.") }
    try rejectUnusedRangeOptions()
    for path in sort { try ViewSort.check(path) }
  }

  /// Rejects options that would otherwise be ignored silently.
  private func rejectUnusedRangeOptions() throws {
    let highest = descending ? "--start-key with --descending" : "--end-key"
    let (hasStart, hasEnd) = (startKey != nil, endKey != nil)
    let options = [
      ("--start-id", startID != nil, "--start-key", hasStart),
      ("--exclusive-start", exclusiveStart, "--start-key", hasStart),
      ("--end-id", endID != nil, "--end-key", hasEnd),
      ("--exclusive-end", exclusiveEnd, "--end-key", hasEnd),
      ("--prefix-match", prefixMatch > 0, highest, descending ? hasStart : hasEnd),
    ]
    for (name, isGiven, required, isRequiredGiven) in options where isGiven && !isRequiredGiven {
      throw ValidationError("\(name) requires \(required).")
    }
    if startID != nil, exclusiveStart {
      throw ValidationError("--exclusive-start excludes all rows with the start key, so --start-id has no effect.")
    }
    if endID != nil, exclusiveEnd {
      throw ValidationError("--exclusive-end excludes all rows with the end key, so --end-id has no effect.")
    }
  }

  func run() throws {
    try DatabaseAddress.requireFile(global.databasePath, for: "views are")
    let messages = global.makeMessages()
    let database = try stale ? global.openForReading() : global.openForWriting()
    let collection = try global.collection(in: database)
    guard let view = try collection.existingView(named: name) else {
      let names = try collection.views().map(\.name).joined(separator: ", ")
      throw CommandFailure(
        "\(collection.fullName) has no view \"\(name)\"" + (names.isEmpty ? "" : "; its views are \(names)"))
    }
    if docs { try requireDocuments(in: collection) }
    let query = try makeQuery(of: view)
    let rows = try QueryInput.reportingErrors(messages) { try query.run() }
    try ViewMessages.warnOfErrors(in: view, messages)
    let output = StandardOutput()
    for row in rows { output.writeJSON(row.toJSON()) }
    output.flush()
    for path in sort where !rows.isEmpty && !rows.contains(where: { $0.hasValue(for: ViewSort.descriptor(path)) }) {
      messages.warning("none of the rows has \(ViewSort.property(path)), by which they are sorted")
    }
    try database.close()
    guard !rows.isEmpty else {
      messages.warning("nothing found")
      throw ExitCode(ExitStatus.nothingFound)
    }
  }

  /// Throws if the rows of the result have no documents.
  private func requireDocuments(in collection: Collection) throws {
    let isReduced = try !mapOnly && collection.indexSummaries().contains { $0.name == name && $0.reduce != nil }
    if isReduced { throw ValidationError("reduced rows have no documents, so --docs has no effect; add --map-only.") }
    if group || groupLevel > 0 {
      throw ValidationError("grouped rows have no documents, so --docs has no effect; remove --group or --group-level.")
    }
  }

  private func makeQuery(of view: View) throws -> ViewQuery {
    let query = view.createQuery()
    query.startKey = try startKey.map { try JSONArgument.value($0, of: "--start-key") }
    query.endKey = try endKey.map { try JSONArgument.value($0, of: "--end-key") }
    query.startKeyDocID = startID
    query.endKeyDocID = endID
    query.inclusiveStart = !exclusiveStart
    query.inclusiveEnd = !exclusiveEnd
    query.prefixMatchLevel = prefixMatch
    if !key.isEmpty { query.keys = try key.map { try JSONArgument.value($0, of: "--key") } }
    query.isDescending = descending
    query.limit = limit
    query.skip = skip
    query.isGroupedByKey = group
    query.groupLevel = groupLevel
    query.mapOnly = mapOnly
    query.sortDescriptors = sort.map(ViewSort.descriptor)
    query.prefetch = docs
    if stale { query.indexUpdateMode = .never }
    return query
  }
}

/// JSON in an argument.
private enum JSONArgument {
  /// Returns the value of JSON text.
  ///
  /// - Throws: `ValidationError` for text that is not JSON.
  static func value(_ text: String, of option: String) throws -> Any {
    do {
      let document = try MutableDocument(id: "argument", json: "{\"value\":\(text)}")
      guard document.count == 1, let value = document.value(forKey: "value") else { throw CommandFailure("") }
      return value
    } catch {
      throw ValidationError(
        "The value of \(option) is not JSON: \(text). A string needs quotation marks: \(option) '\"text\"'.")
    }
  }
}
