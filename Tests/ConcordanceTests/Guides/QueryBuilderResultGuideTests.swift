import Concordance
import Foundation
import Testing

/// The examples with results of Couchbase Lite's guide to the query builder, unchanged.
@Suite struct QueryBuilderResultGuideTests {
  private let files: TemporaryDatabase
  private let database: Database
  private let output = GuideOutput()

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
    let collection = try database.createCollection(name: "hotel")
    for (id, name, city) in [("hotel123", "Hotel Ghia", "Riga"), ("hotel456", "Hotel Deluxe", "Tallinn")] {
      try collection.save(
        document: MutableDocument(
          id: id, json: #"{"id":"\#(id)","type":"hotel","name":"\#(name)","city":"\#(city)","country":"Baltia"}"#))
    }
  }

  // MARK: All properties

  @Test func allProperties() throws {
    var hotels: [String: DictionaryObject] = [:]
    let collection = try self.database.createCollection(name: "hotel")
    let query = QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection))

    let results = try query.execute()
    for row in results {
      let docsProps = row.dictionary(at: 0)!

      let docid = docsProps.string(forKey: "id")!
      let name = docsProps.string(forKey: "name")!
      let type = docsProps.string(forKey: "type")!
      let city = docsProps.string(forKey: "city")!

      print("\(docid): \(name), \(type), \(city)")
      let hotel = row.dictionary(at: 0)!
      guard let hotelId = hotel.string(forKey: "id") else {
        continue
      }

      hotels[hotelId] = hotel
    }

    #expect(
      output.lines.sorted() == ["hotel123: Hotel Ghia, hotel, Riga", "hotel456: Hotel Deluxe, hotel, Tallinn"])
    #expect(hotels["hotel456"]?.string(forKey: "name") == "Hotel Deluxe")
    #expect(results.columnNames == ["hotel"])
  }

  // MARK: Specific properties

  private struct Hotel {
    var id: String
    var name: String?
    var city: String?
    var type: String?
  }

  @Test func specificProperties() throws {
    var hotels: [String: Hotel] = [:]
    let collection = try self.database.createCollection(name: "hotel")

    let query = GuideQueries.hotelProperties(collection)

    for result in try! query.execute() {
      let docID = result.string(forKey: "metaId")!
      print("processing doc: \(docID)")

      let id = result.string(forKey: "id")!
      var hotel = Hotel(id: id)
      hotel.name = result.string(forKey: "name")
      hotel.city = result.string(forKey: "city")
      hotel.type = result.string(forKey: "type")
      hotels[id] = hotel
    }  // end for

    #expect(output.lines.sorted() == ["processing doc: hotel123", "processing doc: hotel456"])
    #expect(hotels["hotel123"]?.name == "Hotel Ghia" && hotels["hotel123"]?.city == "Riga")
    #expect(
      try rows(of: query).sorted() == [
        #"{"metaId":"hotel123","id":"hotel123","name":"Hotel Ghia","city":"Riga","type":"hotel"}"#,
        #"{"metaId":"hotel456","id":"hotel456","name":"Hotel Deluxe","city":"Tallinn","type":"hotel"}"#,
      ])
  }

  // MARK: Document id

  @Test func documentID() throws {
    let collection = try self.database.createCollection(name: "hotel")
    let query = QueryBuilder.select(SelectResult.expression(Meta.id).as("metaId"))
      .from(DataSource.collection(collection))

    let results = try query.execute()
    for result in results {

      print(result.toDictionary())

      let docId = result.string(forKey: "metaId")!
      print("Document Id is -- \(docId)")

      // Now you can get the document using the ID
      if let doc = try collection.document(id: docId) {
        let hotelId = doc.string(forKey: "id")!
        let name = doc.string(forKey: "name")!
        let city = doc.string(forKey: "city")!
        let type = doc.string(forKey: "type")!

        // ... process document properties as required
        print("Result properties are: \(hotelId), \(name), \(city), \(type)")
      }
    }

    #expect(
      Set(output.lines) == [
        #"["metaId": "hotel123"]"#, "Document Id is -- hotel123",
        "Result properties are: hotel123, Hotel Ghia, Riga, hotel", #"["metaId": "hotel456"]"#,
        "Document Id is -- hotel456", "Result properties are: hotel456, Hotel Deluxe, Tallinn, hotel",
      ])
    let unnamed = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
    #expect(try rows(of: unnamed).sorted() == [#"{"id":"hotel123"}"#, #"{"id":"hotel456"}"#])
  }

  // MARK: Count

  @Test func countOnly() throws {
    let collection = try self.database.createCollection(name: "hotel")
    for number in 1...4 {
      try collection.save(document: MutableDocument(id: "more_\(number)", data: ["type": "hotel"]))
    }
    let query =
      QueryBuilder
      .select(SelectResult.expression(Function.count(Expression.all())).as("mycount"))
      .from(DataSource.collection(collection)).groupBy(Expression.property("type"))

    for result in try query.execute() {
      let count = result.int(forKey: "mycount")
      print("There are ", count, " rows")
    }

    #expect(output.lines == ["There are  6  rows"])
    #expect(try rows(of: query) == [#"{"mycount":6}"#])
  }

  // MARK: Pages

  @Test func pagination() throws {
    let collection = try self.database.createCollection(name: "pages")
    for number in 1...50 { try collection.save(document: MutableDocument(id: "d\(number)", data: ["n": number])) }
    var seen: [Int] = []
    for page in 0..<4 {
      let offset = page * 20
      let limit = 20
      //
      let query =
        QueryBuilder
        .select(SelectResult.all())
        .from(DataSource.collection(collection))
        .limit(Expression.int(limit), offset: Expression.int(offset))
      let found = try query.execute().compactMap { $0.dictionary(at: 0)?.int(forKey: "n") }
      #expect(found.count == [20, 20, 10, 0][page])
      seen += found
    }
    #expect(seen.sorted() == Array(1...50))
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.print(items) }
}

