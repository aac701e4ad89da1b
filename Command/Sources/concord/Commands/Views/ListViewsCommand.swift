import ArgumentParser
import Concordance

struct ListViewsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the views and their definitions.",
    discussion: """
      Without --collection, the views of all collections are listed.

      With --json: name, collection, key, value, reduce, where, rows, size (in bytes), stale (documents have changed \
      since the last update; the next query updates the view) and outdated (another version of this program built the \
      view; `concord optimize --rebuild` rebuilds it). The key of a view with a map function in Swift is null.

      Exit status: 0 done, 1 there are no views, 2 error.
      """)

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    try DatabaseAddress.requireFile(global.databasePath, for: "views are")
    let messages = global.makeMessages()
    let database = try global.openForReading()
    let collections = try global.collection == nil ? database.allCollections() : [global.collection(in: database)]
    let output = StandardOutput()
    var table = Table(["name", "collection", "definition", "rows", "size"], numbers: 2)
    var count = 0
    for collection in collections {
      for entry in try collection.indexEntries() where entry.kind == "view" {
        count += 1
        let view = collection.view(named: entry.name)
        let rows = try view.rowCount()
        if json {
          var line = JSONLine()
          line.add("name", entry.name)
          line.add("collection", collection.fullName)
          entry.addViewMembers(to: &line)
          line.add("where", optional: entry.where)
          line.add("rows", rows)
          line.add("size", entry.size)
          line.add("stale", try view.isStale())
          line.add("outdated", entry.isOutdated)
          output.writeJSON(line.text)
        } else {
          table.add([
            entry.name, collection.fullName, entry.definition, Quantity.count(rows), Quantity.bytes(entry.size),
          ])
        }
      }
    }
    guard count > 0 else {
      messages.warning("\(global.databaseName): there is no view; create one with `concord view create`")
      throw ExitCode(ExitStatus.nothingFound)
    }
    if !json { output.write(table.text(global.outputStyle)) }
  }
}
