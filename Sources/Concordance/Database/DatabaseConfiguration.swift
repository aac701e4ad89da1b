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
  /// The default value of ``fullSync``: false.
  public static let defaultFullSync = false

  /// The folder that contains the file. It is created if it does not exist.
  ///
  /// The default is `$XDG_DATA_HOME/concordance`, or `~/.local/share/concordance` if the variable is not set.
  /// ``Database/init(path:config:)`` ignores this property.
  public var directory: String {
    get { chosenDirectory ?? DatabaseConfiguration.defaultDirectory }
    set { chosenDirectory = newValue }
  }

  /// The folder that the program has chosen; nil for the default. Finding the default takes longer than opening a small
  /// file, and programs that open a path do not need it.
  private var chosenDirectory: String?

  /// Whether each commit waits until its data is on the disk, so that a power failure cannot lose a committed change.
  ///
  /// If false, the default, a power failure may lose the most recent commits, but it does not damage the file. Killing
  /// the process loses no committed change in either case.
  public var fullSync = defaultFullSync

  /// An encryption key. This library does not support encryption: opening a database with a key throws
  /// ``CBLError/unsupportedEncryption``, so that nothing is written unencrypted by mistake.
  public var encryptionKey: EncryptionKey?

  /// Whether the database is opened for reading only. If true, the file must exist, no index is rebuilt, and no expired
  /// document is purged. False by default.
  public var isReadOnly = false

  /// Whether the database is created if it does not exist. If false, opening throws ``CBLError/notFound``. True by
  /// default.
  public var createsDatabase = true

  /// Whether opening rebuilds full-text indexes that were built with another version of the text analysis (ICU,
  /// Snowball, or rules of this library). If false, searches that use such an index throw
  /// ``CBLError/corruptData`` until it is rebuilt, as always on PostgreSQL, where other programs use the index. True by
  /// default.
  public var rebuildsOutdatedIndexes = true

  /// The steps that bring a database to the current version of the program's schema. See ``Migration``.
  ///
  /// They run when the database is opened. See ``Database/migrate(_:)``. If the array is empty, the default, the
  /// applied migrations of the database are not checked.
  public var migrations: [Migration] = []

  /// The time, in seconds, that a writer waits for the write lock of another process before it throws
  /// ``CBLError/busy``. 10 by default. Readers of a database on several PostgreSQL servers wait as long for a commit
  /// that has not reached all servers.
  public var busyTimeout: TimeInterval = 10

  /// The size of the page cache of each connection, in bytes. 32 MiB by default.
  ///
  /// There is one connection for writing, and one for each thread that reads at the same time. The cache of the
  /// operating system is not included. A smaller value makes repeated reads slower.
  public var pageCacheSize = 32 << 20

  /// The memory for changes to each full-text or pattern index that are not in the file yet, in bytes; at least 1 MiB.
  /// 256 MiB by default.
  ///
  /// Building an index writes a segment when this memory is full. A ``DocumentImporter`` or ``DatabaseImport`` analyzes
  /// an eighth of it at a time, in bytes of text, and holds the documents of three such batches; in a database on
  /// PostgreSQL, a sixteenth and five. A smaller value makes more segments, which are merged later, so indexing takes
  /// longer; a larger value makes it faster.
  public var indexMemory = 256 << 20

  /// The logger for events: opening and closing, the checkpoint when the process exits, migration steps, upgrades,
  /// rebuilt indexes, slow operations, and errors that cannot be thrown to a caller. If nil, the default, nothing is
  /// logged.
  ///
  /// ```swift
  /// config.logger = Logger(label: "notes")
  /// ```
  ///
  /// Query texts are logged only if the level of the logger is `debug` or `trace`. The content of documents is never
  /// logged.
  public var logger: Logger?

  /// The minimum duration of a query, search or wait for another writer that is logged at the level `notice`. 1 s by
  /// default.
  public var slowOperationThreshold: Duration = .seconds(1)

  /// Whether the database is opened only to verify it, even if it is damaged. Nothing is created, rebuilt or purged.
  @_spi(Command) public var isForChecking = false

  /// Creates a configuration with default values.
  public init() {}

  /// Creates a copy of a configuration.
  ///
  /// - Parameter config: the configuration to copy; nil for the default values.
  public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

  /// The default value of ``directory``.
  public static var defaultDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/concordance" }
    return NSHomeDirectory() + "/.local/share/concordance"
  }
}

/// A value for ``DatabaseConfiguration/encryptionKey``.
///
/// Encryption is not supported. The type exists so that programs that were written for Couchbase Lite compile.
public struct EncryptionKey: Hashable, Sendable {
  private let bytes: Data

  /// Creates a key from bytes.
  ///
  /// - Parameter key: the bytes, 32 in Couchbase Lite.
  public static func key(_ key: Data) -> EncryptionKey { EncryptionKey(bytes: key) }

  /// Creates a key from a password.
  ///
  /// - Parameter password: the password.
  public static func password(_ password: String) -> EncryptionKey { EncryptionKey(bytes: Data(password.utf8)) }
}
