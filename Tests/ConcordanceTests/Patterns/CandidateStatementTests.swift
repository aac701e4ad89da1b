import DocumentStore
import GRDB
import GRDBSQLite
import Testing

@testable import Concordance

/// The statements that find the candidates of a query.
@Suite(.filesOnly("counts the statements of SQLite connections")) struct CandidateStatementTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    let files = test
    try files.database.inBatch {
      for number in 0..<300 { try files.save("d\(number)", #"{"n": \#(number), "text": "word\#(number)"}"#) }
    }
    try files.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
    try files.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
  }

  /// The number of statements that the reading connection keeps.
  private func statementCount() throws -> Int {
    try test.database.engine.store.read { db in
      var count = 0
      var statement = sqlite3_next_stmt(db.sqliteConnection, nil)
      while statement != nil {
        count += 1
        statement = sqlite3_next_stmt(db.sqliteConnection, statement)
      }
      return count
    }
  }

  /// A program with a new text for every query must not fill the memory with statements.
  @Test func statementsOfFirstRunsAreNotCached() throws {
    let before = try statementCount()
    for number in 0..<60 {
      let query = try test.database.createQuery("SELECT n FROM _ WHERE text LIKE '%word17%' OR n = \(number + 400)")
      #expect(try query.execute().allResults().count == 11)
    }
    #expect(try statementCount() - before < 30)
  }
}
