public import GRDB

/// The configuration of a ``Store``.
public struct StoreConfiguration: Sendable {
  /// Whether to open an existing file for reading only.
  public var isReadOnly = false

  /// Whether to create the file if it does not exist. If not, a missing file is an error.
  public var createsFile = true

  /// Whether every commit waits for the disk (`synchronous=FULL`), so that a power failure does not lose any commits.
  /// Otherwise a power failure may lose the last commits; the file stays consistent, and a killed process loses
  /// nothing.
  public var fullSync = false

  /// The number of seconds that a writer waits for another process that is writing.
  public var busyTimeout: Double = 10

  /// Returns the nearest timeout that SQLite supports; SQLite stores a timeout as a 32-bit number of milliseconds.
  package static func possibleTimeout(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 2_000_000) : 0 }

  /// The size of the page cache of each connection, in bytes.
  public var pageCacheSize = 32 << 20

  /// The memory for changes to indexes that are not written yet, in bytes.
  public var indexMemory = 256 << 20

  /// Called for every connection when it opens, to register the functions, tokenizers and collations that indexes need.
  public var prepareConnection: (@Sendable (Database) throws -> Void)?

  /// Called on another thread if the process exits while the store is open, after the write-ahead log has been
  /// checkpointed. `isComplete` is true if the file contains the whole log.
  public var didCheckpointAtExit: (@Sendable (_ isComplete: Bool) -> Void)?

  /// Returns whether an object of the schema belongs to an index, judged by its SQL. If set, opening a file with
  /// objects that this library does not create throws ``StoreErrorKind/foreignObject``; if nil, the schema is not
  /// checked.
  public var isIndexObject: (@Sendable (SchemaObject) -> Bool)?

  /// The storage of a store whose rows are in another database; nil for a file.
  package var remote: (any RemoteStorage)?

  /// Creates the default configuration.
  public init() {}
}
