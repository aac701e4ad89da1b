import ArgumentParser
import Concordance
import Foundation

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Ask for documents, or for parts and sums of them, in SQL++.",
    discussion: """
      FROM _ is the collection that every database has; others are written scope.collection. META().id is the id of a \
      document. A query that begins with { or [ is one in JSON.

        $ concord query 'SELECT name, city FROM _ WHERE type = "hotel" ORDER BY name LIMIT 5'
        $ concord query 'SELECT country, COUNT(*) AS hotels FROM _ GROUP BY country' --format csv
        $ concord query 'SELECT META().id FROM _ WHERE city = $city' --param city=Lyon
        $ concord query --json 'SELECT * FROM _' | jq -c ._
        $ concord query --file report.sql
        $ concord query --explain 'SELECT name FROM _ WHERE city = "Lyon"'

      The value of a parameter is JSON where it can be read as such: 1, true, null, ["a","b"]; otherwise it is a string. \
      A string that looks like JSON takes quotation marks of its own: --param 'zip="12345"'.

      As a table, MISSING is empty, and objects and arrays are JSON; on a terminal, long values are cut to its width. As \
      CSV, MISSING and null are both empty, and an empty string is "". As JSON, members that are MISSING are left out.

      Exit status: 0 there are rows, 1 there is none, 2 error.
      """)

  @OptionGroup
  var input: QueryInput

  @Option(
    help: ArgumentHelp("How rows are printed: an array with json, an object a line with jsonl.", valueName: "format"))
  var format = RowFormat.table

  @Flag(help: "Print a JSON object a line, as with --format jsonl.")
  var json = false

  @Flag(help: "Tell how the query would be run, as `concord explain` does.")
  var explain = false

  @OptionGroup
  var timeLimit: TimeLimitOption

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if json, format != .table, format != .jsonl {
      throw ValidationError("--json is --format jsonl; leave out --format \(format.rawValue).")
    }
    if explain, format == .csv { throw ValidationError("--explain has no CSV; it has --json.") }
  }

  func run() throws {
    let messages = global.makeMessages()
    try input.withQuery(global, messages) { query in
      query.timeout = timeLimit.duration
      if explain {
        return try ExplainCommand.printExplanation(of: query, asJSON: json || format != .table)
      }
      try printRows(of: query, messages)
    }
  }

  private func printRows(of query: Query, _ messages: Messages) throws {
    let start = ContinuousClock.now
    let output = StandardOutput()
    let printer = (json ? .jsonl : format).makePrinter(to: output, style: global.outputStyle)
    let columns = try query.columnNames()
    var count = 0
    try query.forEachRow { row in
      // Not before the query runs: what is wrong with a parameter is told alone.
      if count == 0 { printer.begin(columns) }
      count += 1
      printer.add(row)
      output.flushIfDue()
      return true
    }
    if count == 0 { printer.begin(columns) }
    printer.end()
    output.flush()
    let seconds = start.duration(to: .now) / .seconds(1)
    messages.detail("\(Quantity.count(count, "row")), \(Quantity.seconds(seconds))")
    // Not an error: SQL++ has no schema, and a document with the property may follow.
    if !global.quiet { for property in try query.unknownProperties() { messages.warning(property.message) } }
    guard count > 0 else {
      messages.warning("nothing found")
      throw ExitCode(ExitStatus.nothingFound)
    }
  }
}
