import Concordance
import Foundation
import Testing

/// Rows of queries decoded as types with an id.
@Suite struct CodableRowTests {
  let files: TemporaryDatabase
  var hotels: Concordance.Collection { files.collection }

  struct Hotel: Codable {
    @DocumentID var id: String?
    var name: String
  }

  final class Place: Codable {
    @DocumentID var pid: String?
    var name: String

    enum CodingKeys: String, CodingKey { case name }
  }

  init() throws {
    files = try TemporaryDatabase()
    // The document has a property with the name of the id property, but its value is not a string.
    try files.save("ghia", #"{"name":"Ghia","id":10}"#)
  }

  private func row(_ query: String) throws -> Result {
    try #require(try files.database.createQuery(query).execute().next())
  }

  @Test func idComesFromTheColumnWithTheNameOfTheProperty() throws {
    #expect(try row("SELECT META().id, name FROM _").data(as: Hotel.self).id == "ghia")
    #expect(try row("SELECT META().id AS pid, name FROM _").data(as: Place.self).pid == "ghia")
  }

  @Test func idComesFromTheColumnNextToTheOneWithTheData() throws {
    let query = try files.database.createQuery("SELECT META().id, * FROM _ AS data")
    let hotel = try #require(try query.execute().data(as: Hotel.self, dataKey: "data").first)
    #expect(hotel.id == "ghia" && hotel.name == "Ghia")
    #expect(try row("SELECT META().id, * FROM _ AS data").data(as: Place.self, dataKey: "data").pid == "ghia")
  }

  @Test func idComesFromTheOnlyColumnThatIsAnID() throws {
    #expect(try row("SELECT META().id AS x, name FROM _").data(as: Hotel.self).id == "ghia")
  }

  @Test func severalIDColumnsAreAmbiguous() throws {
    let joined = "SELECT META(a).id AS x, META(b).id AS y, a.name FROM _ AS a JOIN _ AS b ON a.name = b.name"
    expectError(CBLError.invalidQuery, "several") { _ = try row(joined).data(as: Hotel.self) }
  }

  @Test func objectReadFromARowCanBeSaved() throws {
    var hotel = try row("SELECT META().id, name FROM _").data(as: Hotel.self)
    hotel.name = "Lux"
    try hotels.save(from: hotel)
    #expect(try hotels.document(id: "ghia")?.string(forKey: "name") == "Lux")
    #expect(hotels.count == 1)
  }

  @Test func missingIDIsAnInvalidQuery() throws {
    expectError(CBLError.invalidQuery, "META().id") { _ = try row("SELECT name FROM _").data(as: Hotel.self) }
    expectError(CBLError.invalidQuery, "META().id") {
      _ = try row("SELECT * FROM _ AS data").data(as: Place.self, dataKey: "data")
    }
  }

  @Test func missingColumnIsAnInvalidQuery() throws {
    expectError(CBLError.invalidQuery, "\"data\"") {
      _ = try row("SELECT META().id, name FROM _").data(as: Hotel.self, dataKey: "data")
    }
  }

  @Test func typeWithoutAnIDNeedsNone() throws {
    struct Name: Decodable { var name: String }
    #expect(try row("SELECT name FROM _").data(as: Name.self).name == "Ghia")
  }
}
