import ArgumentParser
import Concordance
import CorpusReader
import Foundation

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete documents by their ids.",
    discussion: """
      A deleted document leaves a tombstone, a row without text, unless it is purged. Blobs that are no longer \
      referenced remain until `concord optimize --compact`.

        $ concord delete hotel_1 hotel_2
        $ concord search --json draft | jq -r .id | concord delete -

      Exit status: 0 all deleted, 1 a document does not exist, 2 error.
      """)

  @Argument(help: ArgumentHelp("The ids; - reads them from the standard input, one per line.", valueName: "id"))
  var ids: [String]

  @Flag(help: "Leave no tombstone, and remove the tombstone of a previously deleted document.")
  var purge = false

  @Flag(help: "Print the number of deleted documents, and the missing ids, as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForWriting()
    let collection = try global.collection(in: database)
    var waiting: [String] = []
    var count = 0
    var missing: [String] = []
    func flush() throws {
      // The write lock is not held while ids are read from a pipe.
      let (deleted, absent) = try database.inCommandBatch { try delete(waiting, in: collection) }
      for id in absent { messages.error("there is no document \"\(id)\" in \(collection.fullName)") }
      count += deleted
      missing += absent
      waiting.removeAll()
    }
    func add(_ id: String) throws {
      waiting.append(id)
      if waiting.count == 1000 { try flush() }
    }
    var isReadable = true
    for id in ids {
      guard id == "-" else {
        try add(id)
        continue
      }
      // An id has at most 240 bytes; a longer line is reported as missing like any other.
      try FileLines(path: FileLines.standardInput, limit: 1 << 20).forEach { line, _ in
        let id = String(decoding: line, as: UTF8.self)
        if !id.isEmpty { try add(id) }
      } problem: {
        isReadable = false
        messages.error($0.description)
      }
    }
    try flush()
    try database.close()
    messages.note("\(Quantity.count(count, "document")) \(purge ? "purged" : "deleted")")
    if json {
      var line = JSONLine()
      line.add(purge ? "purged" : "deleted", count)
      line.add("missing", missing)
      StandardOutput(ignoresClosedPipe: true).writeJSON(line.text)
    }
    if !isReadable { throw ExitCode(ExitStatus.error) }
    if !missing.isEmpty { throw ExitCode(ExitStatus.nothingFound) }
  }

  /// Deletes documents in the open batch. The path of a file is also accepted where its id differs, as by `get`.
  private func delete(_ ids: [String], in collection: Collection) throws -> (count: Int, missing: [String]) {
    var count = 0
    var missing: [String] = []
    for id in ids {
      let fileID = DocumentIdentity.id(ofPath: id)
      if try delete(id, in: collection) || (fileID != id && delete(fileID, in: collection)) {
        count += 1
      } else {
        missing.append(id)
      }
    }
    return (count, missing)
  }

  /// Deletes a document. Returns false if it does not exist.
  private func delete(_ id: String, in collection: Collection) throws -> Bool {
    do {
      if purge {
        try collection.purge(id: id)
      } else {
        guard let document = try collection.document(id: id) else { return false }
        try collection.delete(document: document)
      }
      return true
    } catch let error as CBLError where error.code == CBLError.notFound {
      return false
    }
  }
}
