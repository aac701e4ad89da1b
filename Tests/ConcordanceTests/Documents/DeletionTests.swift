import Concordance
import Foundation
import Testing

/// Deletions and saves of documents that were deleted or purged before.
@Suite struct DeletionTests {
  let files: TemporaryDatabase
  var collection: Concordance.Collection { files.collection }

  init() throws {
    files = try TemporaryDatabase()
    try files.save("x", #"{"n": 1}"#)
  }

  private func read() throws -> MutableDocument { try #require(try collection.document(id: "x")).toMutable() }

  @Test func deletingADeletedDocumentWritesANewTombstone() throws {
    let document = try read()
    try collection.delete(document: document)
    let first = (document.sequence, document.revisionID)
    try collection.delete(document: document)
    #expect(document.sequence == first.0 + 1)
    #expect(document.revisionID != first.1)
    #expect(collection.count == 0)
    #expect(try files.database.verify() == [])
  }

  @Test func staleObjectAdoptsTheTombstoneOfAnotherDeletion() throws {
    let (mine, theirs) = (try read(), try read())
    try collection.delete(document: theirs)
    try collection.delete(document: mine)
    #expect(mine.sequence == theirs.sequence)
  }

  @Test(arguments: [ConcurrencyControl.lastWriteWins, .failOnConflict])
  func deletingAPurgedDocumentIsNotFound(control: ConcurrencyControl) throws {
    let document = try read()
    try collection.purge(id: "x")
    expectError(CBLError.notFound) { try collection.delete(document: document, concurrencyControl: control) }
  }

  @Test func savingAPurgedDocumentWithAConflictHandlerIsNotFound() throws {
    let document = try read()
    try collection.purge(id: "x")
    expectError(CBLError.notFound) {
      try collection.save(document: document) { _, _ in
        Issue.record("there is no other version to ask about")
        return true
      }
    }
    #expect(try collection.document(id: "x") == nil)
  }

  @Test func conflictHandlerGetsNilForADeletedDocumentAndMaySaveIt() throws {
    let document = try read()
    try collection.delete(document: read())
    let isSaved = try collection.save(document: document) { mine, theirs in
      #expect(theirs == nil)
      mine.setInt(2, forKey: "n")
      return true
    }
    #expect(isSaved)
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 2)
  }

  @Test func tombstonesExpire() throws {
    try collection.delete(document: read())
    let time = Date(timeIntervalSince1970: 4_000_000_000)
    try collection.setDocumentExpiration(id: "x", expiration: time)
    #expect(try collection.getDocumentExpiration(id: "x") == time)
    let received = Received<String>()
    let token = collection.addDocumentChangeListener(id: "x") { received.add($0.documentID) }
    try collection.setDocumentExpiration(id: "x", expiration: Date(timeIntervalSinceNow: -1))
    received.wait(for: "x")
    token.remove()
    expectError(CBLError.notFound) { try collection.setDocumentExpiration(id: "x", expiration: nil) }
  }

  @Test func documentsOfTwoDatabaseObjectsOfOneFileAreEqual() throws {
    let other = try files.again()
    let document = try #require(try other.defaultCollection().document(id: "x"))
    #expect(try collection.document(id: "x") == document)
    expectError(CBLError.invalidParameter) { try collection.save(document: document.toMutable()) }
    let elsewhere = try TemporaryDatabase()
    try elsewhere.save("x", #"{"n": 1}"#)
    #expect(try elsewhere.collection.document(id: "x") != document)
  }

  @Test func settingAFragmentPastTheEndOfAnArrayIsIgnored() throws {
    let document = MutableDocument(data: ["phones": ["1", "2"]])
    document["phones"][2].string = "3"
    document["phones"][-1].string = "0"
    document["phones"][1].string = "two"
    #expect(document.toJSON() == #"{"phones":["1","two"]}"#)
    try collection.save(document: document)
  }

  @Test(.filesOnly("deletes files")) func deletingAMissingDatabaseDoesNothing() throws {
    try Database.delete(withName: "never", inDirectory: files.folder.url.path)
    try Database.delete(withName: "never", inDirectory: files.folder.url.appendingPathComponent("nowhere").path)
    expectError(CBLError.busy) { try Database.delete(withName: "test", inDirectory: files.folder.url.path) }
  }

  @Test func defaultScopeOfAClosedDatabaseIsNotOpen() throws {
    #expect(try files.database.defaultScope().name == "_default")
    try files.database.close()
    expectError(CBLError.notOpen) { _ = try files.database.defaultScope() }
  }

  @Test(arguments: [[], [""]])
  func arrayIndexWithAnEmptyListOfExpressionsIsRefused(expressions: [String]) throws {
    expectError(CBLError.invalidParameter, "pass nil") {
      try collection.createIndex(
        withName: "phones", config: ArrayIndexConfiguration(path: "phones", expressions: expressions))
    }
    try collection.createIndex(withName: "phones", config: ArrayIndexConfiguration(path: "phones"))
  }
}
