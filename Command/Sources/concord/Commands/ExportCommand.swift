import ArgumentParser
import Concordance

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the database as JSON Lines.",
    discussion: """
      Each document is a line: {"_id":"hotel_1","_collection":"inventory.hotels","name":"Ghia"}, its own members as they \
      were saved, _collection only where it is not the default one. Where a document has members of such names itself, it \
      stands in _body; _breaks tells where its text had line breaks. Collections, blobs and what indexes are made of have \
      lines of their own, without _id. `concord import` makes the same database of it; jq and other tools can read it.

      Expiration dates are in it. Not in it are deleted documents, revisions, sequences, and which file a document was read from: after an import, \
      `concord index` reads its files again.

        $ concord export -o backup.jsonl
        $ concord export -c inventory.hotels | jq -r 'select(._id) | .name'
        $ concord export | concord import -d copy.concord -

      With -c, only that collection is written, and the blobs that its documents refer to.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file, instead of the standard output. It is replaced when all is written.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForReading()
    let collections = try global.collection.map { _ in [try global.collection(in: database)] }
    let file = try ResultOutput(path: output)
    let progress = IndexProgress(messages)
    let summary = try database.exportLines(of: collections) { line in
      try file.write(line)
      try file.write(UInt8(ascii: "\n"))
      if output != nil { progress.addDocument(size: line.count) }
    }
    try file.finish()
    messages.clearStatus()
    messages.detail(
      [
        Quantity.count(summary.documentCount, "document"), Quantity.count(summary.collectionCount, "collection"),
        Quantity.count(summary.blobCount, "blob"), Quantity.count(summary.indexCount, "index", plural: "indexes"),
      ].joined(separator: ", "))
  }
}
