public import Foundation
public import Logging

/// How a ``Database`` is opened.
public struct DatabaseConfiguration: Sendable {
  /// Whether commits wait for the disk unless said otherwise: no.
  public static let defaultFullSync = false

  /// The folder of the file. By default `$XDG_DATA_HOME/concordance`, else `~/.local/share/concordance`; made if it is
  /// not there.
  public var directory: String

  /// Waits for the disk at every commit, so that a power failure loses none. A process that is killed loses nothing in
  /// either case.
  public var fullSync = defaultFullSync

  /// A key for encryption, which this library does not have: opening a database with one throws
  /// ``CBLError/unsupportedEncryption``, so that nothing is written in the clear by mistake.
  public var encryptionKey: EncryptionKey?

  /// Opens an existing database for reading only.
  public var isReadOnly = false

  /// Creates the database when there is none.
  public var createsDatabase = true

  /// Makes full-text indexes anew on opening where the text analysis has changed since they were filled (a new version of
  /// ICU, of Snowball or of this library). Without it, they refuse to be used until they are rebuilt.
  public var rebuildsOutdatedIndexes = true

  /// The steps that bring a database to the version that the program needs; see ``Migration``. They run when the database is
  /// opened, see ``Database/migrate(_:)``. A program without any does not ask which the database has run.
  public var migrations: [Migration] = []

  /// How long a writer waits for another process that is writing, in seconds, before it fails with
  /// ``CBLError/busy``.
  public var busyTimeout: TimeInterval = 10

  /// Bytes of the file that each connection keeps in memory: 32 MiB. There is a connection for each thread that reads at the
  /// same time, and one that writes. What the operating system keeps of the file comes on top; a small number makes repeated
  /// reads slower, and costs no answer.
  public var pageCacheSize = 32 << 20

  /// Where the database logs what it does: opening and closing, upgrades and rebuilt indexes, slow operations, and errors that no
  /// call can report. Without a logger, the default, it logs nothing.
  ///
  /// ```swift
  /// config.logger = Logger(label: "notes")
  /// ```
  ///
  /// Texts of queries appear at the level `debug` and below alone, contents of documents never.
  public var logger: Logger?

  /// Queries, searches and waits for other writers that take at least so long are logged at the level `notice`: 1 s.
  public var slowOperationThreshold: Duration = .seconds(1)

  /// Opens the database to be verified and for nothing else: as it is, with whatever is in it. Nothing is created, rebuilt or
  /// purged.
  @_spi(Command) public var isForChecking = false

  /// The defaults.
  public init() { directory = DatabaseConfiguration.defaultDirectory }

  /// A copy, or the defaults.
  public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

  /// The folder of databases that name none.
  public static var defaultDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/concordance" }
    return NSHomeDirectory() + "/.local/share/concordance"
  }
}

/// A key to encrypt a database with. See ``DatabaseConfiguration/encryptionKey``.
public struct EncryptionKey: Hashable, Sendable {
  private let bytes: Data

  /// A key of 32 bytes.
  public static func key(_ key: Data) -> EncryptionKey { EncryptionKey(bytes: key) }

  /// A key made of a password.
  public static func password(_ password: String) -> EncryptionKey { EncryptionKey(bytes: Data(password.utf8)) }
}
