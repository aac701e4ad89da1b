import ArgumentParser
import Concordance

struct TermsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "terms",
    abstract: "List the terms of an index.",
    discussion: """
      Terms are words as the index stores them: in lower case, and in an index with a language also their stems. \
      `concord analyze` shows the terms of a text. Terms with the highest document frequency come first.

        $ concord terms
        $ concord terms mem -n 50
        $ concord terms --sort term --all --json | jq -r .term

      With --json, each line is a term: term, documents, the number of documents that contain it, and occurrences, its \
      total frequency.

      Exit status: 0 found, 1 nothing found, 2 error.
      """)

  @Argument(help: ArgumentHelp("The prefix of the terms.", valueName: "prefix"))
  var prefix = ""

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("The maximum number of terms.", valueName: "count"))
  var limit = 20

  @Flag(help: "List all terms.")
  var all = false

  @Option(help: ArgumentHelp("The sort order: by documents, or by the terms themselves.", valueName: "order"))
  var sort = TermOrder.frequency

  @OptionGroup
  var listing: ListingOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit takes 1 or more, not \(limit); --all lists all terms.") }
  }

  func run() throws {
    let messages = global.makeMessages()
    let collection = try global.collection(in: try global.openForReading())
    let terms = try collection.terms(
      beginningWith: prefix, index: listing.index, order: sort.order, limit: all ? nil : limit)
    guard !terms.isEmpty else {
      messages.warning("nothing found")
      throw ExitCode(ExitStatus.nothingFound)
    }
    let output = StandardOutput()
    if listing.json {
      for term in terms {
        var line = JSONLine()
        line.add("term", term.text)
        line.add("documents", term.documentFrequency)
        if let occurrences = term.occurrences { line.add("occurrences", occurrences) }
        output.writeJSON(line.text)
      }
    } else {
      var table = Table(["term", "documents", "occurrences"], numbers: 2)
      for term in terms {
        table.add([
          term.text, Quantity.count(term.documentFrequency), term.occurrences.map { Quantity.count($0) } ?? "?",
        ])
      }
      output.write(table.text(global.outputStyle))
    }
  }
}

/// The sort orders of terms as an option.
enum TermOrder: String, ExpressibleByArgument, CaseIterable {
  case frequency, term

  var order: SearchTerm.Order {
    switch self {
    case .frequency: .frequency
    case .term: .term
    }
  }
}
