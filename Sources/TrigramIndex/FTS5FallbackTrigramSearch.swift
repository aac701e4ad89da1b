import GRDB
import PatternMatching
import SQLiteAccess
import TextIndex

/// Runs trigram queries in FTS5. It is used if the transaction has changed the index or the format of its tables is
/// unknown.
struct FTS5FallbackTrigramSearch {
  private let table: PatternIndexTable
  private let db: Database

  init(_ table: PatternIndexTable, _ db: Database) {
    self.table = table
    self.db = db
  }

  /// Returns the chunks that may satisfy a query, ascending.
  func chunks(for query: TrigramQuery) throws -> [Int64] {
    let statement = try SQLStatement(cached: "SELECT rowid FROM \(table.name) WHERE \(table.name) MATCH ?", in: db)
    defer { statement.reset() }
    return try TrigramExpression.bytes(of: query).withUnsafeBytes { bytes in
      statement.bind(1, text: bytes)
      var chunks: [Int64] = []
      while try statement.step() { chunks.append(statement.row.int64(0)) }
      return chunks
    }
  }
}
