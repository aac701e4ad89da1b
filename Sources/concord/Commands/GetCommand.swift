import ArgumentParser
import Concordance

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print documents by their ids.",
    discussion: """
      Each document is printed as JSON on a line, in the order of the ids.

        $ concord get docs/a.md
        $ concord get --pretty hotel_40
        $ concord get --json hotel_40 | jq .revision

      Exit status: 0 all found, 1 one is missing, 2 error.
      """)

  @Argument(help: ArgumentHelp("The ids of the documents.", valueName: "id"))
  var ids: [String]

  @Flag(help: "Indent the JSON.")
  var pretty = false

  @Flag(help: "Print an object of id, collection, sequence, revision and document for each.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let collection = try global.collection(in: try global.openForReading())
    let output = StandardOutput()
    var isAnyMissing = false
    for id in ids {
      guard let document = try collection.document(id: id) else {
        output.flush()
        messages.error("there is no document \"\(id)\" in \(collection.fullName)")
        isAnyMissing = true
        continue
      }
      let text = json ? wrapped(document, collection) : document.toJSON()
      output.writeLine(pretty ? JSONLayout.pretty(text) : JSONLayout.compact(text))
    }
    output.flush()
    if isAnyMissing { throw ExitCode(ExitStatus.nothingFound) }
  }

  private func wrapped(_ document: Document, _ collection: Collection) -> String {
    var line = JSONLine()
    line.add("id", document.id)
    line.add("collection", collection.fullName)
    line.add("sequence", json: String(document.sequence))
    line.add("revision", optional: document.revisionID)
    line.add("document", json: document.toJSON())
    return line.text
  }
}
