import Concordance
import Foundation
import Testing

/// Hints in errors and explanations about misspelt, ambiguous and hidden names.
@Suite struct QueryHintTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    _ = try test.database.createCollection(name: "hotels")
    _ = try test.database.createCollection(name: "rooms", scope: "inventory")
  }

  @Test(arguments: [
    ("SELECT * FROM hotles", "there is no collection \"hotles\"; did you mean \"hotels\"?"),
    ("SELECT * FROM inventory.room", "there is no collection \"inventory.room\"; did you mean \"inventory.rooms\"?"),
    (
      "SELECT * FROM airports",
      "there is no collection \"airports\"; the collections are \"_default\", \"hotels\", \"inventory.rooms\""
    ),
    (
      "SELECT name FROM _ AS a JOIN hotels AS b ON a.x = b.x",
      "\"name\" may belong to any of the sources \"a\", \"b\"; specify one, as in a.name"
    ),
    (
      "SELECT META().id FROM _ AS a JOIN hotels AS b ON a.x = b.x",
      "META() may belong to any of the sources \"a\", \"b\"; specify one, as in META(a)"
    ),
    (
      "SELECT COUNT(DISTINCT *) FROM _ AS a JOIN hotels AS b ON a.x = b.x",
      "specify one, as in COUNT(DISTINCT a)"
    ),
    ("SELECT COUNT(DISTINCT *)", "there is no document to count"),
  ])
  func errorsListAvailableNames(_ query: String, _ message: String) throws {
    expectError(CBLError.invalidQuery, message) { _ = try test.database.createQuery(query).execute() }
  }

  @Test func longNamesAreShortened() throws {
    let long = String(repeating: "x", count: 100_000)
    for query in ["SELECT * FROM \(long)", "SELECT \(long) FROM _ AS a CROSS JOIN hotels AS b"] {
      let error = #expect(throws: CBLError.self) { _ = try test.database.createQuery(query).execute() }
      #expect((error?.message.utf8.count ?? .max) < 500)
    }
  }

  @Test func namesAreTruncatedBeforeTheyAreQuoted() throws {
    let shown = String(repeating: "a", count: 99) + "…"
    let (long, escape) = (String(repeating: "a", count: 150), "b\u{1B}")
    let text = "SELECT name FROM _ AS \(long) CROSS JOIN hotels AS `\(escape)`"
    expectError(CBLError.invalidQuery, "any of the sources \"\(shown)\", \"b") {
      _ = try test.database.createQuery(text).execute()
    }
    let error = #expect(throws: CBLError.self) { _ = try test.database.createQuery(text).execute() }
    #expect(error?.message.contains("as in \(shown).name") == true && error?.message.contains("\u{1B}") == false)
    for query in [
      "SELECT COUNT(DISTINCT *) FROM _ AS \(long) CROSS JOIN hotels AS b",
      "SELECT META(\(long)).id FROM _ AS b UNNEST b.list AS \(long)",
      "SELECT COUNT(*) AS \(long) FROM _ WHERE \(long) = 1",
    ] {
      let error = #expect(throws: CBLError.self) { _ = try test.database.createQuery(query).execute() }
      #expect(error?.message.contains(long) == false, "\(error?.message ?? "")")
    }
  }

  @Test func manyParametersAreNotAllNamed() throws {
    let query = try test.database.createQuery("SELECT [\((10..<40).map { "$p\($0)" }.joined(separator: ", "))] FROM _")
    expectError(CBLError.invalidQueryParam, "no value for $p10, $p11, $p12, $p13, $p14 and 25 more; set") {
      _ = try query.execute()
    }
  }

  @Test func manyCollectionsAreNotAllNamed() throws {
    for number in 0..<20 { _ = try test.database.createCollection(name: "c\(number)") }
    expectError(CBLError.invalidQuery, "\"c10\", \"c11\" and 18 more") {
      _ = try test.database.createQuery("SELECT * FROM airports").execute()
    }
  }

  @Test func decodingErrorSuggestsTheDataKey() throws {
    struct Hotel: Decodable { var name: String }
    try test.save("a", #"{"name": "x"}"#)
    let rows = try test.database.createQuery("SELECT * FROM _").execute().allResults()
    expectError(CBLError.decodingError, "data(as:dataKey: \"_\")") { _ = try rows[0].data(as: Hotel.self) }
    #expect(try rows[0].data(as: Hotel.self, dataKey: "_").name == "x")
    let names = try test.database.createQuery("SELECT name AS title FROM _").execute().allResults()
    let error = #expect(throws: CBLError.self) { _ = try names[0].data(as: Hotel.self) }
    #expect(error?.message.contains("dataKey") == false)
  }

  @Test func decodingErrorSuggestsTheColumnThatHasTheProperty() throws {
    struct Person: Decodable { var name: String }
    try test.save("a", #"{"name": "x", "address": {"city": "Riga"}}"#)
    let query = try test.database.createQuery("SELECT META(people).id, people.address, people.* FROM _ AS people")
    let row = try #require(try query.execute().next())
    expectError(CBLError.decodingError, "data(as:dataKey: \"people\")") { _ = try row.data(as: Person.self) }
    #expect(try row.data(as: Person.self, dataKey: "people").name == "x")
    // No column has this property.
    struct Hotel: Decodable { var stars: Int }
    let error = #expect(throws: CBLError.self) { _ = try row.data(as: Hotel.self) }
    #expect(error?.message.contains("dataKey") == false)
  }

  @Test func aliasHidesTheNameOfItsCollection() throws {
    let note = "hotels.name refers to the property \"hotels\" of the document"
    let hidden = try test.database.createQuery("SELECT hotels.name FROM hotels AS h WHERE hotels.name = 'x'")
    #expect(try hidden.explanation().notes.count == 1)
    #expect(try hidden.explain().contains("note: \(note), because the alias of the collection is h; write h.name"))
    for text in ["SELECT h.name FROM hotels AS h", "SELECT hotels.name FROM hotels", "SELECT hotels FROM hotels AS h"] {
      #expect(try test.database.createQuery(text).explanation().notes.isEmpty, "\(text)")
    }
  }
}
