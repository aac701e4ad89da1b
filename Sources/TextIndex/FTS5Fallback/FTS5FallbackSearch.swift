import GRDB
import SQLiteAccess

/// Runs queries in FTS5, for indexes whose tables cannot be read directly.
struct FTS5FallbackSearch {
  private let query: FullTextQuery

  init(_ query: FullTextQuery) { self.query = query }

  private var table: String { query.index.table.name }

  /// Returns all matches in row order, with FTS5's `bm25()` scores (k1 = 1.2, b = 0.75, sign reversed) if there is a
  /// ranking.
  func all(_ db: Database, _ ranking: ResolvedRanking?) throws -> [RankedRow] {
    var (score, condition) = ("0.0", "")
    var arguments: StatementArguments = [query.expression]
    if let ranking {
      (score, condition) = ("-rank", " AND rank MATCH ?")
      arguments += [function(ranking)]
    }
    let sql = "SELECT rowid, \(score) AS score FROM \(table) WHERE \(table) MATCH ?\(condition) ORDER BY rowid"
    let rows = try translatingSyntaxErrors { try Row.fetchAll(db, sql: sql, arguments: arguments) }
    return rows.map { RankedRow(rowID: $0.value("rowid", or: 0), score: $0.value("score", or: 0)) }
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
