import Concordance
import Foundation
import GRDB
import QueryModel
import TextIndex

/// Measures ranked searches and FTS5's `ORDER BY rank LIMIT 10` on the same table in the same run. With FTS5's formula,
/// the ten documents, their scores and the number of hits must be equal.
func measureRanking(path: String, queries: [String]) throws {
  var configuration = Configuration()
  configuration.readonly = true
  configuration.prepareDatabase { db in
    try TermStreamTokenizer.register(db)
    try db.execute(sql: "PRAGMA cache_size = -32768")
  }
  let queue = try DatabaseQueue(path: path, configuration: configuration)
  try queue.read { db in
    guard
      let collection = try Int64.fetchOne(db, sql: "SELECT collection FROM concordance_index WHERE kind = 'fullText'"),
      let index = try FullTextCatalog.indexes(of: collection, db).first
    else { throw BenchmarkError("\(path): there is no full-text index") }
    let nothing = try FullTextQuery(MatchParser().parse("zqxwv"), in: index)
    let loading = try seconds { _ = try nothing.ranked(db, limit: 10) }
    try report(["loadMilliseconds": loading * 1000])
    for text in queries {
      let query = try FullTextQuery(MatchParser().parse(text), in: index)
      var found: [RankedRow] = []
      let first = try seconds { found = try query.ranked(db, limit: 10) }
      let time = try median(of: 101) { _ = try query.ranked(db, limit: 10) }
      var hits = 0
      let counting = try median(of: 21) { hits = try query.count(db) }
      // The same without the score bounds stored with the index.
      guard try query.matches(db).best(10) == found else { throw BenchmarkError("\(text): other hits by bounds") }
      let stock = try StockRanking(query, index, db)
      try stock.compare(query, hits)
      try report([
        "query": text, "hits": hits, "firstMilliseconds": first * 1000, "milliseconds": time * 1000,
        "countMilliseconds": counting * 1000, "stockMilliseconds": try stock.time() * 1000,
      ])
    }
  }
}

/// FTS5's results of a query.
private struct StockRanking {
  private let db: GRDB.Database
  private let table: String
  private let expression: String

  init(_ query: FullTextQuery, _ index: StoredFullTextIndex, _ db: GRDB.Database) throws {
    self.db = db
    table = index.tableName
    expression = query.expression
  }

  func time() throws -> Double { try median(of: 5) { _ = try best(10) } }

  /// Throws if the results differ.
  func compare(_ query: FullTextQuery, _ hits: Int) throws {
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM \(table) WHERE \(table) MATCH ?", arguments: [expression])
    guard count == hits else { throw BenchmarkError("\(expression): \(hits) hits, FTS5 has \(count ?? 0)") }
    var ranking = Ranking()
    ranking.formula = .fts5
    let ours = try query.ranked(db, limit: 10, ranking: ranking)
    let theirs = try best(10)
    let isSame =
      ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { $0.rowID == $1.row && abs($0.score - $1.score) < 1e-9 * max(1, $1.score) }
    guard isSame else { throw BenchmarkError("\(expression): \(ours), FTS5 has \(theirs)") }
  }

  private func best(_ limit: Int) throws -> [(row: Int64, score: Double)] {
    try Row.fetchAll(
      db, sql: "SELECT rowid, -rank AS score FROM \(table) WHERE \(table) MATCH ? ORDER BY rank LIMIT ?",
      arguments: [expression, limit]
    ).map { ($0["rowid"], $0["score"]) }
  }
}

/// An unexpected result.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
