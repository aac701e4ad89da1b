import ArgumentParser
@_spi(Command) import Concordance
import ConcordanceNetwork
import Foundation

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Replicate a database with another one, or with a server.",
    discussion: """
      Sends and receives the changes since the last run. The other side is a database file, which is created if it does \
      not exist, or the URL of a database that `concord listen`, `concord serve`, Couchbase Lite 4 or \
      Sync Gateway 4 serves.

        $ concord sync notes.concord backup.concord --push
        $ concord sync notes.concord ws://localhost:4984/notes
        $ CONCORD_PASSWORD=… concord sync notes.concord wss://host:4984/notes --user ann --continuous
        $ concord sync notes.concord wss://host:4984/notes --push \\
            --filter 'type = "hotel"'

      All collections are replicated, or those that --collection lists: `-c notes,shop.items`.

      If both sides have changed a document, the later change wins; a deletion wins over a change.

      Exit status: 0 done, 2 the connection failed, or a document could not be replicated.
      """)

  @Argument(help: ArgumentHelp("The database file.", valueName: "file"), completion: .file(extensions: ["concord"]))
  var file: String

  @Argument(
    help: ArgumentHelp("The other database: a file, or a URL that begins with ws:// or wss://.", valueName: "target"),
    completion: .file(extensions: ["concord"]))
  var target: String

  @Flag(help: "Send changes. (default: send and receive)")
  var push = false

  @Flag(help: "Receive changes. (default: send and receive)")
  var pull = false

  @Flag(help: "Wait for further changes until SIGINT or SIGTERM.")
  var continuous = false

  @Flag(help: "Compare all documents, not only those that have changed since the last run.")
  var reset = false

  @Option(
    help: ArgumentHelp(
      "Replicate only documents that satisfy this SQL++ condition. Deletions are always replicated.",
      valueName: "condition"))
  var filter: String?

  @Flag(help: "Print the result as a JSON object; with --continuous, also each time all changes have been exchanged.")
  var json = false

  @OptionGroup
  var connection: SyncConnectionOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if global.database != nil { throw ValidationError("--database is not used; both databases are arguments.") }
    if !isURL, connection.isUsed {
      throw ValidationError("The connection options require a URL that begins with ws:// or wss://.")
    }
    if isUnencryptedURL, connection.usesTLS {
      throw ValidationError(
        "--certificate, --accept-self-signed, --client-certificate and --client-key require a URL that begins with "
          + "wss://; connections to \(target) are not encrypted.")
    }
    _ = try global.replicatedCollections()
  }

  private var isURL: Bool { target.contains("://") }

  private var isUnencryptedURL: Bool {
    ["ws://", "blip://"].contains { target.lowercased().hasPrefix($0) }
  }

  private var type: ReplicatorType { push == pull ? .pushAndPull : push ? .push : .pull }

  func run() throws {
    let messages = global.makeMessages()
    guard isURL || FilePath.absolute(file) != FilePath.absolute(target) else {
      throw CommandFailure("\(file) and \(target) are the same database")
    }
    if isUnencryptedURL, connection.sendsSecret,
      let host = URL(string: target)?.host, !ListenCommand.isLoopback(host.filter { $0 != "[" && $0 != "]" })
    {
      messages.warning(
        "without TLS (wss://), the password and the documents can be read by other machines on the network")
    }
    let receiver = type == .pull ? file : target
    let isNew = (type == .pull || !isURL) && !FilePath.exists(receiver)
    // A target that does not exist is reported before a database is created.
    let source = type == .pull && !isURL ? try global.openForWriting(target) : nil
    let database = try type == .pull && isNew ? Database(path: file) : global.openForWriting(file)
    let other = try isURL ? nil : source ?? Database(path: target)
    do {
      try replicate(database, other, messages)
    } catch {
      // The error that made the command fail is reported, not those of cleaning up.
      if isNew { SyncCommand.deleteIfEmpty(type == .pull ? database : other) }
      try? database.close()
      try? other?.close()
      throw error
    }
    try database.close()
    try other?.close()
  }

  /// Deletes a database that this command has created and in which it could not store any document.
  private static func deleteIfEmpty(_ database: Database?) {
    guard let database, let collections = try? database.scopes().flatMap({ try $0.collections() }),
      collections.allSatisfy({ $0.count == 0 })
    else { return }
    try? database.delete()
  }

  private func replicate(_ database: Database, _ other: Database?, _ messages: Messages) throws {
    var config = ReplicatorConfiguration(
      collections: try collectionConfigurations(database, other), target: try endpoint(other))
    config.replicatorType = type
    config.continuous = continuous
    try connection.apply(to: &config)
    let run = SyncRun(try Replicator(config: config), messages, printsJSON: json, hasFilter: filter != nil)
    let outcome = run.untilEnd(reset: reset)
    if let error = outcome.error {
      let isUntrusted = error.code == CBLError.tlsCertUntrusted && !connection.usesTLS
      throw CommandFailure(error.message + (isUntrusted ? "; use --certificate or --accept-self-signed" : ""))
    }
    if outcome.failedCount > 0 { throw ExitCode(ExitStatus.error) }
  }

  private func endpoint(_ other: Database?) throws -> any Endpoint {
    if let other { return DatabaseEndpoint(database: other) }
    guard let url = URL(string: target) else { throw CommandFailure("\(target): not a URL") }
    return URLEndpoint(url: url)
  }

  /// Returns the configurations of the collections, which are created on the side that receives.
  private func collectionConfigurations(
    _ database: Database, _ other: Database?
  ) throws -> [CollectionConfiguration] {
    let names = try global.replicatedCollections()
    var collections =
      try type == .pull && !names.isEmpty
      ? names.map { try SyncCommand.create($0, in: database) } : global.collections(in: database, file)
    if let other {
      if type != .push, names.isEmpty {
        let others = try other.scopes().flatMap { try $0.collections() }.map(\.fullName)
        collections = try Set(others + (type == .pull ? [] : collections.map(\.fullName))).sorted().map {
          try SyncCommand.create($0, in: database)
        }
      }
      for collection in collections { _ = try SyncCommand.create(collection.fullName, in: other) }
    }
    var options = CollectionConfiguration()
    if let filter {
      let condition = try DocumentCondition(filter, database)
      let isIncluded: ReplicationFilter = { document, flags in
        // A condition that cannot be evaluated, for example because a number overflows, is not true.
        flags.contains(.deleted) || (try? condition.isSatisfied(by: document)) ?? false
      }
      options.pushFilter = isIncluded
      options.pullFilter = isIncluded
      options.filterID = filter
    }
    return .fromCollections(collections, config: options)
  }

  /// Returns the collection with a name; creates it if it does not exist.
  private static func create(_ name: String, in database: Database) throws -> Collection {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2
      ? try database.createCollection(name: parts[1], scope: parts[0]) : try database.createCollection(name: name)
  }
}
