package import PostgresAccess

/// The PostgreSQL side of a transaction: what the parts of a store (documents, indexes, segments) need to read and write
/// rows. It belongs to the thread that runs the transaction.
///
/// A read session sees one unchanging state (`REPEATABLE READ`); its transaction begins in the round trip of its first
/// statement. A write session holds the lock of writers, collects what is enqueued, and sends it before the next read or
/// at the commit.
package protocol PostgresSession: AnyObject {
  /// The division of rows into shards.
  var shards: ShardLayout { get }

  /// Whether the transaction can write.
  var isWriting: Bool { get }

  /// The number of times that this session has waited for the server since it was opened; `--explain` shows differences.
  var roundTripCount: Int { get }

  /// A number that identifies the state that a read session sees: it is the number of write transactions that were
  /// committed before, so two sessions with equal numbers see equal rows. In a write session, the number before its own
  /// changes.
  ///
  /// - Throws: ``PostgresError``.
  func snapshot() throws -> Int64

  /// Runs statements in one round trip and returns the result of each, after the enqueued statements.
  ///
  /// Tables are in the schema of the store, so their names need no qualification.
  ///
  /// - Throws: ``PostgresError``.
  func query(_ statements: [PostgresStatement]) throws -> [PostgresResult]

  /// Adds a statement that changes rows, to be sent with the next ``query(_:)`` or the commit. Its errors appear there.
  ///
  /// - Throws: ``PostgresError`` if the buffer is full and sending it fails, or if the session cannot write.
  func enqueue(_ statement: PostgresStatement) throws

  /// Sends the enqueued statements, then copies rows into a table.
  ///
  /// - Parameters:
  ///   - target: the table and its columns, such as `cx_blk (idx, shard, seg, bno, payload)`.
  ///   - rows: the rows, with fields of exactly the types of the columns.
  /// - Throws: ``PostgresError``.
  func copy(into target: String, _ rows: PostgresCopyRows) throws
}

extension PostgresSession {
  /// Runs one statement.
  package func query(_ text: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
    guard let result = try query([PostgresStatement(text, parameters)]).first else {
      throw PostgresError(.connectionLost, "PostgreSQL returned no result")
    }
    return result
  }
}
