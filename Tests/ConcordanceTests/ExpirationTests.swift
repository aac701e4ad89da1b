import Concordance
import Foundation
import GRDB
import Testing

@Suite struct ExpirationTests {
  let files: TemporaryDatabase
  let received = Received<String>()

  init() throws {
    files = try TemporaryDatabase()
    _ = files.collection.addChangeListener { [received] in $0.documentIDs.forEach(received.add) }
  }

  private var soon: Date { Date(timeIntervalSinceNow: 0.1) }
  private var past: Date { Date(timeIntervalSinceNow: -1) }
  private var later: Date { Date(timeIntervalSinceNow: 3600) }

  private func saveAndAwaitListener(_ id: String, _ json: String = "{}") throws {
    let count = received.all.count { $0 == id }
    try files.save(id, json)
    received.wait { $0.count { $0 == id } > count }
  }

  @Test func documentIsPurgedWhenItExpires() throws {
    try saveAndAwaitListener("x")
    let time = soon
    try files.collection.setDocumentExpiration(id: "x", expiration: time)
    received.wait { $0 == ["x", "x"] }
    #expect(Date() >= time.addingTimeInterval(-0.001))
    #expect(try files.collection.document(id: "x") == nil)
    #expect(try files.database.verify() == [])
  }

  @Test func timeInThePastPurgesImmediately() throws {
    try saveAndAwaitListener("x")
    try files.collection.setDocumentExpiration(id: "x", expiration: past)
    received.wait { $0 == ["x", "x"] }
    #expect(files.collection.count == 0)
  }

  @Test func expirationIsStoredInMilliseconds() throws {
    try files.save("x", "{}")
    #expect(try files.collection.getDocumentExpiration(id: "x") == nil)
    let time = Date(timeIntervalSince1970: 4_102_444_800.123)
    try files.collection.setDocumentExpiration(id: "x", expiration: time)
    #expect(try files.collection.getDocumentExpiration(id: "x") == time)
    try files.collection.setDocumentExpiration(id: "x", expiration: .distantFuture)
    #expect(try files.collection.getDocumentExpiration(id: "x") == .distantFuture)
    try files.collection.setDocumentExpiration(id: "x", expiration: nil)
    #expect(try files.collection.getDocumentExpiration(id: "x") == nil)
    #expect(try files.collection.getDocumentExpiration(id: "none") == nil)
  }

