import ArgumentParser
import Concordance

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show the execution plan of a query.",
    discussion: """
      Shows which index serves each condition, what is scanned in full, why an index is not used, and the SQLite \
      statement with its plan; for pattern indexes, the required trigrams, the number of documents that contain them, \
      and the number of these that match. The query does not run, and its parameters need no values, but the plan \
      shows more about a pattern if its value is given.

        $ concord explain 'SELECT name FROM _ WHERE city = "Lyon"'
        $ concord explain --json --file report.sql | jq -r '.steps[].access'

      Exit status: 0 done, 2 error.
      """)

  @OptionGroup
  var input: QueryInput

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    try input.withQuery(global, global.makeMessages()) { ExplainCommand.print(try $0.explanation(), asJSON: json) }
  }

  static func print(_ explanation: QueryExplanation, asJSON: Bool) {
    let output = StandardOutput()
    if asJSON {
      output.writeJSON(JSONLayout.compact(explanation.json))
    } else {
      output.write(TerminalText.sanitized(explanation.description))
    }
    output.flush()
  }
}