/// The guide's example on rows as JSON.
@Suite struct JSONResultGuideTests {
  // In this example the Hotel class is defined using Codable
  private final class Hotel: Codable {
    var id: String = "undefined"
    var type: String? = "hotel"
    var name: String? = "undefined"
    var city: String? = "undefined"
    var country: String = "undefined"
    var description: String? = ""
    var text: String? = ""
  }

  @Test func rowsAsJSON() throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"id":"hotel123","type":"hotel","name":"Hotel \"Ghia\"","city":"Rīga","country":"Latvia"}"#)
    let query = try files.database.createQuery("SELECT id, type, name, city, country, description FROM _")
    var hotels: [String: Hotel] = [:]

    let results = try query.execute()
    for row in results {

      // get the result into a JSON String
      let jsonString = row.toJSON()

      let thisJsonObj: Dictionary =
        try
        (JSONSerialization.jsonObject(
          with: jsonString.data(using: .utf8)!,
          options: .allowFragments)
        as? [String: Any])!

      // Use Json Object to populate Native object
      // Use Codable class to unpack JSON data to native object
      let thisHotel: Hotel = try JSONDecoder().decode(Hotel.self, from: jsonString.data(using: .utf8)!)
      #expect(thisHotel.name == "Hotel \"Ghia\"" && thisHotel.description == nil && thisHotel.country == "Latvia")

      // ALTERNATIVELY unpack in steps
      thisHotel.id = thisJsonObj["id"] as! String
      thisHotel.name = thisJsonObj["name"] as? String
      thisHotel.type = thisJsonObj["type"] as? String
      thisHotel.city = thisJsonObj["city"] as? String
      hotels[thisHotel.id] = thisHotel

    }  // end for

    #expect(hotels.keys.sorted() == ["hotel123"])
    #expect(hotels["hotel123"]?.name == "Hotel \"Ghia\"" && hotels["hotel123"]?.city == "Rīga")
    #expect(
      try rows(of: query)
        == [#"{"id":"hotel123","type":"hotel","name":"Hotel \"Ghia\"","city":"Rīga","country":"Latvia"}"#])
    let everything = try files.database.createQuery("SELECT * FROM _")
    #expect(try everything.execute().data(as: Hotel.self, dataKey: "_").map(\.city) == ["Rīga"])
  }
}
