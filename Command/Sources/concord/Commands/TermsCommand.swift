import ArgumentParser
import Concordance

struct TermsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "terms",
    abstract: "List the terms of an index.",
    discussion: """
      Terms are words as they stand in the index: in small letters, and in an index with a language their stems as well. \
      `concord analyze` shows what becomes of a text. Those of the most documents come first.

        $ concord terms
        $ concord terms mem -n 50
        $ concord terms --sort term --all --json | jq -r .term

      With --json, each line is a term: term, documents, the number of documents that it stands in, and occurrences, how often \
      it stands in all of them.

      Exit status: 0 found, 1 nothing found, 2 error.
      """)

  @Argument(help: ArgumentHelp("What the terms begin with.", valueName: "prefix"))
  var prefix = ""

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("How many terms at most.", valueName: "count"))
  var limit = 20

  @Flag(help: "List all terms, however many there are.")
  var all = false

  @Option(help: ArgumentHelp("The order: by documents, or by the terms themselves.", valueName: "order"))
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
        output.writeLine(line.text)
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

/// The orders of terms as an option.
enum TermOrder: String, ExpressibleByArgument, CaseIterable {
  case frequency, term

  var order: SearchTerm.Order {
    switch self {
    case .frequency: .frequency
    case .term: .term
    }
  }
}
