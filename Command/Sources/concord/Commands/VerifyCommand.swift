import ArgumentParser
import Concordance
import Foundation

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the database is whole.",
    discussion: """
      The pages of the file, the text of every document and every index against the documents are checked. All text is \
      read and analysed again, so this takes as long as indexing.

        $ concord verify
        $ concord verify --json | jq -r .problem

      What is wrong goes to the standard output, a line each. A damaged index is made anew by `concord optimize \
      --rebuild`.

      Exit status: 0 whole, 1 damage found, 2 the check could not be made.
      """)

  @Flag(help: "Print a JSON object for each finding.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let problems = try findings(messages)
    let output = StandardOutput()
    for problem in problems {
      if json {
        var line = JSONLine()
        line.add("place", problem.place)
        line.add("problem", problem.problem)
        output.writeLine(line.text)
      } else {
        output.writeLine(TerminalText.message("\(problem.place): \(problem.problem)"))
      }
    }
    guard problems.isEmpty else { throw ExitCode(ExitStatus.nothingFound) }
    messages.note("\(global.databasePath): whole")
  }

  private func findings(_ messages: Messages) throws -> [(place: String, problem: String)] {
    do {
      return try global.openForChecking().verify { messages.note("checking \($0)") }.map {
        ($0.place, $0.problem)
      }
    } catch let error as CBLError where error.code == CBLError.corruptData {
      // Damage that keeps the check from going on is damage that was found.
      return [("file", error.message)]
    }
  }
}
