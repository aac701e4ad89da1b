import GRDB
import SQLiteAccess
import Testing

/// The causes that only SQLite's messages tell apart. A version of SQLite with other messages fails here.
struct DatabaseErrorCauseTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE VIRTUAL TABLE words USING fts5(text)") }
  }

  private func cause(_ sql: String, _ arguments: StatementArguments = []) -> SQLiteErrorCause? {
    let error = #expect(throws: DatabaseError.self) {
      try queue.read { db in _ = try Row.fetchAll(db, sql: sql, arguments: arguments) }
    }
    return error?.cause
  }

  @Test func missingTable() { #expect(cause("SELECT 1 FROM absent") == .missingTable("absent")) }

  @Test func missingColumn() { #expect(cause("SELECT absent FROM words") == .missingObject) }

  @Test func missingFunction() { #expect(cause("SELECT absent(1)") == .missingObject) }

  @Test func nestedExpression() {
    let sql = "SELECT " + String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
    #expect(cause(sql) == .statementLimit)
  }

  @Test func tooManyTables() {
    let sql = "SELECT 1 FROM " + (0...64).map { "words AS t\($0)" }.joined(separator: ", ")
    #expect(cause(sql) == .statementLimit)
  }

  @Test func nestedMatchExpression() {
    let query = String(repeating: "(", count: 5_000) + "a" + String(repeating: ")", count: 5_000)
    guard case .fts5Limit = cause("SELECT 1 FROM words WHERE words MATCH ?", [query]) else {
      Issue.record("FTS5 reports another error")
      return
    }
  }

  @Test func syntaxErrorOfAMatchExpression() {
    #expect(cause("SELECT 1 FROM words WHERE words MATCH ?", ["AND AND"]) == nil)
  }

  @Test func syntaxError() { #expect(cause("SELECT FROM") == nil) }
}
