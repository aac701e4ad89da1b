import GRDB
import SQLiteAccess

/// Runs queries in FTS5, for indexes whose tables cannot be read directly.
struct FTS5FallbackSearch {
  private let query: FullTextQuery

  init(_ query: FullTextQuery) { self.query = query }

  private var table: String { query.index.table.name }

  /// Returns all matches in row order, with FTS5's `bm25()` scores (k1 = 1.2, b = 0.75, sign reversed) if there is a
  /// ranking.
  func all(_ db: Database, _ ranking: ResolvedRanking?) throws -> MatchedRows {
    var (score, condition) = ("0.0", "")
    var arguments: StatementArguments = [query.expression]
    if let ranking {
      (score, condition) = ("-rank", " AND rank MATCH ?")
      arguments += [function(ranking)]
    }
    let sql = "SELECT rowid, \(score) AS score FROM \(table) WHERE \(table) MATCH ?\(condition) ORDER BY rowid"
    var rows: [Int64] = []
    var scores: [Double] = []
    try translatingSyntaxErrors {
      let found = try Row.fetchCursor(db, sql: sql, arguments: arguments)
      while let row = try found.next() {
        rows.append(row.value("rowid", or: 0))
        if ranking != nil { scores.append(row.value("score", or: 0)) }
      }
    }
    return MatchedRows(rows: rows, scores: scores)
  }

  private func function(_ ranking: ResolvedRanking) -> String {
    "bm25(" + ranking.weights.map { "\($0)" }.joined(separator: ", ") + ")"
  }

  /// The expression is generated, so FTS5 rejects it only if it is too large.
  private func translatingSyntaxErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      guard case .fts5Limit(let reason) = error.cause else { throw error }
      throw TextIndexError(.queryTooLarge, "the query is too large for FTS5 (\(reason)); use fewer words")
    }
  }
}
