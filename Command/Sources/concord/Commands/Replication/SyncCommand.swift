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
      not exist, unless --pull is given, or the URL of a database that `concord listen`, `concord serve`, Couchbase \
      Lite 4 or Sync Gateway 4 serves.

        $ concord sync notes.concord backup.concord --push
        $ concord sync notes.concord ws://localhost:4984/notes
        $ CONCORD_PASSWORD=… concord sync notes.concord \\
            wss://host:4984/notes --user ann --continuous
        $ concord sync notes.concord wss://host:4984/notes --push \\
            --filter 'type = "hotel"'

      All collections are replicated, or those that --collection lists: `-c notes,shop.items`. Both databases are arguments; \
      --database is not used.

      The first run with a URL copies the database: FILE is created if it does not exist. Indexes are not replicated; \
      create them with `concord create-index`.

      If both sides have changed a document, the later change wins; a deletion wins over a change.

      Exit status: 0 done, 2 the connection failed, or a document could not be replicated; 130 (Ctrl-C) or 143 (SIGTERM) \
      interrupted before all changes were exchanged.
      """)

  @Argument(
    help: ArgumentHelp(
      "The database file, which is created with --pull, or if the target is a URL and --push is not given.",
      valueName: "file"),
    completion: .file(extensions: ["concord"]))
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

  @Flag(
    help: """
      Print the result as a JSON object, after one for each document that could not be replicated; with --continuous, \
      also each time all changes have been exchanged.
      """)
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
    try CouchbaseLiteArgument.check(file)
    guard isURL else { return try CouchbaseLiteArgument.check(target) }
    // An address of PostgreSQL is refused for another reason.
    if !Database.isURL(target), let parts = URLComponents(string: target), parts.user != nil || parts.password != nil {
      throw ValidationError(
        "The URL contains a user name or a password, which other users of this machine can read in the list of "
          + "processes. Give --user NAME, and the password in $CONCORD_PASSWORD or with --password-file FILE.")
    }
  }

  var isURL: Bool { target.contains("://") }

  private var isUnencryptedURL: Bool {
    ["ws://", "blip://"].contains { target.lowercased().hasPrefix($0) }
  }

  var type: ReplicatorType { push == pull ? .pushAndPull : push ? .push : .pull }

  func run() throws {
    for path in [file, target] { try DatabaseAddress.requireFile(path, for: "replication is") }
    for path in isURL ? [file] : [file, target] { try DatabaseAddress.check(path) }
    let messages = global.makeMessages()
    guard isURL || FilePath.absolute(file) != FilePath.absolute(target) else {
      throw CommandFailure("\(file) and \(target) are the same database")
    }
    if isUnencryptedURL, connection.sendsSecret,
      let host = URL(string: target)?.host, !ListenCommand.isLoopback(host.filter { $0 != "[" && $0 != "]" })
    {
      messages.warning(
        "without TLS (wss://), the credentials and the documents can be read by other machines on the network")
    }
    let createsFile = (type == .pull || isURL && type == .pushAndPull) && !FilePath.exists(file)
    // A target that does not exist is reported before a database is created.
    let source = type == .pull && !isURL ? try global.openForWriting(target) : nil
    let existing = createsFile ? nil : try global.openForWriting(file)
    let offered: OfferedCollections
    do {
      offered = try offeredCollections(messages)
    } catch {
      try? existing?.close()
      throw error
    }
    let createsTarget = !isURL && !FilePath.exists(target)
    let database = try existing ?? Database(path: file)
    let other = try isURL ? nil : source ?? Database(path: target)
    do {
      try replicate(database, other, offered, isNew: createsFile, messages)
    } catch {
      // The error that made the command fail is reported, not those of cleaning up.
      if createsFile { SyncCommand.deleteIfEmpty(database) }
      if createsTarget { SyncCommand.deleteIfEmpty(other) }
      try? database.close()
      try? other?.close()
      throw error
    }
    try database.close()
    try other?.close()
  }

  /// Deletes a database that this command has created and in which it could not store any document.
  private static func deleteIfEmpty(_ database: Database?) {
    guard let database, let collections = try? database.allCollections(),
      collections.allSatisfy({ $0.count == 0 })
    else { return }
    try? database.delete()
  }

  func configuration(
    _ collections: [CollectionConfiguration], _ target: any Endpoint
  ) throws -> ReplicatorConfiguration {
    var config = ReplicatorConfiguration(collections: collections, target: target)
    config.replicatorType = type
    config.continuous = continuous
    try connection.apply(to: &config)
    return config
  }

  /// Returns the failure for an error of the connection, with the options that may help.
  func failure(_ error: CBLError) -> CommandFailure {
    let advice =
      switch error.code {
      case CBLError.tlsCertUntrusted where !connection.usesTLS: "; use --certificate or --accept-self-signed"
      case CBLError.httpAuthRequired where !connection.sendsCredentials:
        "; give --user NAME, and the password in $CONCORD_PASSWORD or with --password-file FILE. For `concord serve`, the "
          + "password is a token, and any name is accepted"
      case CBLError.httpForbidden where type != .pull: "; to only receive changes, use --pull"
      default: ""
      }
    return CommandFailure(error.message + advice)
  }

  private func replicate(
    _ database: Database, _ other: Database?, _ offered: OfferedCollections, isNew: Bool, _ messages: Messages
  ) throws {
    let existing = Set(try database.allCollections().map(\.fullName))
    let collections = try collections(database, other, offered, isNew: isNew, messages)
    let config = try configuration(try configurations(of: collections, database), try endpoint(other))
    if isNew, isURL {
      messages.note("creating \(file) with \(collections.map(\.fullName).joined(separator: ", "))")
    }
    let run = SyncRun(try Replicator(config: config), messages, printsJSON: json, hasFilter: filter != nil)
    let outcome = run.untilEnd(reset: reset)
    if let error = outcome.error {
      if outcome.receivedCount == 0 {
        SyncCommand.deleteEmpty(collections.filter { !existing.contains($0.fullName) }, of: database)
      }
      throw failure(error)
    }
    if let signal = outcome.interruption {
      throw CommandFailure(
        "interrupted before all changes were exchanged; to continue, run the command again",
        status: ExitStatus.interrupted(by: signal))
    }
    if outcome.failedCount > 0 { throw ExitCode(ExitStatus.error) }
  }

  func endpoint(_ other: Database?) throws -> any Endpoint {
    if let other { return DatabaseEndpoint(database: other) }
    guard let url = URL(string: target) else { throw CommandFailure("\(target): not a URL") }
    return URLEndpoint(url: url)
  }

  private func configurations(
    of collections: [Concordance.Collection], _ database: Database
  ) throws -> [CollectionConfiguration] {
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
}
