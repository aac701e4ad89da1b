import PostgresAccess
import TestSupport
import TextIndex

@testable import PostgresStore

/// Segments in a database of PostgreSQL.
final class PostgresBackend: SegmentBackend, MaintenanceTransactions {
  private let address: String
  private let shards: ShardLayout
  /// Connections that no transaction uses.
  private var free: [PostgresConnection] = []
  private let index: Int64
  private let division: RowDivision
  /// The number of transactions with the lock of writers.
  private(set) var writeCount = 0
  /// Called with each session before it ends.
  var observer: (PlainSession) -> Void = { _ in }

  /// - Parameter index: the ID of the index.
  init(shards: ShardLayout, index: Int64, _ division: RowDivision) throws {
    (self.shards, self.index, self.division) = (shards, index, division)
    address = try TemporaryCluster.makeDatabase()
    try PostgresConnection(address).execute(SegmentSchema.script)
  }

  func transaction<T>(_ begin: String, isWriting: Bool, _ body: (PlainSession) throws -> T) throws -> T {
    let connection = try free.popLast() ?? PostgresConnection(address)
    let session = PlainSession(connection, shards, isWriting: isWriting)
    try connection.execute(begin)
    do {
      let result = try body(session)
      try session.send()
      try connection.execute("COMMIT")
      observer(session)
      free.append(connection)
      return result
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isWriting: false, body)
  }

  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    writeCount += 1
    return try transaction("BEGIN", isWriting: true, body)
  }

  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T {
    let connection = try PostgresConnection(address)
    try connection.execute("BEGIN")
    let result = try body(connection)
    try connection.execute("COMMIT")
    return result
  }

  func vacuum(_ tables: [String], on node: Int) throws {
    try PostgresConnection(address).execute("VACUUM \(tables.joined(separator: ", "))")
  }

  func lock<T>(_ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T) throws -> T? {
    try PostgresConnection(address).withAdvisoryLock(number, body)
  }

  /// Ends the sessions that hold locks of indexes.
  func endLockingSessions() throws { try PostgresConnection(address).endLockingSessions() }

  func read<T>(_ body: (any SegmentStorage & ManifestSource) throws -> T) throws -> T {
    try read { (session: any PostgresSession) in try body(PostgresSegments(index: index, session, division)) }
  }

  func write<T>(_ body: (any SegmentTarget) throws -> T) throws -> T {
    try write { (session: any PostgresSession) in try body(PostgresSegments(index: index, session, division)) }
  }

  func merge(_ range: Range<Int>, of manifest: ShardManifest, _ maintenance: SegmentMaintenance) throws {
    try write { (session: any PostgresSession) in
      let segments = PostgresSegments(index: index, session, division)
      let output = try segments.makeSegment(shard: manifest.shard)
      let entry = try maintenance.merge(range, of: manifest, segments, to: output)
      _ = try maintenance.replace(Array(manifest.segments[range]), with: entry, shard: manifest.shard, segments)
    }
  }
}

/// A session on a connection in a transaction.
final class PlainSession: PostgresSession {
  let shards: ShardLayout
  let isWriting: Bool
  let nodes: NodeLayout
  private let connection: PostgresConnection
  private let firstRoundTrip: Int
  private var enqueued: [PostgresStatement] = []

  init(_ connection: PostgresConnection, _ shards: ShardLayout, isWriting: Bool) {
    (self.connection, self.shards, self.isWriting) = (connection, shards, isWriting)
    firstRoundTrip = connection.roundTripCount
    nodes = NodeLayout(single: shards)
  }

  var roundTripCount: Int { connection.roundTripCount - firstRoundTrip }

  func snapshot() -> Int64 { 0 }

  func query(_ batches: [NodeStatements]) throws -> [[PostgresResult]] {
    let statements = batches.flatMap(\.statements)
    let waiting = enqueued
    enqueued = []
    return [Array(try connection.run(waiting + statements).dropFirst(waiting.count))]
  }

  func enqueue(_ statement: PostgresStatement, on node: Int) { enqueued.append(statement) }

  func send() throws { _ = try query([NodeStatements(0, [])]) }

  func copy(into target: String, _ rows: PostgresCopyRows, on node: Int) throws {
    try send()
    try connection.copy(into: target, rows)
  }
}
