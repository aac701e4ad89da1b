import Concordance
import Foundation
import Testing

/// The rows of queries, and the form of their values.
@Suite struct QueryExecutionTests {
  let temporary: TemporaryDatabase

  init() throws { temporary = try TemporaryDatabase() }

  private func database(_ documents: [String: String]) throws -> Database {
    let database = temporary.database
    let collection = try database.createCollection(name: "hotel")
    for (id, json) in documents { try collection.save(document: MutableDocument(id: id, json: json)) }
    return database
  }

  private func rows(_ database: Database, _ text: String) throws -> [String] {
    try database.createQuery(text).execute().map { $0.toJSON() }
  }

  @Test func valuesAreReturnedAsTheyWereSaved() throws {
    let database = try database([
      "a": #"{"n": 1, "d": 1.5, "t": true, "z": null, "s": "x", "l": [1, {"a": 2}], "o": {"k": [true]}}"#
    ])
    #expect(
      try rows(database, "SELECT n, d, t, z, s, l, o, absent FROM hotel")
        == [#"{"n":1,"d":1.5,"t":true,"z":null,"s":"x","l":[1, {"a": 2}],"o":{"k": [true]}}"#])
    #expect(try rows(database, "SELECT * FROM hotel WHERE o.k[0] = true").count == 1)
  }

  @Test func conditions() throws {
    let database = try database([
      "a": #"{"name": "A", "stars": 3}"#, "b": #"{"name": "b", "stars": 4}"#, "c": #"{"name": "c", "stars": null}"#,
      "d": #"{"name": "d"}"#,
    ])
    func ids(_ condition: String) throws -> String {
      try database.createQuery("SELECT META().id FROM hotel WHERE \(condition) ORDER BY META().id").execute()
        .map { $0.string(at: 0) ?? "" }.joined()
    }
    #expect(try ids("stars > 3") == "b")
    #expect(try ids("NOT stars > 3") == "a")
    #expect(try ids("stars IS NULL") == "c")
    #expect(try ids("stars IS MISSING") == "d")
    #expect(try ids("stars IS NOT VALUED") == "cd")
    #expect(try ids("name = 'B' COLLATE NOCASE") == "b")
    #expect(try ids("name IN ('A', 'c')") == "ac")
    #expect(try ids("name LIKE '_' AND stars BETWEEN 1 AND 3") == "a")
    #expect(try ids("META().id = 'b' OR META().id IN ('c')") == "bc")
    #expect(try ids("CASE WHEN stars = 3 THEN TRUE ELSE FALSE END") == "a")
  }

  @Test func groups() throws {
    let database = try database([
      "a": #"{"c": "x", "n": 1}"#, "b": #"{"c": "x", "n": 2}"#, "c": #"{"c": "y", "n": 3.5}"#, "d": #"{"n": 7}"#,
    ])
    #expect(
      try rows(database, "SELECT c, COUNT(*), SUM(n) AS total FROM hotel GROUP BY c ORDER BY c")
        == [#"{"$1":1,"total":7}"#, #"{"c":"x","$1":2,"total":3}"#, #"{"c":"y","$1":1,"total":3.5}"#])
    #expect(try rows(database, "SELECT COUNT(*) AS n FROM hotel WHERE c = 'nobody'") == [#"{"n":0}"#])
  }
}
