import ArgumentParser
import Concordance

struct SuggestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Complete the last word of a query.",
    discussion: """
      Each line is the whole query with its last word completed by a word of the index; completions that match the \
      most documents come first. If some documents contain all of the words before the last one, only these documents \
      count. If no word begins with the last one, its spelling is corrected. Multiple arguments are joined with \
      spaces.

        $ concord suggest mem
        $ concord suggest memory bar
        $ concord suggest title:sched --json | jq -r .text

      With --json, each line is a suggestion: text, word and documents, the number of documents that contain the \
      word itself, not only another form of it.

      Exit status: 0 found, 1 nothing found, 2 error.
      """)

  @Argument(help: ArgumentHelp("The beginning of a query.", valueName: "prefix"))
  var prefix: [String]

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("The maximum number of suggestions.", valueName: "count"))
  var limit = 10

  @Option(help: ArgumentHelp("Suggest only words of this field.", valueName: "name"))
  var field: String?

  @OptionGroup
  var listing: ListingOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit takes 1 or more, not \(limit).") }
  }

  func run() throws {
    let messages = global.makeMessages()
    let collection = try global.collection(in: try global.openForReading())
    let suggestions = try collection.suggestions(
      for: prefix.joined(separator: " "), field: field, index: listing.index, limit: limit)
    guard !suggestions.isEmpty else {
      messages.warning("nothing found")
      throw ExitCode(ExitStatus.nothingFound)
    }
    let output = StandardOutput()
    for suggestion in suggestions {
      if listing.json {
        var line = JSONLine()
        line.add("text", suggestion.text)
        line.add("word", suggestion.word)
        line.add("documents", suggestion.documentCount)
        output.writeJSON(line.text)
      } else {
        output.writeLine(TerminalText.sanitized(suggestion.text))
      }
    }
  }
}
