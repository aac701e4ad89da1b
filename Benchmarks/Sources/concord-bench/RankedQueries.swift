import Concordance
import Foundation
import GRDB
import QueryModel
import TextIndex

/// Measures ranked searches as a program runs them, `Collection.search`: the top ten documents, with and without
/// snippets, the first search for a query and later ones, and `Collection.count`.
///
/// FTS5's `ORDER BY rank LIMIT 10` is measured on the same table in the same run. With its formula the ten documents,
/// their scores and the number of hits must be the same as ours.
func measureRanking(path: String, queries: [String]) throws {
  let collection = try readOnlyDatabase(path).defaultCollection()
  // Reads what every search needs: the lengths of the documents, the catalog.
  let loading = try seconds { _ = try collection.search(SearchRequest("zqxwv", syntax: .fts5)) }
  try report(["loadMilliseconds": loading * 1000])
  let stock = try StockRanking(path: path)
  for text in queries {
    var plain = SearchRequest(text, syntax: .fts5)
    plain.snippetCount = 0
    let first = try seconds { _ = try collection.search(plain) }
    let time = try median(of: 101) { _ = try collection.search(plain) }
    let withSnippets = SearchRequest(text, syntax: .fts5)
    let snippetTime = try median(of: 101) { _ = try collection.search(withSnippets) }
    var hits = 0
    let counting = try median(of: 21) { hits = try collection.count(matching: plain) }
    try stock.compare(text, hits)
    try report([
      "query": text, "hits": hits, "firstMilliseconds": first * 1000, "milliseconds": time * 1000,
      "snippetMilliseconds": snippetTime * 1000, "countMilliseconds": counting * 1000,
      "stockMilliseconds": try stock.time(text) * 1000,
    ])
  }
}

/// The results of plain FTS5 queries, on a separate connection.
private struct StockRanking {
  private let queue: DatabaseQueue
  private let index: StoredFullTextIndex

  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in
      try TermStreamTokenizer.register(db)
      try db.execute(sql: "PRAGMA cache_size = -32768")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    let found = try queue.read { db in
      try Int64.fetchOne(db, sql: "SELECT collection FROM concordance_index WHERE kind = 'fullText'").flatMap {
        try FullTextCatalog.indexes(of: $0, db).first
      }
    }
    guard let found else { throw BenchmarkError("\(path): there is no full-text index") }
    index = found
  }

  func time(_ text: String) throws -> Double {
    let expression = try query(text).expression
    return try queue.read { db in try median(of: 5) { _ = try best(10, expression, db) } }
  }

  /// Throws if FTS5 counts other hits, or finds other documents or scores with its formula.
  func compare(_ text: String, _ hits: Int) throws {
    let query = try query(text)
    try queue.read { db in
      let table = index.tableName
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(table) WHERE \(table) MATCH ?", arguments: [query.expression])
      guard count == hits else { throw BenchmarkError("\(text): \(hits) hits, FTS5 has \(count ?? 0)") }
      var ranking = Ranking()
      ranking.formula = .fts5
      let ours = try query.matches(index.reader(db), ranking: ranking).best(10)
      let theirs = try best(10, query.expression, db)
      let isSame =
        ours.count == theirs.count
        && zip(ours, theirs).allSatisfy { $0.rowID == $1.row && abs($0.score - $1.score) < 1e-9 * max(1, $1.score) }
      guard isSame else { throw BenchmarkError("\(text): \(ours), FTS5 has \(theirs)") }
      // Score bounds must not change the results.
      let bounded = try query.matches(index.reader(db))
      let loaded = try query.matches(index.reader(db))
      try loaded.load()
      guard try bounded.best(10) == loaded.best(10) else { throw BenchmarkError("\(text): other hits by bounds") }
    }
  }

  private func query(_ text: String) throws -> FullTextQuery {
    try FullTextQuery(MatchParser().parse(text), in: index)
  }

  private func best(_ limit: Int, _ expression: String, _ db: GRDB.Database) throws -> [(row: Int64, score: Double)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT rowid, -rank AS score FROM \(index.tableName) WHERE \(index.tableName) MATCH ? ORDER BY rank LIMIT ?
        """, arguments: [expression, limit]
    ).map { ($0["rowid"], $0["score"]) }
  }
}

/// An unexpected result.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
