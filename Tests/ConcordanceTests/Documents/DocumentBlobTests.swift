import Concordance
import Foundation
import Testing

@Suite struct DocumentBlobTests {
  let files: TemporaryDatabase
  var collection: Concordance.Collection { files.collection }

  init() throws { files = try TemporaryDatabase() }

  private func blob(_ text: String = "12345") -> Blob { Blob(contentType: "text/plain", data: Data(text.utf8)) }

  @Test func blobIsReadAndWrittenAsAProperty() throws {
    let document = MutableDocument(id: "x")
    document["avatar"] = blob()
    document.setValue([["photo": blob("67")]], forKey: "list")
    try collection.save(document: document)
    let read = try #require(try collection.document(id: "x"))
    #expect(read.blob(forKey: "avatar")?.content == Data("12345".utf8))
    #expect(read["list"][0]["photo"].blob?.content == Data("67".utf8))
    #expect(read.value(forKey: "avatar") is Blob && read.toDictionary()["avatar"] is Blob)
    #expect(
      read["avatar"].blob?.toJSON()
        == #"{"@type":"blob","content_type":"text/plain","digest":"sha1-jLIjfQZ5yojbZGTqxg2pY0VROWQ=","length":5}"#)
    #expect(read.toJSON() == document.toJSON() && read.toJSON().contains("\"digest\":\"sha1-"))
    #expect(read.dictionary(forKey: "avatar") == nil)
    #expect(document.blob(forKey: "avatar")?.digest == "sha1-jLIjfQZ5yojbZGTqxg2pY0VROWQ=")
  }

  @Test func blobIsKeptWhenAnotherPropertyIsEdited() throws {
    try collection.save(document: MutableDocument(id: "x").setBlob(blob(), forKey: "avatar"))
    let document = try #require(try collection.document(id: "x")).toMutable()
    _ = document.blob(forKey: "avatar")
    try collection.save(document: document.setInt(1, forKey: "n"))
    try files.database.performMaintenance(type: .compact)
    #expect(try collection.document(id: "x")?.blob(forKey: "avatar")?.content == Data("12345".utf8))
  }

  @Test func unreferencedBlobsAreDeleted() throws {
    let document = MutableDocument(id: "x").setBlob(blob(), forKey: "avatar")
    try collection.save(document: document)
    let properties = try #require(document.blob(forKey: "avatar")).properties
    #expect(try files.database.getBlob(properties: properties)?.content?.count == 5)
    try collection.save(document: document.removeValue(forKey: "avatar"))
    try files.database.performMaintenance(type: .compact)
    #expect(try files.database.getBlob(properties: properties) == nil)
  }

  @Test func nestedBlobsOfAnotherDatabaseAreCopied() throws {
    try collection.save(
      document: MutableDocument(id: "x").setValue(["a": [["photo": blob()]]], forKey: "deep"))
    let read = try #require(try collection.document(id: "x"))
    let other = try TemporaryDatabase()
    try other.collection.save(
      document: MutableDocument(id: "y").setDictionary(read.dictionary(forKey: "deep"), forKey: "deep"))
    let copy = try #require(try other.collection.document(id: "y"))
    #expect(copy["deep"]["a"][0]["photo"].blob?.content == Data("12345".utf8))
  }

  @Test func blobOfAnotherDatabaseIsSavedAfterARolledBackBatch() throws {
    struct Refused: Error {}
    try collection.save(document: MutableDocument(id: "x").setValue(["photo": blob()], forKey: "deep"))
    let read = try #require(try collection.document(id: "x"))
    let other = try TemporaryDatabase()
    let copy = MutableDocument(id: "y").setDictionary(read.dictionary(forKey: "deep"), forKey: "deep")
    try? other.database.inBatch {
      try other.collection.save(document: copy)
      throw Refused()
    }
    #expect(other.collection.count == 0)
    try other.collection.save(document: copy)
    let saved = try #require(try other.collection.document(id: "y"))
    #expect(saved["deep"]["photo"].blob?.content == Data("12345".utf8))
  }

  @Test func blobOfAnotherDatabaseIsReadFromTheDatabaseOfACommittedBatch() throws {
    try collection.save(document: MutableDocument(id: "x").setValue(["photo": blob()], forKey: "deep"))
    let read = try #require(try collection.document(id: "x"))
    let other = try TemporaryDatabase()
    let copy = MutableDocument(id: "y").setDictionary(read.dictionary(forKey: "deep"), forKey: "deep")
    try other.database.inBatch { try other.collection.save(document: copy) }
    try files.database.close()
    #expect(copy["deep"]["photo"].blob?.content == Data("12345".utf8))
  }

