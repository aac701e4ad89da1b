import Concordance
import Testing

@Suite struct QueryResultsTests {
  private let temporary: TemporaryDatabase
  private var database: Database { temporary.database }

  init() throws {
    temporary = try TemporaryDatabase()
    try temporary.save(
      "riga", #"{"name": "Riga", "stars": 4, "rate": 2.5, "open": true, "none": null, "tags": ["a", {"b": 1}]}"#)
    try temporary.save("oslo", #"{"name": "Oslo", "stars": 5}"#)
  }

  @Test func rowsAreValuesByColumnAndPosition() async throws {
    let query = try database.createQuery(
      "SELECT name, stars, rate, open, none, tags, lacking FROM _ WHERE name = 'Riga'")
    let found = try await query.async.execute()
    #expect(found.columnNames == ["name", "stars", "rate", "open", "none", "tags", "lacking"])
    let row = try #require(found.first)
    #expect(row["name"] == .string("Riga"))
    #expect(row["stars"]?.int == 4)
    #expect(row["stars"]?.double == 4)
    #expect(row[2]?.double == 2.5)
    #expect(row["open"]?.boolean == true)
    #expect(row["none"] == .null)
    #expect(row["tags"] == .array([.string("a"), .dictionary(["b": .integer(1)])]))
    #expect(row["lacking"] == nil)
    #expect(row["no such column"] == nil)
    #expect(row[7] == nil)
    #expect(row == found[0])
  }

  @Test func rowsAreDecoded() async throws {
    struct City: Decodable, Equatable {
      var name: String
      var stars: Int
    }
    let query = try database.createQuery("SELECT name, stars FROM _ ORDER BY name")
    let cities = try await query.async.execute().data(as: City.self)
    #expect(cities == [City(name: "Oslo", stars: 5), City(name: "Riga", stars: 4)])
  }

  @Test func parametersOfOneRunDoNotChangeThoseOfTheQuery() throws {
    let query = try database.createQuery("SELECT name FROM _ WHERE name = $name")
    query.parameters = Parameters().setString("Riga", forName: "name")
    let oslo = try query.execute(parameters: Parameters().setString("Oslo", forName: "name"))
    #expect(oslo.map { $0.string(at: 0) } == ["Oslo"])
    #expect(query.parameters?.value(forName: "name") as? String == "Riga")
    #expect(try query.execute().map { $0.string(at: 0) } == ["Riga"])
    expectError(CBLError.invalidQueryParam) { _ = try query.execute(parameters: nil) }
  }

  @Test func oneQueryRunsWithManyParametersAtTheSameTime() async throws {
    let query = try database.createQuery("SELECT name FROM _ WHERE name = $name")
    let found = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let name = number % 2 == 0 ? "Riga" : "Oslo"
          let rows = try await query.async.execute(parameters: Parameters().setString(name, forName: "name"))
          return rows.map { $0["name"]?.string } == [name]
        }
      }
      return try await group.reduce(into: 0) { count, isRight in if isRight { count += 1 } }
    }
    #expect(found == 200)
  }

  @Test func resultSetReturnsEachRowToOneTask() async throws {
    try database.inBatch {
      for number in 0..<1000 { try temporary.collection.save(document: MutableDocument(id: "\(number)")) }
    }
    let rows = try database.createQuery("SELECT META().id FROM _").execute()
    let count = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { rows.reduce(0) { count, _ in count + 1 } } }
      return await group.reduce(0, +)
    }
    #expect(count == 1002)
  }
}
