import Concordance
import Foundation
import Testing

/// The examples of the API guide of the first developer builds, unchanged if possible.
@Suite struct DeveloperBuildTests {
  let files: TemporaryDatabase
  var database: Database { files.database }

  init() throws { files = try TemporaryDatabase() }

  @Test func documentIsSavedByItsSaveMethod() throws {
    let document = database.document()
    do {
      try document.save()
    } catch let error {
      print(error.localizedDescription)
    }
    #expect(try database.defaultCollection().document(id: document.id) != nil)
  }

  @Test func propertiesAreSetTogetherAndReadByType() throws {
    let document = database.document(withID: "user")
    document.properties = [
      "type": "user",
      "admin": false,
      "address": [
        "street": "1 park street",
        "zip": 123456,
      ],
    ]
    try document.save()
    #expect(document["type"] as String? == "user")
    let admin: Bool? = document["admin"]
    #expect(admin == false)
    let name: String? = document["admin"]
    #expect(name == nil)
    #expect(database.document(withID: "user")["address"]["zip"].int == 123456)
  }

  @Test func datesAreSetBySubscript() throws {
    let document = database.document()
    document["createdAt"] = Date(timeIntervalSince1970: 1.5)
    try document.save()
    #expect((document["createdAt"] as Date?) == Date(timeIntervalSince1970: 1.5))
  }

  @Test func subdocumentIsEditedInPlace() throws {
    let document = database.document()
    document.properties = ["address": ["street": "1 park street"]]
    let address: Subdocument? = document["address"]
    address?["city"] = "galaxy city"
    try document.save()
    #expect((document["address"] as Subdocument?)?.properties["city"] as? String == "galaxy city")
    #expect(try database.defaultCollection().document(id: document.id)?["address"]["city"].string == "galaxy city")
  }

  @Test func batchSavesDocuments() throws {
    var names: [String?] = []
    do {
      try database.inBatch {
        for i in 0...10 {
          let doc = database.document()
          doc["type"] = "user"
          doc["name"] = "user \(i)"
          try doc.save()
          names.append(doc.getString("name"))
        }
      }
    } catch let error {
      print(error.localizedDescription)
    }
    #expect(names.last == "user 10")
    #expect(try database.defaultCollection().count == 11)
  }

  @Test func blobIsSetBySubscript() throws {
    let document = database.document()
    let imageData: Data? = Data([0xFF, 0xD8, 0xFF])

    let blob = Blob(contentType: "image/jpg", data: try #require(imageData))
    document["avatar"] = blob
    do {
      try document.save()
    } catch let error {
      print(error.localizedDescription)
    }
    let avatar = document.properties["avatar"] as? Blob
    #expect(avatar?.content == imageData && avatar?.contentType == "image/jpg")
    #expect((database.document(withID: document.id)["avatar"] as Blob?)?.length == 3)
  }

  @Test func subscriptsTakeEveryType() throws {
    let doc = database.document()
    doc["int"] = 5
    doc["double"] = 1.5
    doc["bool"] = true
    doc["list"] = [1, "a"] as [Any]
    doc["dict"] = ["k": 1] as [String: Any]
    doc["object"] = MutableDictionaryObject(data: ["k": 2])
    #expect((doc["int"] as Int?) == 5 && (doc["double"] as Double?) == 1.5 && (doc["bool"] as Bool?) == true)
    #expect((doc["list"] as [Any]?)?.count == 2 && (doc["dict"] as [String: Any]?)?.count == 1)
    #expect((doc["object"] as DictionaryObject?)?.int(forKey: "k") == 2)
    #expect((doc["int"] as Bool?) == nil && (doc["bool"] as Int64?) == 1)
    #expect(doc["int"].exists)
  }

  @Test func documentWithoutACollectionThrowsNotOpen() throws {
    let error = #expect(throws: CBLError.self) { try MutableDocument(id: "x").save() }
    #expect(error?.message.contains("collection.save(document:)") == true)
  }

  @Test func errorOfOpeningIsAnNSError() throws {
    var seen: NSError?
    do {
      _ = try Database(name: "a/b")
    } catch let error as NSError {
      seen = error
    }
    #expect(seen?.code == CBLError.invalidParameter)
  }
}