  @Test func invalidExpirationThrows() throws {
    expectError(CBLError.notFound) { try files.collection.setDocumentExpiration(id: "none", expiration: later) }
    expectError(CBLError.notFound) { try files.collection.setDocumentExpiration(id: "none", expiration: nil) }
    try files.save("x", "{}")
    expectError(CBLError.invalidParameter) {
      try files.collection.setDocumentExpiration(id: "x", expiration: Date(timeIntervalSince1970: .infinity))
    }
    let readOnly = try files.again(readOnly: true).defaultCollection()
    expectError(CBLError.notWriteable) { try readOnly.setDocumentExpiration(id: "x", expiration: later) }
    try files.collection.delete(document: try #require(try files.collection.document(id: "x")))
    try files.collection.purge(id: "x")
    expectError(CBLError.notFound) { try files.collection.setDocumentExpiration(id: "x", expiration: later) }
  }

  @Test func expirationIsKeptBySavesAndDeletionsAndRemovedByAPurge() throws {
    try files.save("x", "{}")
    try files.collection.setDocumentExpiration(id: "x", expiration: later)
    let time = try files.collection.getDocumentExpiration(id: "x")
    try files.save("x", #"{"a":1}"#)
    #expect(try files.collection.getDocumentExpiration(id: "x") == time)
    try files.collection.delete(document: try #require(try files.collection.document(id: "x")))
    #expect(try files.collection.getDocumentExpiration(id: "x") == time)
    try files.save("x", "{}")
    #expect(try files.collection.getDocumentExpiration(id: "x") == time)
    try files.collection.purge(id: "x")
    try files.save("x", "{}")
    #expect(try files.collection.getDocumentExpiration(id: "x") == nil)
  }

  @Test(.filesOnly("reads the table of a file")) func tombstoneExpires() throws {
    try saveAndAwaitListener("x")
    try files.collection.setDocumentExpiration(id: "x", expiration: Date(timeIntervalSinceNow: 0.3))
    try files.collection.delete(document: try #require(try files.collection.document(id: "x")))
    // The deletion and the purge may be reported together.
    let queue = try DatabaseQueue(path: try #require(files.database.path))
    received.wait { _ in
      (try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \"_default._default\"") }) == 0
    }
  }

  @Test func expirationIsChangedAndRemoved() throws {
    for id in ["kept", "moved", "last"] { try saveAndAwaitListener(id) }
    try files.collection.setDocumentExpiration(id: "kept", expiration: soon)
    try files.collection.setDocumentExpiration(id: "kept", expiration: nil)
    try files.collection.setDocumentExpiration(id: "moved", expiration: later)
    try files.collection.setDocumentExpiration(id: "moved", expiration: soon)
    received.wait { $0.count { $0 == "moved" } == 2 }
    try files.collection.setDocumentExpiration(id: "last", expiration: Date(timeIntervalSinceNow: 0.2))
    received.wait { $0.count { $0 == "last" } == 2 }
    #expect(try files.collection.document(id: "kept") != nil)
  }

  @Test func rolledBackExpirationIsIgnored() throws {
    struct Refusal: Error {}
    for id in ["x", "y"] { try saveAndAwaitListener(id) }
    try files.database.inBatch {
      expectRollback(by: Refusal.self) {
        try files.database.inBatch {
          try files.collection.setDocumentExpiration(id: "x", expiration: past)
          throw Refusal()
        }
      }
      try files.collection.setDocumentExpiration(id: "y", expiration: past)
    }
    received.wait { $0 == ["x", "y", "y"] }
    #expect(try files.collection.getDocumentExpiration(id: "x") == nil)
  }

  @Test(.filesOnly("changes the table of a file"))
  func documentsThatExpiredInAClosedFileArePurgedWhenItIsOpened() throws {
    try files.save("x", "{}")
    try files.save("y", "{}")
    try files.collection.setDocumentExpiration(id: "y", expiration: later)
    let path = try #require(files.database.path)
    let other = try files.again()
    try files.database.close()
    try other.close()
    // Simulates that an hour has passed.
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE \"_default._default\" SET expiration = 1 WHERE id = 'x'") }
    try queue.close()

    let readOnly = try files.again(readOnly: true)
    // It cannot purge, but does not return expired documents.
    #expect(try readOnly.defaultCollection().document(id: "x") == nil)
    #expect(try readOnly.defaultCollection().count == 1)
    try readOnly.close()
    let database = try files.again()
    let collection = try database.defaultCollection()
    let deleted = Received<String>()
    _ = collection.addChangeListener { $0.documentIDs.forEach(deleted.add) }
    if try collection.document(id: "x") != nil { deleted.wait(for: "x") }
    #expect(try collection.document(id: "x") == nil)
    #expect(try collection.document(id: "y") != nil)
  }

  @Test(.filesOnly("changes the table of a file")) func allDocumentsQueriesExcludeExpiredDocuments() throws {
    for id in ["x", "y"] { try files.save(id, "{}") }
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE \"_default._default\" SET expiration = 1 WHERE id = 'x'") }
    try queue.close()
    // A read-only database does not purge the document.
    let query = try files.again(readOnly: true).defaultCollection().createAllDocumentsQuery()
    for mode in [ViewQuery.AllDocumentsMode.allDocuments, .includeDeleted, .bySequence] {
      query.allDocumentsMode = mode
      #expect(try query.run().map(\.sourceDocumentID) == ["y"], "\(mode)")
    }
    query.allDocumentsMode = .allDocuments
    query.keys = ["x", "y"]
    #expect(try query.run().map(\.error) == ["not_found", nil])
  }

  @Test func purgedDocumentsAreRemovedFromFullTextIndexes() throws {
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    for number in 0..<2500 { try files.save("\(number)", #"{"title":"harbour"}"#) }
    received.wait { $0.count == 2500 }
    try files.database.inBatch {
      for number in 0..<2400 { try files.collection.setDocumentExpiration(id: "\(number)", expiration: past) }
    }
    received.wait { $0.count == 4900 }
    #expect(try files.collection.count(matching: SearchRequest("harbour")) == 100)
    #expect(try files.database.verify() == [])
  }

  @Test(.filesOnly("damages a document of a file")) func documentThatCannotBePurgedDoesNotKeepOthers() throws {
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    for id in ["damaged", "x", "y"] { try files.save(id, #"{"title":"harbour"}"#) }
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE \"_default._default\" SET body = '{' WHERE id = 'damaged'") }
    try queue.close()

    let database = try files.again()
    let collection = try database.defaultCollection()
    let purged = Received<String>()
    _ = collection.addChangeListener { $0.documentIDs.forEach(purged.add) }
    try database.inBatch {
      // The batch begins with the document that expired first.
      try collection.setDocumentExpiration(id: "damaged", expiration: Date(timeIntervalSinceNow: -60))
      for id in ["x", "y"] { try collection.setDocumentExpiration(id: id, expiration: past) }
    }
    purged.wait(for: "x", "y")
    #expect(try collection.document(id: "x") == nil)
    // The document that was skipped is still stored.
    try collection.setDocumentExpiration(id: "damaged", expiration: nil)
    #expect(collection.count == 1)
  }

  @Test func anotherDatabaseObjectPurgesWhenTheFirstIsClosed() throws {
    let other = try files.again()
    let collection = try other.defaultCollection()
    let deleted = Received<String>()
    _ = collection.addChangeListener { $0.documentIDs.forEach(deleted.add) }
    try files.save("x", "{}")
    deleted.wait(for: "x")
    try files.collection.setDocumentExpiration(id: "x", expiration: soon)
    try files.database.close()
    deleted.wait { $0 == ["x", "x"] }
  }

  @Test func closingDoesNotWaitForAllPurges() throws {
    try files.database.inBatch {
      for number in 0..<20_000 { try files.save("\(number)", "{}") }
      for number in 0..<20_000 { try files.collection.setDocumentExpiration(id: "\(number)", expiration: past) }
    }
    received.wait { $0.count >= 20_000 }
    try files.database.close()
    let database = try files.again()
    #expect(try database.verify() == [])
  }
}