  @Test func blobsThatAreAddedAfterTheSaveOfABatchAreStoredByTheNextSave() throws {
    try collection.save(document: MutableDocument(id: "x").setValue(["photo": blob()], forKey: "deep"))
    try collection.save(document: MutableDocument(id: "z").setValue(["photo": blob("67")], forKey: "deep"))
    let first = try #require(try collection.document(id: "x"))
    let second = try #require(try collection.document(id: "z"))
    let other = try TemporaryDatabase()
    let copy = MutableDocument(id: "y").setDictionary(first.dictionary(forKey: "deep"), forKey: "deep")
    try other.database.inBatch {
      try other.collection.save(document: copy)
      _ = copy.setDictionary(second.dictionary(forKey: "deep"), forKey: "added")
    }
    try other.collection.save(document: copy)
    let saved = try #require(try other.collection.document(id: "y"))
    #expect(saved["deep"]["photo"].blob?.content == Data("12345".utf8))
    #expect(saved["added"]["photo"].blob?.content == Data("67".utf8))
  }

  @Test func blobInJSONIsReadAsABlobIfItIsStored() throws {
    let blob = blob()
    try files.database.saveBlob(blob: blob)
    try files.save("x", "{\"avatar\":\(blob.toJSON())}")
    #expect(try collection.document(id: "x")?.blob(forKey: "avatar")?.content == Data("12345".utf8))
    let document = try MutableDocument(json: "{\"avatar\":\(blob.toJSON())}")
    try collection.save(document: document)
    #expect(document.blob(forKey: "avatar")?.content == Data("12345".utf8))
  }

  @Test func referenceToADeletedBlobIsNotSaved() throws {
    try collection.save(document: MutableDocument(id: "x").setBlob(blob(), forKey: "avatar"))
    let copy = try #require(try collection.document(id: "x")).toMutable()
    let original = try #require(try collection.document(id: "x"))
    try collection.delete(document: original)
    try files.database.performMaintenance(type: .compact)
    let error = #expect(throws: CBLError.self) { try collection.save(document: copy) }
    #expect(error?.code == CBLError.notFound && error?.message.contains("sha1-") == true)
    #expect(collection.count == 0)
  }

  @Test func blobReadBeforeTheSaveIsStoredByIt() throws {
    let stored = blob()
    try files.database.saveBlob(blob: stored)
    let document = try MutableDocument(id: "x", json: "{\"avatar\":\(stored.toJSON())}")
    #expect(document.blob(forKey: "avatar")?.content == nil)
    try collection.save(document: document)
    #expect(document.blob(forKey: "avatar")?.content == Data("12345".utf8))
  }

  @Test func blobsOfTheOlderFormAreRead() throws {
    let blob = blob()
    try files.database.saveBlob(blob: blob)
    let digest = try #require(blob.digest)
    try files.save("x", #"{"avatar":{"_cbltype":"blob","digest":"\#(digest)","length":5,"type":"image/png"}}"#)
    let read = try #require(try collection.document(id: "x")?.blob(forKey: "avatar"))
    #expect(read.contentType == "image/png" && read.content == Data("12345".utf8))
  }

  @Test func blobWithoutContentFailsTheSave() throws {
    let properties: [String: Any] = [
      "@type": "blob", "digest": "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "length": 5, "content_type": "text/plain",
    ]
    let message = "the content of the blob sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA= is not in the database"
    expectError(CBLError.notFound, message) {
      try collection.save(document: MutableDocument(id: "x", data: ["avatar": properties]))
    }
    #expect(collection.count == 0)
  }

  @Test func rolledBackBatchStoresNoBlob() throws {
    struct Refused: Error {}
    let document = MutableDocument(id: "x").setBlob(blob(), forKey: "avatar")
    try? files.database.inBatch {
      try collection.save(document: document)
      throw Refused()
    }
    #expect(document.blob(forKey: "avatar")?.digest == nil)
    try collection.save(document: document)
    #expect(try collection.document(id: "x")?.blob(forKey: "avatar")?.content == Data("12345".utf8))
  }

  @Test func codableTypesHaveBlobs() throws {
    struct User: DocumentCodable {
      @DocumentID var id: String?
      var avatar: Blob?
      var photos: [Blob] = []
    }
    let user = User(avatar: blob(), photos: [blob("6"), blob("7")])
    try collection.save(from: user)
    let id = try #require(user.id)
    let read = try #require(try collection.document(id: id, as: User.self))
    #expect(read.avatar?.content == Data("12345".utf8))
    #expect(read.photos.map(\.content) == [Data("6".utf8), Data("7".utf8)])
  }
}
