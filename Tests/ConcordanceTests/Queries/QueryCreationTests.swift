import Concordance
import Testing

/// The catalog entries that `createQuery` looks up before the query runs.
@Suite struct QueryCreationTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["title"]))
  }

  @Test func unknownCollectionIsRefused() {
    expectError(CBLError.invalidQuery, "hotels") { _ = try files.database.createQuery("SELECT * FROM hotels") }
    expectError(CBLError.invalidQuery, "hotels") {
      _ = try files.database.createQuery(json: #"{"WHAT": [["."]], "FROM": [{"COLLECTION": "hotels"}]}"#)
    }
  }

  @Test func unknownFullTextIndexIsRefused() {
    expectError(CBLError.missingIndex, "prose") {
      _ = try files.database.createQuery("SELECT META().id FROM _ WHERE MATCH(prose, 'x')")
    }
  }

  @Test func closedDatabaseIsNotOpen() throws {
    try files.database.close()
    expectError(CBLError.notOpen) { _ = try files.database.createQuery("SELECT * FROM _") }
  }

  @Test func queryUsesTheCurrentCatalog() throws {
    let query = try files.database.createQuery("SELECT META().id FROM _ WHERE MATCH(text, 'pear')")
    try files.save("x", #"{"title": "a pear"}"#)
    #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["x"])
    try files.collection.deleteIndex(forName: "text")
    expectError(CBLError.missingIndex) { _ = try query.execute() }
  }

  @Test func indexWithoutASourceInASelfJoinBelongsToTheFirst() throws {
    try files.save("a", #"{"title": "pear", "next": "b"}"#)
    try files.save("b", #"{"title": "apple", "next": "a"}"#)
    func pairs(_ index: String) throws -> [[String?]] {
      try files.database.createQuery(
        "SELECT META(l).id, META(r).id AS r FROM _ AS l JOIN _ AS r ON META(r).id = l.next "
          + "WHERE MATCH(\(index), 'pear') ORDER BY RANK(\(index))"
      ).execute().map { [$0.string(forKey: "id"), $0.string(forKey: "r")] }
    }
    #expect(try pairs("text") == [["a", "b"]])
    #expect(try pairs("text") == pairs("l.text"))
    #expect(try pairs("r.text") == [["b", "a"]])
  }

  @Test func explanationNamesTheIndexesThatAreUsedAsSQLiteDoes() throws {
    try files.collection.createIndex(withName: "by_n", config: ValueIndexConfiguration(["n"]))
    func explain(_ sql: String) throws -> String { try files.database.createQuery(sql).explain() }
    #expect(try explain("SELECT META().id FROM _ WHERE n = 1").contains("USING INDEX by_n"))
    #expect(try explain("SELECT META().id FROM _ WHERE MATCH(text, 'x')").contains("USING INDEX text"))
    #expect(try !explain("SELECT META().id FROM _ WHERE m = 1").contains("USING INDEX by_n"))
  }
}
