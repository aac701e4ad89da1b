import GRDB
import JSONText
import QueryModel
import TextAnalysis

@testable import TextIndex

/// An index in a database in memory or in a file, and the documents in it.
final class TestIndex {
  let queue: DatabaseQueue
  let index: StoredFullTextIndex
  private let parser: JSONParser
  var documents: [Int64: String] = [:]

  init(
    _ fields: [String], _ analyzer: AnalyzerConfiguration = AnalyzerConfiguration(),
    fieldAnalyzers: [String: AnalyzerConfiguration] = [:], path: String? = nil
  ) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try TermStreamTokenizer.register($0) }
    queue =
      try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
      ?? DatabaseQueue(configuration: configuration)
    parser = try JSONParser()
    index = try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE concordance_index (
            id INTEGER PRIMARY KEY, collection INTEGER, name TEXT, kind TEXT, definition TEXT, analyzer_version TEXT)
          """)
      return try FullTextCatalog.create(
        "text", on: 1, FullTextDefinition(fields: fields, analyzer: analyzer, fieldAnalyzers: fieldAnalyzers), db)
    }
  }

  func insert(_ rowID: Int64, _ json: String) throws {
    try write { try $0.insert(terms(json), rowID: rowID) }
    documents[rowID] = json
  }

  func remove(_ rowID: Int64) throws {
    guard let json = documents.removeValue(forKey: rowID) else { return }
    try write { try $0.remove(terms(json), rowID: rowID) }
  }

  /// Calls `body` with a writer in a transaction.
  func write(_ body: (FullTextWriter) throws -> Void) throws {
    try queue.write { db in
      let writer = try FullTextWriter(index, db)
      try body(writer)
      try writer.flush(syncing: true)
    }
  }

  /// Runs a command of FTS5, see <https://www.sqlite.org/fts5.html>.
  func command(_ name: String, _ value: Int) throws {
    let table = index.tableName
    try queue.write {
      try $0.execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES (?, ?)", arguments: [name, value])
    }
  }

  func terms(_ json: String) throws -> AnalyzedDocument {
    try DocumentAnalysis(index).analyze(parser.parse(utf8: json))
  }

  /// Returns the matching rows, best first.
  func search(_ query: MatchQuery, weights: [String: Double] = [:]) throws -> [Int64] {
    let query = try FullTextQuery(query, in: index)
    return try queue.read { try query.ranked($0, limit: 10_000, ranking: Ranking(weights: weights)) }.map(\.rowID)
  }

  /// Returns the rows that FTS5 itself finds, ascending.
  func fts5FallbackSearch(_ query: MatchQuery) throws -> [Int64] {
    let query = try FullTextQuery(query, in: index)
    return query.isEmpty ? [] : try queue.read { try FTS5FallbackSearch(query).all($0, nil).rows }
  }

  /// Returns the rows that match a query in FTS5 query syntax, best first.
  func search(_ query: String, weights: [String: Double] = [:]) throws -> [Int64] {
    try search(MatchParser().parse(query), weights: weights)
  }

  func highlight(
    _ query: String, _ json: String, snippets: Int = 1, length: Int = 240, weights: [String: Double] = [:]
  ) throws -> (matches: [FieldMatch], snippets: [Snippet]) {
    let query = try FullTextQuery(MatchParser().parse(query), in: index)
    let idfs = try queue.read { try PhraseIDFs(query, index.reader($0)) }
    return try Highlighter(query, weights: weights, idfs: idfs).highlight(
      parser.parse(utf8: json), snippetCount: snippets, snippetLength: length)
  }

  /// Verifies the index against its documents and returns the first problem; nil if there is none.
  func problem() throws -> String? {
    try queue.write { db in
      var verification = FullTextVerification(index, db)
      for (rowID, json) in documents { verification.expect(try terms(json), rowID: rowID) }
      return try verification.problem()
    }
  }
}

extension FullTextQuery {
  /// Returns the best matches, as ``MatchSet/best(_:)`` does.
  func ranked(
    _ db: Database, limit: Int, offset: Int = 0, ranking: Ranking? = nil, excluding excluded: [Int64] = []
  ) throws -> [RankedRow] {
    Array(try matches(db, ranking: ranking, excluding: excluded).best(limit + offset).dropFirst(offset))
  }

  /// Returns the number of matches.
  func count(_ db: Database, excluding excluded: [Int64] = []) throws -> Int {
    try matches(db, excluding: excluded).count
  }
}

/// A reproducible generator of random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
