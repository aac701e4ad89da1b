import Concordance
import Foundation
import Testing

/// Programs for the developer builds of Couchbase Lite 2: every name that the handbook lists.
@Suite struct DeveloperBuildNameTests {
  let files: TemporaryDatabase
  var database: Database { files.database }

  init() throws {
    files = try TemporaryDatabase()
    for number in 1...3 {
      let hotel = database.document(withID: "hotel_\(number)")
      hotel.properties = ["name": "Hotel \(number)", "stars": number, "open": number != 2]
      hotel["opened"] = Date(timeIntervalSince1970: Double(number))
      try hotel.save()
    }
  }

  @Test func allDocumentsAreSortedByID() throws {
    var ids: [String] = []
    for document in database.allDocuments { ids.append(document.id) }
    #expect(ids == ["hotel_1", "hotel_2", "hotel_3"])
    #expect(try database.defaultCollection().allDocuments.map { $0.int(forKey: "stars") } == [1, 2, 3])
  }

  @Test func allDocumentsInABatchContainItsChanges() throws {
    try database.inBatch {
      try database.document(withID: "hotel_4").save()
      #expect(Array(database.allDocuments).count == 4)
    }
  }

  @Test func allDocumentsStoreTheErrorThatEndedThem() throws {
    let documents = database.allDocuments
    _ = documents.next()
    try database.close()
    #expect(documents.next() == nil)
    #expect(documents.error?.code == CBLError.notOpen)
    #expect(database.allDocuments.error?.code == CBLError.notOpen)
  }

  @Test func queryWithoutAPredicateFindsAllDocuments() throws {
    let rows = try database.createQuery().run()
    #expect(rows.map(\.documentID).sorted() == ["hotel_1", "hotel_2", "hotel_3"])
    let named = try database.createQuery(returning: ["name"], orderBy: ["-stars"])
    #expect(try named.execute().map { $0.string(at: 0) } == ["Hotel 3", "Hotel 2", "Hotel 1"])
    #expect(try database.createQuery(where: "stars > 1").allDocuments().count == 2)
    #expect(try files.collection.createQuery().execute().allResults().count == 3)
  }

  @Test func parametersAreADictionary() throws {
    let query = try database.createQuery(where: "stars >= $Min && open == $Open", orderBy: ["stars"])
    query.parameters = ["Min": 1, "Open": true]
    #expect(try query.run().map(\.documentID) == ["hotel_1", "hotel_3"])
    let values: [String: Any] = ["Min": 2, "Open": true]
    query.parameters = values
    #expect(try query.run().map(\.documentID) == ["hotel_3"])
    query.parameters["Min"] = 1
    #expect(try query.run().count == 2)
    let read: [String: Any] = query.parameters
    #expect(read["Min"] as? Int == 1 && read["Open"] as? Bool == true)
    query.parameters = Parameters(["Min": 3, "Open": true])
    #expect(try query.run().count == 1)
    #expect(query.parameters?.value(forName: "Min") as? Int == 3)
    query.parameters = nil
    expectError(CBLError.invalidQueryParam) { _ = try query.run() }
  }

  @Test func rowsAreReadByTypeAndPosition() throws {
    let query = try database.createQuery(where: "stars == 3", returning: ["name", "stars", "open", "opened"])
    let row = try #require(try query.run().first)
    let name: String? = row[0]
    let stars: Int = row[1]
    let wide: Int64 = row[1]
    let double: Double = row[1]
    let float: Float = row[1]
    let optional: Int? = row[1]
    let open: Bool = row[2]
    let opened: Date? = row[3]
    let any: Any? = row[1]
    #expect(name == "Hotel 3" && stars == 3 && wide == 3 && double == 3 && float == 3 && optional == 3 && open)
    #expect(opened == Date(timeIntervalSince1970: 3) && any as? Int == 3)
    #expect((row[0] as String?) == "Hotel 3")
    let result = try #require(try query.execute().next())
    let first: String? = result[0]
    let second: Int = result[1]
    #expect(first == "Hotel 3" && second == 3 && result[0].string == "Hotel 3")
  }

  @Test func propertiesAreReadByTypeWithoutOptionals() throws {
    let hotel = database.document(withID: "hotel_2")
    let stars: Int = hotel["stars"]
    let open: Bool = hotel["open"]
    let missing: Double = hotel["missing"]
    #expect(stars == 2 && !open && missing == 0)
    hotel["stars"] = 4
    hotel["open"] = true
    hotel["rating"] = 4.5
    #expect(hotel.toJSON().contains(#""stars":4,"#) && hotel.boolean(forKey: "open") && hotel["rating"].double == 4.5)
  }

  @Test func indexesAreCreatedByIndexFunctions() throws {
    let index = Index.valueIndex().on(
      ValueIndexItem.expression(Expression.property("stars")), ValueIndexItem.property("name"))
    try database.createIndex(index, withName: "stars")
    let text = Index.ftsIndex().on(FTSIndexItem.expression(Expression.property("name"))).ignoreAccents(true)
      .locale("en_US")
    try database.createIndex(text, withName: "names")
    let collection = try database.defaultCollection()
    #expect(try collection.indexes().sorted() == ["names", "stars"])
    let configuration = try #require(try collection.indexDescriptions().first { $0.name == "names" }?.configuration)
    #expect(configuration == FullTextIndexConfiguration(["name"], ignoreAccents: true, language: "en"))
    let query = Query.select(SelectResult.property("name")).from(DataSource.database(database))
      .where(Expression.property("stars").greaterThan(1))
    #expect(try query.explanation().steps[0].index == "stars")
    let notAProperty = Index.ftsIndex().on(FTSIndexItem.expression(Function.lower(Expression.property("name"))))
    expectError(CBLError.invalidQuery) { try database.createIndex(notAProperty, withName: "lower") }
  }
}
