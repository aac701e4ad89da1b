import ArgumentParser
import Concordance
import Foundation

struct PutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Save a document.",
    discussion: """
      The document is a JSON object: an argument, a file, or the standard input as -. It replaces the document with \
      this id. The id is printed, with -v also the revision. The database and the collection are created if they do \
      not exist. A document that is replaced keeps its expiration; a date without a time zone is local time.

        $ concord put hotel_1 '{"name":"Ghia"}'
        $ concord put --new --file hotel.json
        $ curl -s https://example.org/hotel.json | concord put hotel_1 -
        $ concord put hotel_1 --merge '{"stars":4}' --blob photo=ghia.jpg

      Exit status: 0 saved, 1 not saved because of --if-absent or --if-revision, 2 error.
      """)

  @Argument(help: ArgumentHelp("The id and the JSON; with --new only the JSON.", valueName: "id json"))
  var arguments: [String] = []

  @Flag(help: "Generate a new id, a UUID.")
  var new = false

  @Option(help: ArgumentHelp("The file that contains the JSON.", valueName: "path"), completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Attach a file as a property; may be repeated. Its type is guessed from its name unless it is given.",
      valueName: "key=path[:type]"))
  var blob: [BlobArgument] = []

  @Flag(help: "Keep the other properties of the stored document.")
  var merge = false

  @Flag(help: "Save only if no document has this id.")
  var ifAbsent = false

  @Option(
    help: ArgumentHelp(
      "Save only if the document has this revision, as printed by put and `get --json`.", valueName: "revision"))
  var ifRevision: String?

  @Option(
    help: ArgumentHelp(
      "When to purge the document: a date, or a date and a time such as 2030-01-01T12:00Z.", valueName: "date"))
  var expires: ExpirationArgument?

  @Flag(help: "Print an object with id, collection, sequence, revision and expiration.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if let option = UnknownOption.first(in: CommandLine.arguments, known: PutCommand.optionNames) {
      throw ValidationError(
        "Unknown option '\(option)'. For an id that begins with -, write: concord put -- \(option) …")
    }
    let positions = arguments.count + (new ? 1 : 0)
    if positions == 0 { throw ValidationError("The id of the document is missing. Give an id, or --new.") }
    if positions > 2 { throw ValidationError("Too many arguments: put takes an id and JSON in quotation marks.") }
    if positions == 2, file != nil { throw ValidationError("Give the JSON as an argument or with --file, not both.") }
    if positions == 1, file == nil, blob.isEmpty, !merge || expires == nil {
      throw ValidationError("The document is missing. Give JSON, --file PATH, or - for the standard input.")
    }
    if new, merge || ifAbsent || ifRevision != nil {
      throw ValidationError("--new creates a document; it cannot be combined with --merge or the conditions.")
    }
    if ifAbsent, merge || ifRevision != nil {
      throw ValidationError("--if-absent cannot be combined with --merge or --if-revision.")
    }
  }

  /// The options of this command. The parser counts arguments before it reports unknown options, and treats the value
  /// of an unknown option as an argument.
  private static let optionNames: Set = [
    "--new", "--file", "--blob", "--merge", "--if-absent", "--if-revision", "--expires", "--json", "-d", "--database",
    "-c",
    "--collection", "--color", "-q", "--quiet", "-v", "--verbose", "-h", "--help", "--version",
  ]

  func run() throws {
    let text = try input()
    // Done before a new database is created.
    let document: MutableDocument
    do {
      document = try MutableDocument(id: new ? nil : arguments[0], json: text)
    } catch let error as CBLError where file != nil {
      throw CommandFailure("\(file ?? ""): \(error.advice)")
    }
    let blobs = try blob.map { (key: $0.key, blob: try $0.makeBlob()) }
    let database = try global.openOrCreate()
    let saving = DocumentSaving(
      document: document, text: text, blobs: blobs, merges: merge, expiration: expires?.date,
      condition: ifAbsent ? .absent : ifRevision.map { .revision($0) } ?? .none)
    let saved = try saving.run(in: try global.collectionOrNew(in: database))
    if let date = expires?.date, date <= Date() {
      global.makeMessages().warning("\(saved.id): the date of --expires is in the past, so the document is not found")
    }
    let output = StandardOutput(ignoresClosedPipe: true)
    if json {
      var line = JSONLine()
      try line.addIdentity(of: saved)
      output.writeJSON(line.text)
    } else {
      output.writeLine(global.verbose ? "\(saved.id)\t\(saved.revisionID ?? "")" : saved.id)
    }
    output.flush()
    try database.close()
  }

  private func input() throws -> String {
    let argument = arguments.dropFirst(new ? 0 : 1).first
    // The document consists only of its blobs.
    guard file != nil || argument != nil else { return "{}" }
    if file == nil, let argument, argument != "-" { return argument }
    let text = try InputText.read(file ?? "-")
    // White space around the object belongs to the file, not to the document.
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
