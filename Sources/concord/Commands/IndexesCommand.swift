import ArgumentParser
import Concordance

struct IndexesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "indexes",
    abstract: "List the indexes and what they are made of.",
    discussion: """
      Without --collection, the indexes of all collections are listed.

        $ concord indexes
        $ concord indexes --json | jq -r .name

      Exit status: 0 done, 1 there is none, 2 error.
      """)

  @Flag(help: "Print a JSON object a line.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForReading()
    let collections =
      try global.collection == nil ? database.allCollections() : [global.collection(in: database)]
    let output = StandardOutput()
    var table = Table(
      ["name", "collection", "fields", "language", "accents", "documents", "size"], numbers: 2)
    var isEmpty = true
    for collection in collections {
      for index in try collection.indexDescriptions() {
        isEmpty = false
        if json {
          output.writeLine(line(index, collection))
        } else {
          table.add(row(index, collection))
        }
        if index.isOutdated {
          messages.warning(
            "the index \(index.name) was made by another version; make it anew with `concord optimize --rebuild`"
          )
        }
      }
    }
    guard !isEmpty else {
      messages.warning("\(global.databasePath): there is no index; make one with `concord index`")
      throw ExitCode(ExitStatus.nothingFound)
    }
    if !json { output.write(table.text(global.outputStyle)) }
  }

  private func row(_ index: IndexDescription, _ collection: Collection) -> [String] {
    [
      index.name, collection.fullName, index.fields.joined(separator: ","), index.analyzer.languageName,
      index.analyzer.accents.rawValue, Quantity.count(index.documentCount), Quantity.bytes(index.size),
    ]
  }

  private func line(_ index: IndexDescription, _ collection: Collection) -> String {
    var line = JSONLine()
    line.add("name", index.name)
    line.add("collection", collection.fullName)
    line.add("fields", index.fields)
    line.add("language", optional: index.analyzer.language)
    line.add("accents", index.analyzer.accents.rawValue)
    line.add("code", index.analyzer.code)
    line.add("documents", index.documentCount)
    line.add("size", index.size)
    line.add("outdated", index.isOutdated)
    return line.text
  }
}

extension Database {
  /// The collections of every scope.
  func allCollections() throws -> [Collection] { try scopes().flatMap { try $0.collections() } }
}
