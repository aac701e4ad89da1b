import Concordance
import Foundation
import TestSupport
import Testing

/// Searches of the same documents in a file and on PostgreSQL, which must give the same hits with the same scores.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct SearchDifferenceTests {
  static let words = [
    "harbour", "sea", "seas", "ship", "shipping", "captain", "storm", "lighthouse", "island", "rope", "sail", "sailing",
    "anchor", "wave", "north", "wind", "the", "of", "and", "crew",
  ]

  static let queries = [
    "harbour", "the sea", "storm -captain", "\"lighthouse island\"", "sail*", "harbor", "captain OR anchor",
    "title:storm wave", "\"wave the\"~3", "nothing", "ship crew wind north", "the and of",
  ]

  private static func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    // Low numbers are much more frequent, as words are.
    (0..<count).map { _ in
      let first = Int.random(in: 0..<words.count, using: &random)
      return words[words.count - 1 - min(first, Int.random(in: 0..<words.count, using: &random))]
    }.joined(separator: " ")
  }

  private static func fill(_ database: Database, count: Int) throws {
    var random = SeededGenerator(seed: 7)
    let collection = try database.defaultCollection()
    let importer = try DocumentImporter(into: collection)
    for number in 0..<count {
      let text =
        "{\"title\":\"\(text(3, &random))\",\"body\":\"\(text(5 + number % 40, &random))\",\"kind\":\"k\(number % 4)\"}"
      try importer.add(id: "doc\(number)", json: Array(text.utf8))
    }
    _ = try importer.finish()
  }

  private static func change(_ database: Database) throws {
    var random = SeededGenerator(seed: 8)
    let collection = try database.defaultCollection()
    for number in stride(from: 0, to: 300, by: 7) {
      guard let document = try collection.document(id: "doc\(number)")?.toMutable() else { continue }
      document.setString(text(12, &random), forKey: "body")
      try collection.save(document: document)
    }
    try database.inBatch {
      for number in stride(from: 3, to: 300, by: 11) { try collection.purge(id: "doc\(number)") }
      for number in 0..<20 {
        try collection.save(
          document: MutableDocument(id: "new\(number)", data: ["title": "new", "body": text(9, &random), "kind": "k9"]))
      }
    }
  }

  private static func outcome(_ database: Database, _ query: String) -> Outcome {
    Outcome {
      var request = SearchRequest(query)
      request.limit = 25
      request.facets = [FacetRequest("kind")]
      request.counting = .exact
      let results = try database.defaultCollection().search(request)
      let hits = results.hits.map { "\($0.id) \($0.score)" }
      return "\(results.total) \(hits) \(results.facets)"
    }
  }

  @Test(arguments: [(1, 1), (4, 1), (8, 3), (8, PairOfDatabases.citus)])
  func searchesGiveTheSameHitsAndScores(shards: Int, nodes: Int) throws {
    let stores = try PairOfDatabases(shards: shards, nodes: nodes)
    func compare(_ state: String) {
      for query in SearchDifferenceTests.queries {
        let outcomes = stores.both { SearchDifferenceTests.outcome($0, query) }
        if shards == 1 {
          #expect(outcomes.0 == outcomes.1, "\(query), \(state)")
        } else {
          // Documents with equal scores are ordered by row, and rows depend on the shards.
          #expect(sorted(outcomes.0) == sorted(outcomes.1), "\(query), \(state)")
        }
      }
    }
    _ = try stores.both { database in
      try SearchDifferenceTests.fill(database, count: 300)
      try database.defaultCollection().createIndex(
        withName: "search", config: FullTextIndexConfiguration(["title", "body"]))
    }
    compare("after the index was created")
    _ = try stores.both { try SearchDifferenceTests.change($0) }
    compare("after changes")
    _ = try stores.remote.mergeSegments(all: true)
    compare("after a merge")
    _ = try stores.both { try SearchDifferenceTests.fill($0, count: 400) }
    compare("after an import")
    #expect(try stores.remote.verify().isEmpty)
    // Another client reads what this one has written.
    let other = try Database(url: stores.url)
    #expect(SearchDifferenceTests.outcome(other, "storm") == SearchDifferenceTests.outcome(stores.remote, "storm"))
  }

  /// The scores of an outcome, without the order of documents with equal scores.
  private func sorted(_ outcome: Outcome) -> [String] {
    guard case .value(let text) = outcome else { return ["\(outcome)"] }
    return text.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
      .compactMap { $0.element.components(separatedBy: " ").last }
  }

  @Test func matchesInQueriesGiveTheSameRows() throws {
    let stores = try PairOfDatabases(shards: 1)
    _ = try stores.both { database in
      try database.defaultCollection().createIndex(
        withName: "search", config: FullTextIndexConfiguration(["title", "body"]))
      try SearchDifferenceTests.fill(database, count: 300)
    }
    for text in [
      "SELECT meta().id, rank(search) FROM _ WHERE match(search, 'storm captain') ORDER BY rank(search) DESC, meta().id LIMIT 20",
      "SELECT kind, count(*) AS n FROM _ WHERE match(search, 'sea') GROUP BY kind ORDER BY kind",
      "SELECT meta().id FROM _ WHERE match(search, '\"sea and\"') AND kind = 'k1' ORDER BY meta().id",
    ] {
      let outcomes = stores.both { database in
        Outcome { try database.createQuery(text).execute().map { $0.toJSON() }.joined(separator: "\n") }
      }
      #expect(outcomes.0 == outcomes.1, "\(text)")
    }
  }

  @Test(arguments: [1, 2, PairOfDatabases.citus]) func suggestionsAndTermsAreTheSame(nodes: Int) throws {
    let stores = try PairOfDatabases(shards: 2, nodes: nodes)
    let found = try stores.both { database in
      let collection = try database.defaultCollection()
      try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title", "body"]))
      try SearchDifferenceTests.fill(database, count: 200)
      return "\(try collection.suggestions(for: "sh")) \(try collection.search("captan").hits.map(\.id).sorted())"
    }
    #expect(found.0 == found.1)
  }

  @Test func viewsAreRefused() throws {
    let stores = try PairOfDatabases(shards: 1)
    let error = #expect(throws: CBLError.self) {
      try stores.remote.defaultCollection().createIndex(withName: "p", config: ViewConfiguration(key: "title"))
    }
    #expect(error?.code == CBLError.unsupported)
    #expect(error?.message.contains("views are not available on PostgreSQL yet") == true)
  }
}
