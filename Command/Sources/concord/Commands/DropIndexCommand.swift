import ArgumentParser
import Concordance

struct DropIndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop-index",
    abstract: "Delete indexes of any kind.",
    discussion: """
      The documents are kept. Queries on values work without indexes but are slower; full-text search needs its index.

        $ concord drop-index by_city

      Exit status: 0 done, 1 an index does not exist, 2 error.
      """)

  @Argument(help: ArgumentHelp("The names of the indexes.", valueName: "name"))
  var names: [String]

  @Flag(help: "Print the deleted and the missing indexes as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForWriting()
    let collection = try global.collection(in: database)
    var dropped: [String] = []
    var missing: [String] = []
    try database.inCommandBatch {
      for name in names {
        if try collection.indexes().contains(name) {
          try collection.deleteIndex(forName: name)
          dropped.append(name)
        } else {
          missing.append(name)
        }
      }
    }
    try database.close()
    for name in missing { messages.error("there is no index \"\(name)\" in \(collection.fullName)") }
    for name in dropped { messages.note("index \(name) deleted") }
    if json {
      var line = JSONLine()
      line.add("deleted", dropped)
      line.add("missing", missing)
      StandardOutput(ignoresClosedPipe: true).writeJSON(line.text)
    }
    if !missing.isEmpty { throw ExitCode(ExitStatus.nothingFound) }
  }
}
