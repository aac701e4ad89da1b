public import GRDB

/// How a ``Store`` opens its file.
public struct StoreConfiguration: Sendable {
  /// Opens an existing file for reading only.
  public var isReadOnly = false

  /// Creates the file when there is none. Without it, a missing file is an error.
  public var createsFile = true

  /// Waits for the disk at every commit (`synchronous=FULL`), so that a power failure loses no commit. Without it
  /// a power failure may lose the last commits; the file stays whole, and a killed process loses nothing.
  public var fullSync = false

  /// How long a writer waits for another process that is writing, in seconds.
  public var busyTimeout: Double = 10

  /// The nearest timeout that SQLite, which counts milliseconds in 32 bits, can wait for.
  static func possibleTimeout(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 2_000_000) : 0 }

  /// Bytes of pages that each connection keeps in memory.
  public var pageCacheSize = 32 << 20

  /// Runs on every connection when it opens: functions, tokenizers and collations that indexes need.
  public var prepareConnection: (@Sendable (Database) throws -> Void)?

  /// Whether an object of the schema is one that indexes make, by its SQL. With it, opening a file that holds anything which this
  /// library does not make throws ``StoreError/Kind/foreignObject``; without it, the schema is not looked at.
  public var isIndexObject: (@Sendable (SchemaObject) -> Bool)?

  /// The defaults.
  public init() {}
}
