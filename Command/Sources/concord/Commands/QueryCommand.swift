import ArgumentParser
import Concordance
import Foundation

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Run an SQL++ query.",
    discussion: """
      FROM _ is the default collection; other collections are written scope.collection. META().id is the id of a \
      document. A query that begins with { or [ is in JSON.

        $ concord query \\
            'SELECT name, city FROM _ WHERE type = "hotel" ORDER BY name LIMIT 5'
        $ concord query --format csv \\
            'SELECT country, COUNT(*) AS hotels FROM _ GROUP BY country'
        $ concord query 'SELECT META().id FROM _ WHERE city = $city' \\
            --param city=Lyon
        $ concord query --json 'SELECT * FROM _' | jq -c ._
        $ concord query --file report.sql
        $ concord query --explain 'SELECT name FROM _ WHERE city = "Lyon"'
        $ concord query --watch 'SELECT status, COUNT(*) FROM _ GROUP BY status'

      The value of a parameter is JSON if it is valid JSON: 1, true, null, ["a","b"]; otherwise it is a string. A \
      string that looks like JSON needs quotation marks: --param 'zip="12345"'.

      With --watch, the query runs again when this or another process changes documents, until Ctrl-C. The rows are \
      printed again if they differ. With --json, each line is the difference from the previous rows: deletions (old \
      positions), insertions (index and row), moves (from and to), updates (from, index and row), and count.

      In a table, MISSING is empty, and objects and arrays are JSON; on a terminal, long values are truncated to its \
      width. In CSV, MISSING and null are both empty, and an empty string is "". In JSON, members that are MISSING are \
      omitted.

      Exit status: 0 the result has rows, 1 it has no rows, 2 error.
      """)

  @OptionGroup
  var input: QueryInput

  @Option(
    help: ArgumentHelp("The output format: an array with json, one object per line with jsonl.", valueName: "format"))
  var format = RowFormat.table

  @Flag(help: "Print one JSON object per line, as with --format jsonl.")
  var json = false

  @Flag(
    help: """
      Show the execution plan, as `concord explain` does. On PostgreSQL, the query also runs, to count its round trips.
      """)
  var explain = false

  @Flag(help: "Print the rows again whenever they change, until Ctrl-C. --timeout limits each run.")
  var watch = false

  @OptionGroup
  var timeLimit: TimeoutOption

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if json, format != .table, format != .jsonl {
      throw ValidationError("--json means --format jsonl; remove --format \(format.rawValue).")
    }
    if watch, explain || format != .table {
      throw ValidationError("--watch prints a table, or differences with --json; it has no other formats.")
    }
    if explain, format == .csv { throw ValidationError("--explain does not support CSV; use --json.") }
  }

  func run() throws {
    let messages = global.makeMessages()
    try input.withQuery(global, messages) { query in
      query.timeout = timeLimit.duration
      if explain {
        return ExplainCommand.print(try query.explanationCountingRoundTrips(), asJSON: json || format != .table)
      }
      if watch { try watchRows(of: query, messages) }
      try printRows(of: query, messages)
    }
  }

  private func watchRows(of query: Query, _ messages: Messages) throws -> Never {
    // Errors in the query are reported with their position.
    let columns = try query.columnNames()
    let output = LiveOutput()
    if json {
      output.print(query.differences()) { change in
        LiveOutput.line(change.difference, count: change.results.count, name: "row") { index in
          // Documents are stored with their original white space.
          JSONLayout.compact(change.results[index].toJSON())
        }
      }
    }
    let style = global.outputStyle
    var isFirst = true
    query.addChangeListener(withQueue: output.queue) { change in
      if let error = change.error { return LiveOutput.report(error, messages) }
      output.beginResult(isFirst: isFirst)
      isFirst = false
      let standardOutput = StandardOutput()
      let rows = change.results?.allResults() ?? []
      if rows.isEmpty { standardOutput.writeLine(Quantity.count(0, "row")) }
      let printer = RowFormat.table.makePrinter(to: standardOutput, style: style)
      printer.begin(columns)
      for row in rows { printer.add(row) }
      printer.end()
      standardOutput.flush()
    }
    LiveOutput.waitForInterrupt()
  }

  private func printRows(of query: Query, _ messages: Messages) throws {
    let start = ContinuousClock.now
    let output = StandardOutput()
    let printer = (json ? .jsonl : format).makePrinter(to: output, style: global.outputStyle)
    let columns = try query.columnNames()
    var count = 0
    try query.forEachRow { row in
      // Printed after the query has started, so that an error in a parameter is the only output.
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
    // Not an error: SQL++ has no schema, and a document with the property may be added later.
    if !global.quiet { for property in try query.unknownProperties() { messages.warning(property.message) } }
    guard count > 0 else {
      messages.warning("nothing found")
      throw ExitCode(ExitStatus.nothingFound)
    }
  }
}
