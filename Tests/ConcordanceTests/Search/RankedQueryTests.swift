import Concordance
import Foundation
import Testing

/// RANK with LIMIT and other conditions, and MATCH below OR and NOT: the expected rows come from a search.
@Suite struct RankedQueryTests {
  private static let corpus = Swift.Result { () throws -> RandomCorpus in
    let corpus = try RandomCorpus(seed: 21, count: 3000)
    try corpus.collection.createIndex(withName: "by_price", config: ValueIndexConfiguration(["price"]))
    return corpus
  }

  private func ids(_ query: String) throws -> [String] {
    try RankedQueryTests.corpus.get().files.database.createQuery(query).execute().map { $0.string(at: 0) ?? "" }
  }

  /// Conditions for which an index finds few rows, many or none, a scan, and a condition that only low-ranked hits
  /// satisfy.
  private static let conditions: [(String, @Sendable (RandomCorpus.Entry, Int) -> Bool)] = [
    ("price = 7.25", { entry, _ in entry.price == 7.25 }),
    ("price >= 1 AND kind = 'bar'", { entry, _ in (entry.price ?? 0) >= 1 && entry.kind == "bar" }),
    ("price < -1", { _, _ in false }),
    ("kind = 'hotel'", { entry, _ in entry.kind == "hotel" }),
    ("META().id = 'd17'", { entry, _ in entry.id == "d17" }),
    ("RANK(search) < 0.1", { _, place in place > 500 }),
    ("TRUE", { _, _ in true }),
  ]

  @Test(arguments: ["common", "common AND usual", "rare OR third", "common NOT usual"])
  func bestMatchesThatSatisfyTheConditionAreReturned(query: String) throws {
    let corpus = try RankedQueryTests.corpus.get()
    var request = SearchRequest(query, syntax: .fts5)
    (request.limit, request.snippetCount) = (3000, 0)
    let all = try corpus.collection.search(request).hits
    for (condition, holds) in RankedQueryTests.conditions {
      let isByScore = condition.hasPrefix("RANK")
      let expected = all.enumerated().filter { place, hit in
        isByScore ? hit.score < 0.1 : corpus.entries[hit.id].map { holds($0, place) } ?? false
      }.map(\.element.id)
      for limit in [3, 100, 2000] {
        let found = try ids(
          """
          SELECT META().id FROM _ WHERE MATCH(search, '\(query)') AND \(condition)
          ORDER BY RANK(search) DESC LIMIT \(limit) OFFSET 1
          """)
        #expect(found == Array(expected.dropFirst().prefix(limit)), "\(query) and \(condition)")
      }
    }
  }

  @Test func explanationNamesBothIndexes() throws {
    let corpus = try RankedQueryTests.corpus.get()
    let text = "SELECT META().id FROM _ WHERE MATCH(search, 'common') AND price = 3 ORDER BY RANK(search) DESC LIMIT 3"
    #expect(try corpus.files.database.createQuery(text).explain().contains("search, by_price"))
  }

  @Test func matchesBelowOrAndNot() throws {
    let corpus = try RankedQueryTests.corpus.get()
    func has(_ word: String, _ entry: RandomCorpus.Entry) -> Bool { entry.words.contains(word) }
    let cases: [(String, (RandomCorpus.Entry) -> Bool)] = [
      ("MATCH(search, 'rare') OR MATCH(search, 'third')", { has("rare", $0) || has("third", $0) }),
      ("NOT MATCH(search, 'common')", { !has("common", $0) }),
      (
        "kind = 'bar' AND NOT (MATCH(search, 'common') OR price < 50)",
        {
          $0.kind == "bar" && !has("common", $0) && ($0.price ?? 0) >= 50
        }
      ),
      ("MATCH(search, 'common') AND NOT MATCH(search, 'usual')", { has("common", $0) && !has("usual", $0) }),
      (
        "price < 5 AND (MATCH(search, 'usual') OR kind = 'hotel')",
        {
          ($0.price ?? 5) < 5 && (has("usual", $0) || $0.kind == "hotel")
        }
      ),
      ("MATCH(search, 'nowhere') OR price = 3", { $0.price == 3 }),
    ]
    for (condition, holds) in cases {
      let expected = corpus.entries.values.filter(holds).map(\.id)
      #expect(try Set(ids("SELECT META().id FROM _ WHERE \(condition)")) == Set(expected), "\(condition)")
      let count = try corpus.files.database.createQuery("SELECT COUNT(*) FROM _ WHERE \(condition)").execute().next()
      #expect(count?.int(at: 0) == expected.count, "\(condition)")
    }
  }

  @Test func joinWithoutAPartnerMatchesNothing() throws {
    let rows = try ids(
      """
      SELECT META(a).id FROM _ AS a LEFT JOIN _ AS b ON META(b).id = 'nowhere'
      WHERE META(a).id = 'd1' AND NOT MATCH(b.search, 'common')
      """)
    let reference = try ids(
      "SELECT META(a).id FROM _ AS a LEFT JOIN _ AS b ON META(b).id = 'nowhere' WHERE META(a).id = 'd1' AND NOT (b.n > 1)"
    )
    #expect(rows == reference)
  }
}
