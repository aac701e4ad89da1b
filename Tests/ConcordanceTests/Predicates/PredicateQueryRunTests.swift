import Concordance
import Foundation
import Testing

/// Running queries that were created from predicates.
@Suite struct PredicateQueryRunTests {
  struct Hotel: Codable {
    var name: String
    var stars: Int
    var city: String?
    var tags: [String]

    enum CodingKeys: String, CodingKey {
      case name, stars, tags
      case city = "town"
    }
  }

  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"name": "Ghia", "stars": 4, "town": "Riga", "tags": ["pool"]}"#)
    try test.save("b", #"{"name": "Deluxe", "stars": 5, "tags": []}"#)
    try test.save("c", #"{"name": "éclair", "stars": 2, "town": "Riga", "tags": ["bar", "pool"]}"#)
  }

  private func names(_ query: Query) throws -> [String] {
    try query.run().compactMap { $0.document.string(forKey: "name") }
  }

  @Test func strings() throws {
    let query = try test.database.createQuery(where: "town == 'Riga' && stars < $Max", orderBy: ["-stars"])
    query.parameters = Parameters().setInt(5, forName: "Max")
    #expect(try names(query) == ["Ghia", "éclair"])
    #expect(try names(test.database.createQuery(where: "name BEGINSWITH[cd] 'EC'")) == ["éclair"])
    #expect(try names(test.database.createQuery(where: "ANY tags == 'bar'")) == ["éclair"])
    #expect(try names(test.database.createQuery(where: ["=", [".name"], "Deluxe"])) == ["Deluxe"])
    let groups = try test.database.createQuery(
      where: nil, groupBy: ["town"], returning: ["town", "count(name)"], orderBy: ["town"])
    #expect(try groups.execute().map { $0.toJSON() } == [#"{"$1":1}"#, #"{"town":"Riga","$1":2}"#])
  }

  @Test func macros() throws {
    let least = 3
    let query = try test.collection.createQuery(
      where: #Predicate<Hotel> { $0.stars >= least && $0.city == "Riga" }, returning: [\.name])
    #expect(try query.execute().map { $0.string(at: 0) } == ["Ghia"])
    let tagged = try test.collection.createQuery(
      where: #Predicate<Hotel> { $0.tags.contains("pool") && $0.city != nil }, orderBy: [SortDescriptor(\.name)])
    #expect(try names(tagged) == ["Ghia", "éclair"])
  }
}
