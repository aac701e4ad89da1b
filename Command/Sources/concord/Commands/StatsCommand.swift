import ArgumentParser
@_spi(Command) import Concordance

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show the size of the database and its collections.",
    discussion: """
      The size of the file is its size on disk, including the write-ahead log. The size of the text is that of the \
      documents as JSON.

        $ concord stats
        $ concord stats --json | jq '.collections[].documents'
      """)

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  private struct Numbers {
    let name: String
    let documentCount: Int
    let textSize: Int
    let sourceCount: Int
    let indexNames: [String]
  }

  func run() throws {
    let database = try global.openForReading()
    let numbers = try database.allCollections().map { collection in
      Numbers(
        name: collection.fullName, documentCount: Int(collection.count), textSize: try collection.textSize(),
        sourceCount: try collection.importedSources().count + collection.interruptedSources().count,
        indexNames: try collection.indexes())
    }
    let size = try global.databaseSize()
    let output = StandardOutput()
    guard !json else { return output.writeJSON(line(numbers, size: size)) }
    output.writeLine("\(TerminalText.sanitized(global.databaseName)): \(Quantity.bytes(size))")
    var table = Table(["collection", "indexes", "documents", "text", "sources"], numbers: 3)
    for collection in numbers {
      table.add([
        collection.name, collection.indexNames.joined(separator: ","),
        Quantity.count(collection.documentCount),
        Quantity.bytes(collection.textSize), Quantity.count(collection.sourceCount),
      ])
    }
    output.write(table.text(global.outputStyle))
  }

  private func line(_ numbers: [Numbers], size: Int) -> String {
    var line = JSONLine()
    line.add("path", global.databaseName)
    line.add("size", size)
    line.add(
      "collections",
      numbers.map { collection in
        var object = JSONLine()
        object.add("name", collection.name)
        object.add("documents", collection.documentCount)
        object.add("textSize", collection.textSize)
        object.add("sources", collection.sourceCount)
        object.add("indexes", collection.indexNames)
        return object
      })
    return line.text
  }
}
