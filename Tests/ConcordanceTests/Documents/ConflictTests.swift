import Concordance
import Foundation
import Testing

@Suite struct ConflictTests {
  let files: TemporaryDatabase
  var collection: Concordance.Collection { files.collection }

  init() throws {
    files = try TemporaryDatabase()
    try files.save("x", #"{"n":0}"#)
  }

  private func read() throws -> MutableDocument { try #require(try collection.document(id: "x")).toMutable() }

  @Test func handlerReceivesBothVersionsAndMerges() throws {
    let mine = try read().setInt(1, forKey: "mine")
    try collection.save(document: read().setInt(2, forKey: "theirs"))
    var calls = 0
    let isSaved = try collection.save(document: mine) { mine, theirs in
      calls += 1
      #expect(mine.int(forKey: "mine") == 1 && theirs?.int(forKey: "theirs") == 2)
      mine.setInt(theirs?.int(forKey: "theirs") ?? 0, forKey: "theirs")
      return true
    }
    #expect(isSaved && calls == 1)
    #expect(try collection.document(id: "x")?.toJSON() == #"{"n":0,"mine":1,"theirs":2}"#)
  }

  @Test func handlerMayRefuse() throws {
    let mine = try read().setInt(1, forKey: "n")
    try collection.save(document: read().setInt(2, forKey: "n"))
    #expect(try !collection.save(document: mine) { _, _ in false })
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 2)
  }

  @Test func handlerIsCalledAgainAfterAnotherConflict() throws {
    let mine = try read().setInt(1, forKey: "n")
    try collection.save(document: read().setInt(10, forKey: "n"))
    var seen: [Int] = []
    let isSaved = try collection.save(document: mine) { _, theirs in
      seen.append(theirs?.int(forKey: "n") ?? -1)
      if seen.count < 3 { try collection.save(document: read().setInt(10 + seen.count, forKey: "n")) }
      return true
    }
    #expect(isSaved && seen == [10, 11, 12])
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 1)
  }

  @Test func handlerReceivesNilForADeletedDocument() throws {
    let mine = try read().setInt(1, forKey: "n")
    try collection.delete(document: read())
    #expect(try !collection.save(document: mine, concurrencyControl: .failOnConflict))
    let isSaved = try collection.save(document: mine) { _, theirs in
      #expect(theirs == nil)
      return true
    }
    #expect(isSaved)
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 1)
  }

  @Test func handlerIsNotCalledWithoutAConflict() throws {
    #expect(try collection.save(document: read().setInt(3, forKey: "n")) { _, _ in false })
    #expect(try collection.save(document: MutableDocument(id: "new")) { _, _ in false })
  }

  @Test func newDocumentConflictsWithAnExistingOne() throws {
    let new = MutableDocument(id: "x", data: ["n": 5])
    #expect(try !collection.save(document: new, concurrencyControl: .failOnConflict))
    #expect(try collection.save(document: new) { _, theirs in theirs?.int(forKey: "n") == 0 })
  }

  @Test func deletionCallsTheConflictHandler() throws {
    let mine = try read()
    try collection.save(document: read().setInt(2, forKey: "n"))
    #expect(try !collection.delete(document: mine, concurrencyControl: .failOnConflict))
    #expect(try !collection.delete(document: mine) { _, theirs in theirs?.int(forKey: "n") != 2 })
    #expect(try collection.delete(document: mine) { _, theirs in theirs?.int(forKey: "n") == 2 })
    #expect(try collection.document(id: "x") == nil)
  }

  @Test func resolverKeepsAVersionOrRefuses() throws {
    struct Resolver: ConflictResolverProtocol {
      let keep: @Sendable (Conflict) -> Document?
      func resolve(conflict: Conflict) -> Document? { keep(conflict) }
    }
    let mine = try read().setInt(1, forKey: "n")
    try collection.save(document: read().setInt(2, forKey: "n"))
    expectError(CBLError.conflict) { try collection.save(document: mine, conflictResolver: Resolver { _ in nil }) }
    try collection.save(document: mine, conflictResolver: Resolver { $0.remoteDocument })
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 2 && mine.int(forKey: "n") == 2)
    try collection.save(document: read().setInt(3, forKey: "n"))
    mine.setInt(4, forKey: "n")
    try collection.save(document: mine, conflictResolver: ConflictResolver.default)
    #expect(try collection.document(id: "x")?.int(forKey: "n") == 4)
    try collection.delete(document: read())
    expectError(CBLError.conflict) { try collection.save(document: mine, conflictResolver: ConflictResolver.default) }
  }

  @Test func resolverKeepsAVersionWithABlobByteForByte() throws {
    struct Theirs: ConflictResolverProtocol {
      func resolve(conflict: Conflict) -> Document? { conflict.remoteDocument }
    }
    let blob = Blob(contentType: "text/plain", data: Data("12345".utf8))
    try files.database.saveBlob(blob: blob)
    let theirs = "{ \"long\": \"a long text before the blob\", \"blob\":\(blob.toJSON()), \"n\" : 1.50 }"
    let mine = try read().setInt(1, forKey: "n")
    let other = try read()
    try collection.save(document: other.setJSON(theirs))
    _ = try collection.document(id: "x")?.blob(forKey: "blob")
    try collection.save(document: mine, conflictResolver: Theirs())
    #expect(try collection.document(id: "x")?.toJSON() == theirs)
    #expect(mine.blob(forKey: "blob")?.content == Data("12345".utf8))
  }

  @Test func rolledBackPurgeKeepsTheRevision() throws {
    struct Refused: Error {}
    let mine = try read()
    try? files.database.inBatch {
      try collection.purge(document: mine)
      throw Refused()
    }
    #expect(mine.revisionID != nil)
    #expect(try collection.save(document: mine, concurrencyControl: .failOnConflict))
  }

  @Test func documentDeletedByAnotherObjectCanBeSavedAgain() throws {
    let mine = try read()
    try collection.delete(document: read())
    #expect(try collection.delete(document: mine, concurrencyControl: .failOnConflict))
    #expect(try collection.save(document: mine, concurrencyControl: .failOnConflict))
    #expect(collection.count == 1)
  }

  @Test func refusedSaveStoresNoBlob() throws {
    let blob = Blob(contentType: "text/plain", data: Data("67890".utf8))
    let mine = try read().setBlob(blob, forKey: "blob")
    try collection.save(document: read())
    try files.database.inBatch {
      let isSaved = try collection.save(document: mine, concurrencyControl: .failOnConflict)
      #expect(!isSaved)
    }
    #expect(blob.digest == nil)
  }

  @Test func deletingADeletedDocumentIsNotAConflict() throws {
    let mine = try read()
    try collection.delete(document: read())
    #expect(try collection.delete(document: mine, concurrencyControl: .failOnConflict))
  }

  @Test func conflictsAreDetectedAcrossDatabaseObjects() throws {
    let other = try files.again().defaultCollection()
    let theirs = try #require(try other.document(id: "x")).toMutable().setInt(2, forKey: "n")
    let mine = try read().setInt(1, forKey: "n")
    try other.save(document: theirs)
    #expect(try !collection.save(document: mine, concurrencyControl: .failOnConflict))
    expectError(CBLError.invalidParameter) { try collection.save(document: theirs) }
  }

  @Test func purgedDocumentIsSavedAsANewDocument() throws {
    let mine = try read()
    try collection.purge(document: mine)
    #expect(mine.revisionID == nil && mine.sequence == 0)
    #expect(try collection.save(document: mine, concurrencyControl: .failOnConflict))
    #expect(collection.count == 1)
  }
}
