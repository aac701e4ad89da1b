import Concordance
import Foundation
import Testing

/// The examples of Couchbase Lite's guide to result sets for Objective-C, in Swift.
@Suite struct ResultSetGuideTests {
  private let files: TemporaryDatabase
  private let collection: Concordance.Collection
  private let output = GuideOutput()

  init() throws {
    files = try TemporaryDatabase()
    collection = try files.database.createCollection(name: "travel-sample")
    for (id, name, city) in [("hotel123", "Hotel Ghia", "Riga"), ("hotel456", "Hotel Deluxe", "Tallinn")] {
      try collection.save(
        document: MutableDocument(
          id: id, json: #"{"id":"\#(id)","type":"hotel","name":"\#(name)","city":"\#(city)"}"#))
    }
  }

  @Test func allProperties() throws {
    let query = QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection))
    let results = try query.execute()

    for result in results {
      let data = result.value(at: 0) as? DictionaryObject
      // Use dictionary values
      print("id =", data?.value(forKey: "id") ?? "")
      print("name =", data?.value(forKey: "name") ?? "")
      print("type =", data?.value(forKey: "type") ?? "")
      print("city =", data?.value(forKey: "city") ?? "")
    }

    #expect(
      Set(output.lines) == [
        "id = hotel123", "name = Hotel Ghia", "type = hotel", "city = Riga", "id = hotel456", "name = Hotel Deluxe",
        "city = Tallinn",
      ])
    #expect(
      try rows(of: query).sorted() == [
        #"{"travel-sample":{"id":"hotel123","type":"hotel","name":"Hotel Ghia","city":"Riga"}}"#,
        #"{"travel-sample":{"id":"hotel456","type":"hotel","name":"Hotel Deluxe","city":"Tallinn"}}"#,
      ])
  }

  @Test func documentID() throws {
    let query = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
    let results = try query.execute()
    var documents: [Document] = []
    for result in results {
      let docId = result.string(forKey: "id")
      // Now you can get the document using its ID
      documents.append(try #require(try collection.document(id: docId ?? "")))
    }
    #expect(documents.map(\.id).sorted() == ["hotel123", "hotel456"])
    #expect(try rows(of: query).sorted() == [#"{"id":"hotel123"}"#, #"{"id":"hotel456"}"#])
  }

  @Test func specificProperties() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Expression.property("id")), SelectResult.property("type"),
        SelectResult.property("name"), SelectResult.property("city")
      )
      .from(DataSource.collection(collection))
    let results = try query.execute()

    for result in results {  // all results
      print("id =", result.string(forKey: "id") ?? "")
      print("name =", result.string(forKey: "name") ?? "")
      print("type =", result.string(forKey: "type") ?? "")
      print("city =", result.string(forKey: "city") ?? "")
    }

    #expect(output.lines.count == 8 && output.lines.contains("city = Tallinn"))
    #expect(
      try rows(of: query).sorted() == [
        #"{"id":"hotel123","type":"hotel","name":"Hotel Ghia","city":"Riga"}"#,
        #"{"id":"hotel456","type":"hotel","name":"Hotel Deluxe","city":"Tallinn"}"#,
      ])
    // A result set can be iterated once. The remaining rows are available as an array.
    let again = try query.execute()
    _ = again.next()
    #expect(again.allResults().count == 1)
    #expect(again.next() == nil && again.allResults().isEmpty)
  }

  @Test func rowsAsJSON() throws {
    let query = QueryBuilder.select(SelectResult.property("name"), SelectResult.property("city"))
      .from(DataSource.collection(collection)).orderBy(Ordering.property("name").ascending())
    let rs = try query.execute()
    for result in rs {

      // Get result as a JSON string
      let json = result.toJSON()

      // Get a native object from the JSON string
      let dict =
        try JSONSerialization.jsonObject(with: Data(json.utf8), options: [.fragmentsAllowed]) as? [String: Any]

      print("Json String", json)
      print("Native Object", dict?["city"] ?? "")

    }  // end for
    #expect(
      output.lines == [
        #"Json String {"name":"Hotel Deluxe","city":"Tallinn"}"#, "Native Object Tallinn",
        #"Json String {"name":"Hotel Ghia","city":"Riga"}"#, "Native Object Riga",
      ])
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.print(items) }
}
