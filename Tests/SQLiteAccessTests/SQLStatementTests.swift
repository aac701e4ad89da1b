import Foundation
import GRDB
import Testing

@testable import SQLiteAccess

/// Statements bind and read by length, and report SQLite's errors.
@Suite struct SQLStatementTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.inDatabase { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)") }
  }

  @Test(arguments: ["", "a", "a\u{0}b", "\u{0}", "héllo"])
  func textKeepsItsLength(text: String) throws {
    try queue.inDatabase { db in
      let statement = try SQLStatement(cached: "SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB))", in: db)
      defer { statement.reset() }
      try statement.withText(1, text) {
        try #require(try statement.step())
        #expect(statement.row.string(0) == text)
        #expect(statement.row.string(1) == "text")
        #expect(statement.row.int64(2) == text.utf8.count)
      }
    }
  }

  @Test(arguments: [true, false]) func copiedBytesOutliveTheirArray(asText: Bool) throws {
    try queue.inDatabase { db in
      for bytes in [[], Array("a\u{0}b".utf8)] {
        let statement = try SQLStatement(sql: "SELECT ?1, typeof(?1)", in: db)
        statement.bind(1, copying: bytes, asText: asText)
        try #require(try statement.step())
        #expect(Array(statement.row.blob(0)) == bytes)
        #expect(statement.row.string(1) == (asText ? "text" : "blob"))
      }
    }
  }

  @Test func columnsHaveTypes() throws {
    try queue.inDatabase { db in
      let statement = try SQLStatement(sql: "SELECT NULL, 1, 1.5, 'a', x'00'", in: db)
      try #require(try statement.step())
      #expect((0..<5).map { statement.row.type($0) } == [.null, .integer, .double, .text, .blob])
      #expect(statement.row.bytes(0) == nil)
      #expect(statement.row.bytes(4)?.count == 1)
      #expect(try !statement.step())
    }
  }

  @Test func errorsCarryTheExtendedCodeAndTheSQL() throws {
    try queue.inDatabase { db in
      let sql = "INSERT INTO t (a) VALUES (?)"
      let insertion = try SQLStatement(cached: sql, in: db)
      insertion.bind(1, 7 as Int64)
      try insertion.run()
      #expect(insertion.lastInsertedRowID == 1 && insertion.changesCount == 1)
      let error = #expect(throws: DatabaseError.self) { try insertion.run() }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.message == "UNIQUE constraint failed: t.a")
      #expect(error?.sql == sql)
      // The statement was reset and runs again.
      insertion.bind(1, 8 as Int64)
      try insertion.run()
    }
  }

  @Test func aBoundObjectIsRetainedUntilItIsReplaced() throws {
    final class Box {}
    try queue.inDatabase { db in
      let statement = try SQLStatement(sql: "SELECT ?", in: db)
      weak var box: Box?
      do {
        let object = Box()
        box = object
        statement.bind(1, object: object, type: "box")
      }
      #expect(box != nil)
      statement.bindNull(1)
      #expect(box == nil)
    }
  }
}

/// Connections outside GRDB's pool.
@Suite struct DirectConnectionTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db").path

  @Test func aConnectionRunsStatementsAndIsCopied() throws {
    defer { for suffix in ["", ".copy"] { unlink(path + suffix) } }
    let connection = try DirectConnection(path, .creating)
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (3)")
    #expect(try value("SELECT a FROM t", connection) == 3)
    let copy = try DirectConnection(path + ".copy", .creating)
    try connection.copyPages(to: copy)
    #expect(try value("SELECT a FROM t", copy) == 3)
    copy.close()
    let reader = try DirectConnection(path, .reading)
    #expect(reader.isReadOnly && !connection.isReadOnly)
    let error = #expect(throws: DatabaseError.self) { try reader.execute("DELETE FROM t") }
    #expect(error?.resultCode == .SQLITE_READONLY && error?.sql == "DELETE FROM t")
  }

  @Test func sqliteErrorsAreThrown() throws {
    #expect(throws: DatabaseError.self) { try DirectConnection(path, .reading) }
    let connection = try DirectConnection(":memory:", .creating)
    let error = #expect(throws: DatabaseError.self) { try SQLStatement("SELECT missing", on: connection) }
    #expect(error?.message == "no such column: missing")
    #expect(error?.sql == "SELECT missing")
    #expect(throws: DatabaseError.self) { try SQLStatement(" -- a comment", on: connection) }
  }

  @Test func aStatementOutlivesTheVariableOfItsConnection() throws {
    let statement = try SQLStatement("SELECT 5", on: DirectConnection(":memory:", .creating))
    #expect(try statement.step() && statement.row.int64(0) == 5)
  }

  private func value(_ sql: String, _ connection: DirectConnection) throws -> Int64? {
    let statement = try SQLStatement(sql, on: connection)
    return try statement.step() ? statement.row.int64(0) : nil
  }
}
