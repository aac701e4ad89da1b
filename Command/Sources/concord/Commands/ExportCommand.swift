import ArgumentParser
import Concordance

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the database as JSON Lines.",
    discussion: """
      Each document is a line: {"_id":"hotel_1","_collection":"inventory.hotels","name":"Ghia"}, its members as they \
      were saved, and _collection unless it is the default one. If a document itself has members with these names, it \
      is stored in _body; _breaks lists the positions of line breaks in its text. Collections, blobs and index \
      definitions are separate lines without _id. `concord import` restores the same database; jq and other tools can \
      read the file.

      The export includes expiration dates and the names of the migrations that a program has run. It does not include \
      deleted documents, revisions, sequences, or the file that a document was read from: after an import, \
      `concord index` reads its files again.

        $ concord export -o backup.jsonl
        $ concord export -c inventory.hotels | jq -r 'select(._id) | .name'
        $ concord export | concord import -d copy.concord -

      With -c, only that collection and the blobs that its documents refer to are written.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output file, instead of the standard output. It is replaced when the export is complete.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(
    help: """
      Omit documents whose text is damaged. Each is reported, and the exit status is 2. By default, the first one ends \
      the export.
      """)
  var skipDamaged = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForReading()
    let collections = try global.collection.map { _ in [try global.collection(in: database)] }
    let file = try ResultOutput(path: output)
    let progress = IndexProgress(messages)
    let summary = try database.exportLines(
      of: collections,
      onDamagedDocument: { error in
        guard skipDamaged else { throw CommandFailure("\(error.message); --skip-damaged omits damaged documents") }
        messages.error(error.message)
      }
    ) { line in
      try file.writeJSON(line)
      if output != nil { progress.addDocument(size: line.count) }
    }
    try file.finish()
    Messages.clearStatus()
    messages.detail(
      [
        Quantity.count(summary.documentCount, "document"), Quantity.count(summary.collectionCount, "collection"),
        Quantity.count(summary.blobCount, "blob"), Quantity.count(summary.indexCount, "index", plural: "indexes"),
      ].joined(separator: ", "))
    if summary.damagedCount > 0 {
      let documents = Quantity.count(summary.damagedCount, "damaged document")
      throw CommandFailure("\(documents) omitted; `concord verify` lists them")
    }
  }
}
