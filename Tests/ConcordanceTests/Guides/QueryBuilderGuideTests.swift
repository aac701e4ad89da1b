import Concordance
import Foundation
import Testing

/// The SELECT and WHERE examples of Couchbase Lite's guide to the query builder, unchanged, and their results.
@Suite struct QueryBuilderGuideTests {
  private let files: TemporaryDatabase
  private let collection: Concordance.Collection
  private let output = GuideOutput()

  init() throws {
    files = try TemporaryDatabase()
    collection = try files.database.createCollection(name: "travel-sample")
  }

  private func save(_ documents: [String: [String: Any]]) throws {
    for (id, data) in documents { try collection.save(document: MutableDocument(id: id, data: data)) }
  }

  private func saveHotels() throws {
    try save([
      "hotel123": ["type": "hotel", "name": "Hotel Ghia"], "hotel456": ["type": "hotel", "name": "Hotel Deluxe"],
      "airline_10": ["type": "airline", "name": "40-Mile Air"],
    ])
  }

  private func saveLandmarks(_ names: [String]) throws {
    for (number, name) in names.enumerated() {
      try save(["landmark_\(number)": ["type": "landmark", "country": "United Kingdom", "name": name]])
    }
    try save(["hotel_1": ["type": "hotel", "country": "United Kingdom", "name": "Engineer"]])
  }

  // MARK: SELECT

  @Test func allProperties() throws {
    try collection.save(
      document: MutableDocument(
        id: "airline_10",
        json: #"{"callsign":"MILE-AIR","country":"United States","iata":"Q5","icao":"MLA","id":10,"#
          + #""name":"40-Mile Air","type":"airline"}"#))
    try collection.save(document: MutableDocument(id: "airline_11", json: #"{"id":10,"name":"Alaskan Airways"}"#))
    let query = GuideQueries.allProperties(collection)

    #expect(
      try rows(of: query) == [
        #"{"travel-sample":{"callsign":"MILE-AIR","country":"United States","iata":"Q5","icao":"MLA","id":10,"#
          + #""name":"40-Mile Air","type":"airline"}}"#,
        #"{"travel-sample":{"id":10,"name":"Alaskan Airways"}}"#,
      ])
  }

  @Test func specificProperties() throws {
    try saveHotels()
    let query = GuideQueries.specificProperties(collection)

    do {
      for result in try query.execute() {
        print("document id :: \(result.string(forKey: "id")!)")
        print("document name :: \(result.string(forKey: "name")!)")
      }
    } catch {
      print(error)
    }

    #expect(
      Set(output.lines) == [
        "document id :: hotel123", "document name :: Hotel Ghia", "document id :: hotel456",
        "document name :: Hotel Deluxe", "document id :: airline_10", "document name :: 40-Mile Air",
      ])
    #expect(
      try rows(of: query).sorted() == [
        #"{"id":"airline_10","type":"airline","name":"40-Mile Air"}"#,
        #"{"id":"hotel123","type":"hotel","name":"Hotel Ghia"}"#,
        #"{"id":"hotel456","type":"hotel","name":"Hotel Deluxe"}"#,
      ])
  }

  // MARK: WHERE

  @Test func comparison() throws {
    try saveHotels()
    let query = GuideQueries.whereClause(collection)

    do {
      for result in try query.execute() {
        if let dict = result.dictionary(forKey: "travel-sample") {
          print("document name :: \(dict.string(forKey: "name")!)")
        }
      }
    } catch {
      print(error)
    }

    #expect(output.lines.sorted() == ["document name :: Hotel Deluxe", "document name :: Hotel Ghia"])
  }

  @Test func arrayContains() throws {
    let likes = ["Armani Langworth", "Elfrieda Gutkowski", "Maureen Ruecker"]
    try save([
      "hotel123": ["type": "hotel", "name": "Apple Droid", "public_likes": likes],
      "hotel456": ["type": "hotel", "name": "Other", "public_likes": ["Armani"]],
      "hotel789": ["type": "hotel", "name": "None", "public_likes": NSNull()],
      "landmark1": ["type": "landmark", "name": "Park", "public_likes": likes],
    ])
    let query = GuideQueries.containsOperator(collection)

    do {
      for result in try query.execute() {
        print("public_likes :: \(result.array(forKey: "public_likes")!.toArray())")
      }
    }

    #expect(output.lines == ["public_likes :: \(likes as [Any])"])
    #expect(try column("id", of: query) == ["hotel123"])
  }

  @Test func valueInProperties() throws {
    try save([
      "a": ["first": "Armani", "last": "Langworth"], "b": ["first": "Ann", "last": "Armani"],
      "c": ["username": "Armani"], "d": ["first": "armani"], "e": ["other": "Armani"],
    ])
    let query = GuideQueries.inOperator(collection)

    let found = try query.execute().compactMap { $0.dictionary(at: 0)?.toJSON() }
    #expect(
      found.sorted() == [
        #"{"first":"Ann","last":"Armani"}"#, #"{"first":"Armani","last":"Langworth"}"#, #"{"username":"Armani"}"#,
      ])
  }

  @Test func likeWithoutCase() throws {
    try saveLandmarks([
      "Royal Engineers Museum", "ROYAL ENGINEERS MUSEUM", "Royal Engineers", "The Royal Engineers Museum",
    ])
    let query = GuideQueries.likeOperator(collection)

    do {
      for result in try query.execute() {
        print("name property :: \(result.string(forKey: "name")!)")
      }
    }

    #expect(
      output.lines.sorted() == ["name property :: ROYAL ENGINEERS MUSEUM", "name property :: Royal Engineers Museum"])
  }

  @Test func likeWithWildcards() throws {
    try saveLandmarks(["Engineers", "engine", "english egg", "England Eagle", "Eng", "Big engine", "engorging"])
    let query = GuideQueries.wildcardMatch(collection)

    #expect(try column("name", of: query).sorted() == ["Engineers", "England Eagle", "engine", "english egg"])
  }

  /// The guide says that "Engineer" is found, too, but also that LIKE is case-sensitive, so its pattern does not match.
  @Test func likeWithCharacters() throws {
    try saveLandmarks(["engineer", "Engineer", "engaaar", "engaaaaar", "engé\u{1F600}xyr"])
    let query = GuideQueries.wildcardCharacterMatch(collection)

    #expect(try column("name", of: query).sorted() == ["engineer", "engé\u{1F600}xyr"])
  }

  @Test func regularExpression() throws {
    try saveLandmarks(["Engine", "The Engineering Guide", "engine", "Engineer", "Big Engine Shed"])
    let query = GuideQueries.regexOperator(collection)

    #expect(try column("name", of: query).sorted() == ["Big Engine Shed", "Engine", "The Engineering Guide"])
  }

  @Test func deletedDocuments() throws {
    try saveHotels()
    try collection.delete(document: #require(try collection.document(id: "hotel123")))
    let query = GuideQueries.deletedDocuments(collection)

    #expect(try rows(of: query) == [#"{"id":"hotel123"}"#])
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.print(items) }
}
