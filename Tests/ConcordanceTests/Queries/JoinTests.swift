import Concordance
import Foundation
import Testing

/// Joins find matching rows with an index of the collection or a temporary index, and never compare all pairs.
@Suite struct JoinTests {
  let test: TemporaryDatabase
  let routes: Concordance.Collection

  init() throws {
    test = try TemporaryDatabase()
    routes = try test.database.createCollection(name: "routes")
    for id in ["a", "b", "c"] { try test.save(id, #"{"name": "\#(id.uppercased())"}"#) }
    for (number, airline, stops) in [(1, "a", 0), (2, "a", 1), (3, "b", 1), (4, "x", 0)] {
      try routes.save(document: MutableDocument(id: "r\(number)", data: ["of": airline, "stops": stops, "n": number]))
    }
    try routes.save(document: MutableDocument(id: "gone", data: ["of": "c", "stops": 0, "n": 9]))
    try routes.delete(document: #require(try routes.document(id: "gone")))
  }

  private func rows(_ text: String) throws -> [String] {
    try test.database.createQuery(text).execute().map { "\($0.string(at: 0) ?? "-")\($0.int(at: 1))" }
  }

  @Test(arguments: [false, true]) func partners(indexed: Bool) throws {
    if indexed { try routes.createIndex(withName: "of", config: ValueIndexConfiguration(["of"])) }
    let join = "JOIN routes AS r ON r.of = META(a).id"
    let order = "ORDER BY a.name, r.n"
    #expect(try rows("SELECT a.name, r.n FROM _ AS a \(join) \(order)") == ["A1", "A2", "B3"])
    #expect(try rows("SELECT a.name, r.n FROM _ AS a LEFT \(join) \(order)") == ["A1", "A2", "B3", "C0"])
    #expect(try rows("SELECT a.name, r.n FROM _ AS a LEFT \(join) WHERE r.stops = 1 \(order)") == ["A2", "B3"])
    #expect(try rows("SELECT a.name, r.n FROM _ AS a LEFT \(join) AND r.stops = 0 \(order)") == ["A1", "B0", "C0"])
    #expect(
      try rows("SELECT a.name, r.n FROM _ AS a LEFT \(join) AND a.name = 'B' \(order)") == ["A0", "B3", "C0"])
    #expect(
      try rows("SELECT a.name, s.n FROM _ AS a \(join) JOIN routes AS s ON s.of = r.of AND s.n != r.n ORDER BY s.n")
        == ["A1", "A2"])
  }

  @Test(arguments: ["JOIN", "LEFT JOIN"]) func onlyMatchingPairsAreRead(join: String) throws {
    let query = try test.database.createQuery("SELECT a.name, r.n FROM _ AS a \(join) routes AS r ON r.of = META(a).id")
    let temporary = try query.explanation()
    #expect(temporary.steps.last?.access == .temporaryIndex)
    #expect(temporary.sqlitePlan.contains { $0.hasPrefix("SEARCH j1 USING AUTOMATIC COVERING INDEX (k=?)") })
    try routes.createIndex(withName: "of", config: ValueIndexConfiguration(["of"]))
    let indexed = try query.explanation()
    #expect(indexed.steps.last?.access == .valueIndexSearch)
    // Virtual tables have other plans.
    for explanation in [temporary, indexed] where TestStore.isFile {
      let plan = explanation.sqlitePlan
      #expect(plan.contains { $0.hasPrefix("SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)") }, "\(plan)")
    }
  }

  /// The index finds the same rows for every row of the other source.
  @Test func indexThatComparesNoPairsIsNotUsed() throws {
    try routes.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let query = try test.database.createQuery(
      "SELECT a.name, r.n FROM _ AS a JOIN routes AS r ON r.of = META(a).id WHERE r.n >= 0")
    #expect(try query.explanation().steps.last?.access == .temporaryIndex)
  }
}
