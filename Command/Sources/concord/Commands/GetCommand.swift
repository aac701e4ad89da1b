import ArgumentParser
import Concordance
import Foundation

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print documents by their ids.",
    discussion: """
      Each document is printed as one line of JSON, in the order of the ids.

        $ concord get docs/a.md
        $ concord get --pretty hotel_40
        $ concord get --json hotel_40 | jq .revision
        $ concord get hotel_40 --blob photo -o hotel.jpg

      Exit status: 0 all found, 1 one is missing, 2 error.
      """)

  @Argument(help: ArgumentHelp("The ids of the documents.", valueName: "id"))
  var ids: [String]

  @Flag(help: "Indent the JSON.")
  var pretty = false

  @Flag(help: "Print an object with id, collection, sequence, revision and document for each document.")
  var json = false

  @Option(help: ArgumentHelp("Write the content of the blob in this property.", valueName: "key"))
  var blob: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output file, instead of the standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if blob == nil, output != nil { throw ValidationError("--output requires --blob.") }
    if blob != nil, ids.count > 1 { throw ValidationError("--blob takes one id.") }
    if blob != nil, pretty || json { throw ValidationError("--blob writes content, not JSON.") }
  }

  func run() throws {
    let messages = global.makeMessages()
    let collection = try global.collection(in: try global.openForReading())
    let ids = ids.map(DocumentIdentity.id(ofPath:))
    if let blob, let id = ids.first { return try writeContent(of: blob, in: id, collection) }
    let output = StandardOutput()
    var isAnyMissing = false
    for id in ids {
      guard let document = try collection.document(id: id) else {
        output.flush()
        messages.error("there is no document \"\(id)\" in \(collection.fullName)")
        isAnyMissing = true
        continue
      }
      messages.detail(
        "\(id): revision \(document.revisionID ?? ""), sequence \(document.sequence)")
      let text = try json ? wrapped(document) : document.toJSON()
      output.writeJSON(pretty ? JSONLayout.pretty(text) : JSONLayout.compact(text))
    }
    output.flush()
    if isAnyMissing { throw ExitCode(ExitStatus.nothingFound) }
  }

  private func wrapped(_ document: Document) throws -> String {
    var line = JSONLine()
    try line.addIdentity(of: document)
    line.add("document", json: document.toJSON())
    return line.text
  }

  private func writeContent(of key: String, in id: String, _ collection: Collection) throws {
    guard let document = try collection.document(id: id) else {
      throw CommandFailure(
        "there is no document \"\(id)\" in \(collection.fullName)", status: ExitStatus.nothingFound)
    }
    guard let blob = document.blob(forKey: key) else {
      throw CommandFailure(
        "the document \"\(id)\" has no blob in \"\(key)\"", status: ExitStatus.nothingFound)
    }
    guard let stream = blob.contentStream else {
      throw CommandFailure(
        "the content of the blob \(blob.digest ?? "") in \"\(key)\" of \"\(id)\" is not in the database; `concord verify` "
          + "lists missing blobs")
    }
    let output = try ResultOutput(path: output)
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count >= 0 else {
        throw CommandFailure(stream.streamError?.localizedDescription ?? "the content of the blob cannot be read")
      }
      if count == 0 { break }
      try output.write(buffer[..<count])
    }
    try output.finish()
  }
}

extension JSONLine {
  /// Adds the id, collection, sequence and revision of a document.
  mutating func addIdentity(of document: Document) throws {
    add("id", document.id)
    add("collection", optional: document.collection?.fullName)
    add("sequence", json: String(document.sequence))
    add("revision", optional: document.revisionID)
    if let expiration = try document.collection?.getDocumentExpiration(id: document.id) {
      add("expiration", optional: ExpirationArgument.text(expiration))
    }
  }
}
