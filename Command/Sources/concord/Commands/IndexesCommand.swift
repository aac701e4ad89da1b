import ArgumentParser
import Concordance

struct IndexesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "indexes",
    abstract: "List the indexes and their definitions.",
    discussion: """
      Without --collection, the indexes of all collections are listed: those that `concord index` and \
      `concord create-index` create, and views.

        $ concord indexes
        $ concord indexes --json | jq -r .name

      Exit status: 0 done, 1 there are no indexes, 2 error.
      """)

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForReading()
    let collections =
      try global.collection == nil ? database.allCollections() : [global.collection(in: database)]
    let entries = try collections.flatMap { try $0.indexEntries() }
    for entry in entries where entry.isOutdated {
      if entry.isIncomplete {
        messages.warning(
          "the index \(entry.name) is not used because it lacks documents that were saved by a program without its "
            + "model; a program with the model adds them when it creates the index again")
        continue
      }
      messages.warning(
        "the index \(entry.name) was built by another version; run `concord optimize --rebuild`")
    }
    guard !entries.isEmpty else {
      messages.warning("\(global.databaseName): there is no index; create one with `concord index`")
      throw ExitCode(ExitStatus.nothingFound)
    }
    let output = StandardOutput()
    if json {
      for entry in entries { output.writeJSON(try entry.line()) }
    } else {
      var table = IndexEntry.table()
      for entry in entries { table.add(entry.row) }
      output.write(table.text(global.outputStyle))
    }
  }
}

extension Database {
  /// Returns the collections of all scopes.
  func allCollections() throws -> [Collection] { try scopes().flatMap { try $0.collections() } }
}
