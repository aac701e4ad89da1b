public import Foundation
public import Logging

/// The options that a ``Database`` is opened with.
///
/// ```swift
/// var config = DatabaseConfiguration()
/// config.isReadOnly = true
/// let database = try Database(path: "travel.concord", config: config)
/// ```
public struct DatabaseConfiguration: Sendable {
  /// The default of ``fullSync``: false.
  public static let defaultFullSync = false

  /// The folder of the file, created if it does not exist. By default `$XDG_DATA_HOME/concordance`, otherwise
  /// `~/.local/share/concordance`. ``Database/init(path:config:)`` does not use it.
  public var directory: String

  /// Whether each commit waits until the disk has stored it, so that a power failure loses no committed change. A
  /// process that is killed loses none in either case. False by default.
  public var fullSync = defaultFullSync

  /// A key for encryption, which this library does not support: opening a database with a key throws
  /// ``CBLError/unsupportedEncryption``, so that nothing is written unencrypted by mistake.
  public var encryptionKey: EncryptionKey?

  /// Whether an existing database is opened for reading only. Nothing is created, rebuilt or purged then. False by
  /// default.
  public var isReadOnly = false

  /// Whether the database is created if it does not exist. If false, opening throws ``CBLError/notFound``. True by
  /// default.
  public var createsDatabase = true

  /// Whether opening rebuilds full-text indexes that were built with another version of the text analysis (ICU,
  /// Snowball, or rules of this library). If false, such an index throws ``CBLError`` when it is used, until it is
  /// rebuilt. True by default.
  public var rebuildsOutdatedIndexes = true

  /// The steps that bring a database to the version of the program's schema, see ``Migration``. They run when the
  /// database is opened, see ``Database/migrate(_:)``. If the list is empty, the default, every database can be opened.
  public var migrations: [Migration] = []

  /// How many seconds a writer waits for another process that is writing before it throws ``CBLError/busy``. 10 by
  /// default.
  public var busyTimeout: TimeInterval = 10

  /// The bytes of the file that each connection keeps in memory: 32 MiB by default.
  ///
  /// There is one connection for each thread that reads at the same time, and one that writes. The cache of the
  /// operating system is not included. A smaller value makes repeated reads slower.
  public var pageCacheSize = 32 << 20

  /// The logger that receives events: opening, closing and the checkpoint at the exit of the process, steps of
  /// migrations, upgrades and rebuilt indexes, slow operations, and errors that no call can report. If nil, the default,
  /// nothing is logged.
  ///
  /// ```swift
  /// config.logger = Logger(label: "notes")
  /// ```
  ///
  /// The texts of queries are logged at the level `debug` and below, contents of documents never.
  public var logger: Logger?

  /// Queries, searches and waits for other writers that take at least this long are logged at the level `notice`. 1 s
  /// by default.
  public var slowOperationThreshold: Duration = .seconds(1)

  /// Whether the database is opened only to verify it, in whatever state it is. Nothing is created, rebuilt or purged.
  @_spi(Command) public var isForChecking = false

  /// Makes a configuration with the defaults.
  public init() { directory = DatabaseConfiguration.defaultDirectory }

  /// Makes a copy of a configuration, or one with the defaults.
  ///
  /// - Parameter config: the configuration to copy; nil for the defaults.
  public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

  /// The default of ``directory``.
  public static var defaultDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/concordance" }
    return NSHomeDirectory() + "/.local/share/concordance"
  }
}

/// A key for ``DatabaseConfiguration/encryptionKey``. Encryption is not supported; the type exists so that programs for
/// Couchbase Lite compile.
public struct EncryptionKey: Hashable, Sendable {
  private let bytes: Data

  /// Makes a key from 32 bytes.
  ///
  /// - Parameter key: the bytes.
  public static func key(_ key: Data) -> EncryptionKey { EncryptionKey(bytes: key) }

  /// Makes a key from a password.
  ///
  /// - Parameter password: the password.
  public static func password(_ password: String) -> EncryptionKey { EncryptionKey(bytes: Data(password.utf8)) }
}
