import ArgumentParser
@_spi(Command) import Concordance
import Foundation

/// Options for the database, the collection and messages of a command.
protocol DatabaseArguments {
  var database: String? { get }
  var collection: String? { get }
  var color: ColorMode { get }
  var quiet: Bool { get }
  var verbose: Bool { get }
}

/// The options of every command except `grep`, see ``GrepDatabaseOptions``.
struct GlobalOptions: ParsableArguments, DatabaseArguments {
  @Option(name: .shortAndLong, help: databaseHelp, completion: .file(extensions: ["concord"]))
  var database: String?

  @Option(name: .shortAndLong, help: collectionHelp)
  var collection: String?

  @Option(help: colorHelp)
  var color = ColorMode.auto

  @Flag(name: .shortAndLong, help: "Print no messages except errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more messages.")
  var verbose = false

  static let databaseHelp = ArgumentHelp(
    """
    The database file, or the address of a database on PostgreSQL, postgresql://… (default: $CONCORD_DATABASE, else \
    corpus.concord in the current folder)
    """, valueName: "path")

  /// The help of `--collection` for the command of this process. Commands cannot declare the option differently: the
  /// parser passes the options of the root command only to a group of the same type.
  static var collectionHelp: ArgumentHelp {
    switch RepeatedCollections.command(in: Array(CommandLine.arguments.dropFirst())) {
    case "sync", "listen":
      ArgumentHelp("The collections, separated by commas, as NAME or SCOPE.NAME. (default: all)", valueName: "name")
    case "query", "explain":
      // A query names its collections.
      .hidden
    case nil:
      // The help of all commands, for the man page and completion scripts.
      ArgumentHelp(
        """
        The collection, as NAME or SCOPE.NAME; for `sync` and `listen`, several, separated by commas. Not for `query` \
        and `explain`. (default: the default collection; for `sync` and `listen`, all)
        """, valueName: "name")
    default:
      ArgumentHelp("The collection, as NAME or SCOPE.NAME. (default: the default collection)", valueName: "name")
    }
  }

  static let colorHelp = ArgumentHelp("When to use colours; NO_COLOR is respected.", valueName: "when")
}

extension DatabaseArguments {
  /// The path of the database.
  var databasePath: String {
    if let database { return database }
    if let path = ProcessInfo.processInfo.environment["CONCORD_DATABASE"], !path.isEmpty { return path }
    return "corpus.concord"
  }

  /// The database in messages: its path, or its address without the password.
  var databaseName: String { DatabaseAddress.withoutPassword(databasePath) }

  /// Whether the database is on PostgreSQL, or its file exists.
  var hasDatabase: Bool { Database.isURL(databasePath) || FilePath.exists(databasePath) }

  /// Returns the printer of messages.
  func makeMessages() -> Messages { Messages(isQuiet: quiet, isVerbose: verbose, color: color) }

  /// The style of results.
  var outputStyle: Style { Style(isOn: color.isOn(for: STDOUT_FILENO)) }

  /// Opens the database for a command that does not modify it.
  ///
  /// - Parameter pageCacheSize: the size of the page cache, smaller for a command that reads every page once; nil for
  ///   the default.
  func openForReading(pageCacheSize: Int? = nil) throws -> Database {
    var config = DatabaseConfiguration()
    config.isReadOnly = true
    if let pageCacheSize { config.pageCacheSize = pageCacheSize }
    let database = try open(nil, config)
    OpenDatabases.keep(database)
    return database
  }

  /// Opens the database for a command that modifies an existing one.
  ///
  /// - Parameters:
  ///   - path: the file; nil for the one that the options name.
  ///   - memory: the memory for writing indexes.
  func openForWriting(_ path: String? = nil, memory: IndexMemoryOption? = nil) throws -> Database {
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    memory?.apply(to: &config)
    return try open(path, config)
  }

  /// Opens the database for a check, which modifies nothing.
  func openForChecking() throws -> Database {
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    config.isForChecking = true
    return try open(nil, config)
  }

  /// Opens the database, or creates it. An empty file may be a database that was truncated, so it is reported.
  ///
  /// - Parameter memory: the memory for writing indexes.
  func openOrCreate(memory: IndexMemoryOption? = nil) throws -> Database {
    var status = stat()
    if stat(databasePath, &status) == 0, status.st_size == 0, DatabaseFile.size(databasePath) == 0 {
      makeMessages().warning("\(databasePath) is an empty file; a new database is created in it")
    }
    var config = DatabaseConfiguration()
    memory?.apply(to: &config)
    return try open(nil, config)
  }

  /// Returns the collection that the options name.
  ///
  /// - Throws: ``CommandFailure`` if it does not exist.
  func collection(in database: Database) throws -> Collection {
    let (name, scope) = collectionName
    if let found = try database.collection(name: name, scope: scope) { return found }
    let known = try database.allCollections().map(\.fullName).joined(separator: ", ")
    // Opening a database for writing creates the default collection; one on PostgreSQL may never have been opened.
    guard !known.isEmpty else {
      throw CommandFailure(
        "\(databaseName): the database is empty; add documents with `concord index PATH…`, `concord put` or "
          + "`concord import`")
    }
    throw CommandFailure("\(databaseName): there is no collection \(scope).\(name); the collections are \(known)")
  }

  /// Returns the collection that the options name; creates it if it does not exist.
  func collectionOrNew(in database: Database) throws -> Collection {
    let (name, scope) = collectionName
    return try database.createCollection(name: name, scope: scope)
  }

  private var collectionName: (name: String, scope: String) {
    GlobalOptions.collectionName(collection ?? Database.defaultCollectionName)
  }

  /// Returns the parts of NAME or SCOPE.NAME.
  static func collectionName(_ text: String) -> (name: String, scope: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2
      ? (String(parts[1]), String(parts[0])) : (String(parts[0]), Database.defaultScopeName)
  }

  private func open(_ path: String?, _ config: DatabaseConfiguration) throws -> Database {
    let path = path ?? databasePath
    try DatabaseAddress.check(path)
    if Database.isURL(path) {
      return try DatabaseAddress.advising(path) { try Database(url: path, config: config) }
    }
    do {
      return try Database(path: path, config: config)
    } catch let error as CBLError where error.code == CBLError.notFound {
      throw CommandFailure(
        "\(path): there is no such database; create one with `concord index PATH…`, `concord put` or `concord import`"
      )
    }
  }
}
