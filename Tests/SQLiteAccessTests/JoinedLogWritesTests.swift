import Foundation
import GRDB
import GRDBSQLite
@testable import SQLiteAccess
import TestSupport
import Testing

/// A joined log contains each transaction when it is committed: a copy of the files, which is what a killed process
/// leaves, is recovered to the same rows as the database.
struct JoinedLogWritesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("joined-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var path: String { folder.appendingPathComponent("data.db").path }

  private func connect() throws -> DirectConnection {
    let connection = try DirectConnection(path, .creating)
    try connection.execute(
      """
      PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA cache_size = 20; PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT)
      """)
    return connection
  }

  private func values(_ sql: String, _ connection: DirectConnection) throws -> [String] {
    let statement = try SQLStatement(sql, on: connection)
    var values: [String] = []
    while try statement.step() { values.append(String(decoding: statement.row.blob(0), as: UTF8.self)) }
    return values
  }

  private func rows(_ connection: DirectConnection) throws -> [String] {
    try values("SELECT id || ' ' || length(text) || ' ' || substr(text, 1, 8) FROM rows ORDER BY id", connection)
  }

  /// Opens a copy of the database and its log, without the index of the log, and returns its rows.
  private func recoveredRows() throws -> [String] {
    let copy = folder.appendingPathComponent("copy-\(UUID().uuidString).db").path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let connection = try DirectConnection(copy, .writing)
    #expect(try values("PRAGMA integrity_check", connection) == ["ok"])
    return try rows(connection)
  }

  /// Changes rows so that the page cache is full and writes pages to the log several times in a transaction.
  private func change(_ connection: DirectConnection, _ random: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let id = Int.random(in: 1...300, using: &random)
      let size = Int.random(in: 1...3_000, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try connection.execute("DELETE FROM rows WHERE id BETWEEN \(id) AND \(id + 10)")
      // Without ROLLBACK TO: after one, some copies are not recovered, also without joined writes (SQLite 3.40.1).
      case 1: try connection.execute("SAVEPOINT s; DELETE FROM rows WHERE id > \(id + 200); RELEASE s")
      case 2: _ = try rows(connection)
      default: try connection.execute("INSERT OR REPLACE INTO rows VALUES (\(id), hex(randomblob(\(size))))")
      }
    }
  }

  /// SQLite writes a transaction to the log before it enlarges the index of the log.
  @Test(arguments: ["NORMAL", "FULL"]) func aTransactionThatCannotBePublishedIsNotRecovered(synchronous: String) throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let connection = try connect()
    // All pages are written by the commit.
    try connection.execute(
      "PRAGMA synchronous = \(synchronous); PRAGMA cache_size = -100000; INSERT INTO rows VALUES (1, 'first')")
    let expected = try rows(connection)
    try #require(FullIndex.install(on: connection))
    try #require(JoinedLogWrites.begin(connection))
    // More frames than the first 32 KiB of the index describe.
    let insertion = """
      WITH n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO rows SELECT i, hex(zeroblob(500)) FROM n
      """
    #expect(throws: DatabaseError.self) { try connection.execute(insertion) }
    #expect(try recoveredRows() == expected)
    #expect(try rows(connection) == expected)
    // Later transactions are written to the same place.
    try connection.execute("INSERT INTO rows VALUES (2, 'second')")
    #expect(try rows(connection) == ["1 5 first", "2 6 second"])
    #expect(try recoveredRows() == ["1 5 first", "2 6 second"])
  }

  @Test(arguments: 0..<6) func committedTransactionsAreRecovered(seed: UInt64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = SeededGenerator(seed: seed)
    let connection = try connect()
    let other = try connect()
    // With FULL, SQLite syncs the log at each commit, and writes frames until the end of a sector.
    try connection.execute("PRAGMA synchronous = \(seed % 2 == 0 ? "FULL" : "NORMAL")")
    try #require(JoinedLogWrites.begin(connection))
    #expect(!JoinedLogWrites.begin(connection))
    for round in 0..<40 {
      try connection.execute("BEGIN IMMEDIATE")
      try change(connection, &random)
      let isCommitted = Int.random(in: 0..<4, using: &random) > 0
      try connection.execute(isCommitted ? "COMMIT" : "ROLLBACK")
      // A frame of the transaction that was rolled back must not overwrite those of the other connection.
      if !isCommitted {
        try other.execute("BEGIN IMMEDIATE")
        try change(other, &random)
        try other.execute("COMMIT")
      }
      let expected = try rows(other)
      #expect(try rows(connection) == expected, "seed \(seed), round \(round)")
      #expect(try recoveredRows() == expected, "seed \(seed), round \(round)")
      if Int.random(in: 0..<8, using: &random) == 0 { _ = try connection.checkpointPassively() }
    }
    JoinedLogWrites.end(connection)
    try connection.execute("INSERT OR REPLACE INTO rows VALUES (1, 'last')")
    #expect(try recoveredRows() == rows(other))
  }

  @Test func aConnectionIsClosedWhileItsWritesAreJoined() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let connection = try connect()
    try #require(JoinedLogWrites.begin(connection))
    try connection.execute("BEGIN; INSERT INTO rows VALUES (1, hex(randomblob(100000)))")
    connection.close()
    #expect(try recoveredRows().isEmpty)
  }

  @Test func aDatabaseWithoutALogIsNotChanged() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let connection = try DirectConnection(path, .creating)
    try connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)")
    #expect(!JoinedLogWrites.begin(connection))
    JoinedLogWrites.end(connection)
    try connection.execute("INSERT INTO rows VALUES (1, 'one')")
    #expect(try recoveredRows() == ["1 3 one"])
  }
}

/// Methods of a database file on a full disk: the index of the log keeps its first 32 KiB.
private enum FullIndex {
  nonisolated(unsafe) private static var original: UnsafePointer<sqlite3_io_methods>?

  /// Replaces the methods of the database file of a connection.
  static func install(on connection: DirectConnection) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return false }
    original = original ?? methods
    var full = methods.pointee
    full.xShmMap = { file, region, size, enlarges, memory in
      guard region == 0 else { return SQLITE_IOERR | 19 << 8 }
      return FullIndex.original?.pointee.xShmMap(file, region, size, enlarges, memory) ?? SQLITE_ERROR
    }
    // Not freed, because the file is closed after the test.
    let replaced = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    replaced.initialize(to: full)
    file.pointee.pMethods = UnsafePointer(replaced)
    return true
  }
}
