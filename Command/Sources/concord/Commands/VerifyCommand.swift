import ArgumentParser
import Concordance
import Foundation

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the integrity of the database.",
    discussion: """
      Checks the pages of the file, the text of every document, and every index against the documents. All text is \
      analyzed again, so this takes as long as indexing.

        $ concord verify
        $ concord verify --json | jq -r .problem

      Problems are printed to the standard output, one per line. `concord optimize --rebuild` rebuilds a damaged index.

      Exit status: 0 no damage, 1 damage found, 2 the check could not be run.
      """)

  @Flag(help: "Print a JSON object for each finding.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let problems = try findings(messages)
    let output = StandardOutput(ignoresClosedPipe: true)
    for problem in problems {
      if json {
        var line = JSONLine()
        line.add("location", problem.location)
        line.add("problem", problem.problem)
        output.writeJSON(line.text)
      } else {
        output.writeLine(TerminalText.message("\(problem.location): \(problem.problem)"))
      }
    }
    guard problems.isEmpty else { throw ExitCode(ExitStatus.nothingFound) }
    messages.note("\(global.databaseName): no damage found")
  }

  private func findings(_ messages: Messages) throws -> [(location: String, problem: String)] {
    do {
      return try global.openForChecking().verify { messages.note("checking \($0)") }.map {
        ($0.location, $0.problem)
      }
    } catch let error as CBLError where error.code == CBLError.corruptData {
      // Damage that makes the check stop is reported like any other damage.
      return [("file", error.message)]
    }
  }
}
