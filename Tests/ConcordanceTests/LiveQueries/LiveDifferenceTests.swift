import Concordance
import Foundation
import TestSupport
import Testing

/// After every change, applying the differences gives the same rows as running the query again. `LIVE_STEPS` sets the
/// number of changes per query.
@Suite(.timeLimit(.minutes(60))) struct LiveDifferenceTests {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    for (id, price) in [("a", 3), ("b", 1), ("c", 2)] { try files.save(id, #"{"name":"\#(id)","price":\#(price)}"#) }
  }

  @Test(arguments: [
    "SELECT name, price FROM _ WHERE price < 50 ORDER BY price, name LIMIT 8",
    "SELECT name FROM _ WHERE price BETWEEN 20 AND 60 OR name = 'id3' ORDER BY name DESC",
    "SELECT COUNT(*) AS count, MAX(price) AS highest FROM _", "SELECT DISTINCT price FROM _ ORDER BY price",
  ])
  func queries(text: String) async throws {
    let query = try files.database.createQuery(text)
    try await compare(
      query.differences(minimumInterval: .zero), content: { ($0.results.map { $0.toJSON() }, $0.difference) },
      expected: { try query.execute().map { $0.toJSON() } })
  }

  @Test func searches() async throws {
    let collection = files.collection
    try collection.createIndex(withName: "names", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("red")
    request.limit = 5
    request.sort = "price, META().id"
    let search = request
    let text = { @Sendable (hit: SearchHit) in "\(hit.id) \(hit.document.revisionID ?? "")" }
    try await compare(
      collection.searchDifferences(search, minimumInterval: .zero),
      content: { ($0.results.hits.map(text), $0.difference) },
      // The total is part of the result.
      expected: { try collection.search(search).hits.map(text) },
      state: { "\(try collection.search(search).total)" })
  }

  @Test(.filesOnly("views are not available on PostgreSQL"), arguments: [false, true])
  func views(reduces: Bool) async throws {
    let view = files.collection.view(named: "prices")
    try view.setMap(version: "1", reduce: reduces ? .sum : nil) { document, emit in
      emit(document.string(forKey: "text"), document.int(forKey: "price"))
    }
    let query = view.createQuery()
    // Rows also differ if they have different sequences.
    let text = { @Sendable (row: ViewRow) in "\(row.toJSON()) \(row.sequence ?? 0)" }
    try await compare(
      query.differences(minimumInterval: .zero), content: { ($0.rows.map(text), $0.difference) },
      expected: { try query.run().map(text) })
  }

  /// Changes random documents and compares after each change.
  ///
  /// - Parameter state: describes what else a sequence compares to decide whether a result differs.
  private func compare<Element>(
    _ sequence: LiveSequence<Element>, content: (Element) -> (rows: [String], difference: ListDifference),
    expected: () throws -> [String], state: () throws -> String = { "" }
  ) async throws {
    var random = SeededGenerator(seed: 7)
    var iterator = sequence.makeAsyncIterator()
    var rows: [String] = []
    func take() async throws {
      let (new, difference) = content(try #require(try await iterator.next()))
      difference.apply(to: &rows) { new[$0] }
      #expect(rows == new)
    }
    try await take()
    let steps = ProcessInfo.processInfo.environment["LIVE_STEPS"].flatMap { Int($0) } ?? 150
    for _ in 0..<steps {
      let id = "id\(Int.random(in: 0..<30, using: &random))"
      let price = Int.random(in: 0..<100, using: &random)
      let before = (try expected(), try state())
      if Int.random(in: 0..<4, using: &random) == 0 {
        try? files.collection.purge(id: id)
      } else {
        let text = ["red", "blue"].randomElement(using: &random) ?? ""
        try files.save(id, #"{"name":"\#(id)","text":"\#(text)","price":\#(price)}"#)
      }
      let after = (try expected(), try state())
      if after != before { try await take() }
      #expect(rows == after.0)
    }
  }
}
