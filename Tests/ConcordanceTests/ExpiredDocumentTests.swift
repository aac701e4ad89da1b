import Concordance
import Foundation
import Testing

/// Indexes and views that are filled while documents have expired but are not purged yet.
@Suite struct ExpiredDocumentTests {
  private let files: TemporaryDatabase
  private let received = Received<String>()

  init() throws {
    files = try TemporaryDatabase()
    _ = files.collection.addChangeListener { [received] in $0.documentIDs.forEach(received.add) }
  }

  /// Call it in a batch, after which the documents are purged.
  private func saveExpired(_ count: Int) throws {
    for number in 0..<count {
      try files.save("\(number)", #"{"title":"harbour \#(number)"}"#)
      try files.collection.setDocumentExpiration(id: "\(number)", expiration: Date(timeIntervalSinceNow: -1))
    }
  }

  private func awaitPurge(of ids: [String]) {
    received.wait { _ in
      ids.allSatisfy { (try? files.collection.getDocumentExpiration(id: $0)) == nil }
    }
  }

  private func checkPurge(_ createIndex: () throws -> Void) throws {
    try files.database.inBatch {
      try saveExpired(50)
      try createIndex()
      // Documents that are indexed before and after the index is filled are replaced and purged in the same way.
      try files.save("0", #"{"title":"lighthouse"}"#)
      try files.save("kept", #"{"title":"harbour"}"#)
    }
    awaitPurge(of: (1..<50).map { "\($0)" })
    #expect(files.collection.count == 2)
    #expect(try files.database.verify() == [])
  }

  @Test func fullTextIndexContainsExpiredDocuments() throws {
    try checkPurge {
      try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    }
    #expect(try files.found("harbour") == ["kept"])
    #expect(try files.found("lighthouse") == ["0"])
  }

  @Test func patternIndexContainsExpiredDocuments() throws {
    try checkPurge {
      try files.collection.createIndex(withName: "code", config: PatternIndexConfiguration(["title"]))
    }
  }

  @Test func valueIndexContainsExpiredDocuments() throws {
    try checkPurge {
      try files.collection.createIndex(withName: "titles", config: ValueIndexConfiguration(["title"]))
    }
  }

  @Test(.filesOnly("views are not available on PostgreSQL"))
  func viewContainsADocumentWhoseExpirationIsRemoved() throws {
    let view = files.collection.view(named: "titles")
    try view.setMap(version: "1") { document, emit in emit(document.string(forKey: "title"), nil) }
    try files.database.inBatch {
      try saveExpired(2)
      try view.update()
      // Does not change the sequence number of the document.
      try files.collection.setDocumentExpiration(id: "0", expiration: nil)
    }
    awaitPurge(of: ["1"])
    #expect(try view.createQuery().keyTexts() == ["harbour 0"])
    #expect(try files.database.verify() == [])
  }

  @Test func saveDoesNotConflictWithAnExpiredDocument() throws {
    try files.collection.createIndex(withName: "titles", config: ValueIndexConfiguration(["title"]))
    try files.database.inBatch {
      try saveExpired(1)
      let document = MutableDocument(id: "0", data: ["title": "lighthouse"])
      #expect(try files.collection.save(document: document, concurrencyControl: .failOnConflict))
      // The saved document has not expired.
      let other = MutableDocument(id: "0", data: ["title": "other"])
      #expect(try !files.collection.save(document: other, concurrencyControl: .failOnConflict))
    }
    #expect(try files.collection.document(id: "0")?.string(forKey: "title") == "lighthouse")
    #expect(files.collection.count == 1)
    #expect(try files.database.verify() == [])
  }
}
