import Concordance
import Foundation
import Testing

@Suite struct FragmentTests {
  let document: MutableDocument

  init() throws {
    document = try MutableDocument(
      json: #"{"name":"Ghia","stars":4,"address":{"city":"Riga","geo":[56.9,24.1]},"open":true,"none":null}"#)
  }

  @Test func chainsReadAnyDepth() {
    #expect(document["address"]["city"].string == "Riga")
    #expect(document["address"]["geo"][1].double == 24.1)
    #expect(document["stars"].int == 4 && document["stars"].int64 == 4 && document["stars"].number == 4)
    #expect(document["open"].boolean && document["stars"].float == 4)
    #expect(document["address"].dictionary?.count == 2 && document["address"]["geo"].array?.count == 2)
  }

  @Test func chainToAMissingValueReturnsDefaults() {
    let fragment = document["address"]["street"]["number"][3]["x"]
    #expect(!fragment.exists && fragment.value == nil && fragment.string == nil && fragment.int == 0)
    #expect(document["none"].exists && document["none"].value is NSNull)
    #expect(!document["name"]["x"].exists)
  }

  @Test func chainsWriteAnyDepth() {
    document["address"]["city"].string = "Tallinn"
    document["address"]["geo"][0].double = 59.4
    document["stars"].int = 5
    document["when"].date = Date(timeIntervalSince1970: 0)
    document["tags"].array = MutableArrayObject(data: ["a"])
    document["inner"].dictionary = MutableDictionaryObject(data: ["k": 1])
    document["name"].value = nil
    #expect(document["address"]["city"].string == "Tallinn" && document["address"]["geo"][0].double == 59.4)
    #expect(document.int(forKey: "stars") == 5 && document["when"].string == "1970-01-01T00:00:00.000Z")
    #expect(document["tags"][0].string == "a" && document["inner"]["k"].int == 1)
    #expect(document["name"].value is NSNull)
  }

  @Test func writingToAMissingContainerChangesNothing() {
    let before = document.toJSON()
    document["missing"]["x"].string = "lost"
    document["name"][0].int = 1
    #expect(document.toJSON() == before)
  }

  @Test func collectionSubscriptReturnsDocuments() throws {
    let files = try TemporaryDatabase()
    try files.save("x", #"{"address":{"city":"Riga"}}"#)
    #expect(files.collection["x"].exists && files.collection["x"]["address"]["city"].string == "Riga")
    #expect(!files.collection["y"].exists && files.collection["y"].document == nil)
    #expect(files.collection["y"]["z"].string == nil)
  }
}
