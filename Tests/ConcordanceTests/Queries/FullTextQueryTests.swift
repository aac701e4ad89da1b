import Concordance
import Foundation
import Testing

/// MATCH and RANK in queries.
@Suite struct FullTextQueryTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"name": "buy groceries", "n": 1}"#)
    try test.save("b", #"{"name": "play chess", "n": 2}"#)
    try test.save("c", #"{"name": "book travels", "note": "buy chess", "n": 3}"#)
    try test.save("d", #"{"name": "buy museum tickets, buy now", "n": 4}"#)
    try test.collection.createIndex(withName: "name", config: FullTextIndexConfiguration(["name"]))
    try test.collection.createIndex(withName: "notes", config: FullTextIndexConfiguration(["note"]))
  }

  private func ids(_ condition: String, _ rest: String = "ORDER BY META().id") throws -> String {
    try test.database.createQuery("SELECT META().id FROM _ WHERE \(condition) \(rest)").execute()
      .map { $0.string(at: 0) ?? "" }.joined()
  }

  @Test func matchIsAConditionLikeAnyOther() throws {
    #expect(try ids("MATCH(name, 'buy')") == "ad")
    #expect(try ids("NOT MATCH(name, 'buy')") == "bc")
    #expect(try ids("MATCH(name, 'buy') OR MATCH(notes, 'chess')") == "acd")
    #expect(try ids("MATCH(name, 'book') AND MATCH(notes, 'buy')") == "c")
    #expect(try ids("MATCH(name, 'buy') AND n > 1") == "d")
  }

  @Test func ranksSortRows() throws {
    #expect(try ids("MATCH(name, 'buy')", "ORDER BY RANK(name) DESC").sorted() == ["a", "d"])
    #expect(try ids("MATCH(name, 'buy') OR n = 2", "ORDER BY RANK(name) DESC, META().id").hasSuffix("b"))
    let row = try #require(
      try test.database.createQuery("SELECT RANK(name) AS r FROM _ WHERE MATCH(name, 'chess')").execute().next())
    #expect(row.double(forKey: "r") > 0)
  }

  /// SQLite would convert the strings to numbers to compare them with a column of numbers.
  @Test(arguments: ["RANK(name) > '0'", "RANK(name) BETWEEN '0' AND '9'", "(RANK(name) > '0') = TRUE"])
  func ranksAreComparedWithoutConversion(condition: String) throws {
    #expect(try ids("MATCH(name, 'buy') AND \(condition)") == "")
    #expect(try ids("MATCH(name, 'buy') AND RANK(name) > 0") == "ad")
  }

  @Test func parametersAreFullTextQueries() throws {
    let query = try test.database.createQuery("SELECT META().id FROM _ WHERE MATCH(name, $q) ORDER BY META().id")
    for (text, expected) in [("chess", "b"), ("buy OR book", "acd")] {
      query.parameters = Parameters().setString(text, forName: "q")
      #expect(try query.execute().map { $0.string(at: 0) ?? "" }.joined() == expected)
    }
    query.parameters = Parameters().setString("\"buy", forName: "q")
    expectError(CBLError.invalidQuery) { _ = try query.execute() }
    query.parameters = nil
    expectError(CBLError.invalidQueryParam) { _ = try query.execute() }
  }

  @Test func rowsHaveTheMatchedText() throws {
    let rows = try Query.select().from(DataSource.database(test.database))
      .where(Expression.property("name").match("buy")).run()
    #expect(rows.map(\.documentID).sorted() == ["a", "d"])
    let row = try #require(rows.first { $0.documentID == "d" } as? FullTextQueryRow)
    #expect(row.fullTextMatched == "buy museum tickets, buy now")
    #expect(row.matchCount == 2)
    let range = try #require(row.textRange(ofMatch: 1))
    #expect(row.text(ofMatch: 1)?[range] == "buy")
    #expect(row.document.string(forKey: "name") == row.fullTextMatched)
    #expect(row.value(at: 0) as? String == "d")
  }

  @Test(arguments: ["the chess", "chess AND the", "the OR chess"])
  func stopWordsOfTheLanguageAreIgnored(text: String) throws {
    let collection = try test.database.defaultCollection()
    try collection.createIndex(withName: "en", config: FullTextIndexConfiguration(["name"], language: "en"))
    #expect(try ids("MATCH(en, '\(text)')") == "b")
    #expect(try ids("MATCH(en, 'the')") == "")
    var config = FullTextIndexConfiguration(["name"], language: "en")
    config.stopWords = .none
    try collection.createIndex(withName: "en", config: config)
    #expect(try ids("MATCH(en, 'the chess')") == "")
  }

  @Test func missingIndexIsNamed() throws {
    expectError(CBLError.missingIndex) { _ = try ids("MATCH(nothing, 'x')") }
    expectError(CBLError.invalidQuery) {
      _ = try test.database.createQuery("SELECT RANK(name) FROM _").execute()
    }
  }

  @Test func indexNameIsUsedInTwoCollections() throws {
    let other = try test.database.createCollection(name: "other")
    try other.save(document: MutableDocument(id: "x", data: ["name": "buy", "of": "a"]))
    try other.createIndex(withName: "name", config: FullTextIndexConfiguration(["name"]))
    let rows = try test.database.createQuery(
      """
      SELECT a.name, META(b).id FROM _ AS a JOIN other AS b ON b.of = META(a).id
      WHERE MATCH(a.name, 'groceries') AND MATCH(b.name, 'buy') ORDER BY RANK(a.name), RANK(b.name)
      """
    ).execute().map { $0.toJSON() }
    #expect(rows == [#"{"name":"buy groceries","id":"x"}"#])
  }
}
