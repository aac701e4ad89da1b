import Concordance
import Foundation
import Testing

/// The examples with documents in the guides to the query builder and to result sets, unchanged.
@Suite struct GuideTests {
  let files: TemporaryDatabase
  let collection: Concordance.Collection

  init() throws {
    files = try TemporaryDatabase()
    collection = try files.database.createCollection(name: "hotel")
    try collection.save(
      document: MutableDocument(
        id: "hotel123", data: ["id": "hotel123", "type": "hotel", "name": "Hotel Ghia", "city": "Ardèche"]))
  }

  @Test func documentIsReadByTheIDOfARow() throws {
    let docId = "hotel123"
    var properties: [String] = []
    if let doc = try collection.document(id: docId) {
      let hotelId = doc.string(forKey: "id")!
      let name = doc.string(forKey: "name")!
      let city = doc.string(forKey: "city")!
      let type = doc.string(forKey: "type")!

      properties = [hotelId, name, city, type]
    }
    #expect(properties == ["hotel123", "Hotel Ghia", "Ardèche", "hotel"])
  }

  @Test func jsonOfADocumentIsDecoded() throws {
    final class Hotel: Codable {
      var id: String = "undefined"
      var type: String = "hotel"
      var name: String = "undefined"
      var city: String = "undefined"
      var description: String? = ""
    }
    let row = try #require(try collection.document(id: "hotel123"))
    let jsonString = row.toJSON()
    let object: [String: Any] =
      try
      (JSONSerialization.jsonObject(
        with: jsonString.data(using: .utf8)!,
        options: .allowFragments)
      as? [String: Any])!
    let hotel: Hotel = try JSONDecoder().decode(Hotel.self, from: jsonString.data(using: .utf8)!)
    #expect(hotel.name == "Hotel Ghia" && object["city"] as? String == "Ardèche")
  }

  @Test func modelReceivesAndReturnsDictionaries() throws {
    func predict(input: DictionaryObject) -> DictionaryObject? {
      guard let blob = input.blob(forKey: "photo") else {
        return nil
      }

      let imageData = blob.content!
      let modelOutput: [String: AnyObject] = ["size": NSNumber(value: imageData.count)]

      let output = MutableDictionaryObject(data: modelOutput)
      return output
    }
    let photo = Blob(contentType: "image/png", data: Data([1, 2, 3]))
    #expect(predict(input: MutableDictionaryObject(data: ["photo": photo]))?.int(forKey: "size") == 3)
    #expect(predict(input: MutableDictionaryObject()) == nil)
  }

  @Test func tombstonesAreLeftByDeletions() throws {
    let document = try #require(try collection.document(id: "hotel123"))
    try collection.delete(document: document)
    #expect(collection.count == 0)
    #expect(try files.database.verify().isEmpty)
  }
}
