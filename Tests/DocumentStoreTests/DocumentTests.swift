import GRDB
import JSONText
import Testing

@testable import DocumentStore

@Suite struct DocumentTests {
  let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  @Test func savedTextIsReadByteForByte() throws {
    let text = "{ \"a\" : 1.0, \"s\":\"caf\\u00e9 \\u0000 é\" }"
    try files.save("x", text)
    #expect(try files.text("x") == text)
  }

  @Test func idMayContainNUL() throws {
    try files.save("a\0b", "{\"n\":1}")
    try files.save("a", "{\"n\":2}")
    #expect(try files.text("a\0b") == "{\"n\":1}")
    #expect(try files.ids() == ["a\0b", "a"])
  }

  @Test func replacingKeepsTheRowAndAdvancesTheSequence() throws {
    let first = try files.save("x", "{\"n\":1}")
    let second = try files.save("x", "{\"n\":2}")
    #expect(second.rowID == first.rowID)
    #expect(second.sequence == first.sequence + 1)
    #expect(second.revision > first.revision)
    #expect(second.previous.map { String(decoding: $0.body, as: UTF8.self) } == "{\"n\":1}")
    #expect(try files.count() == 1)
  }

  @Test func saveReplacesTheTombstoneOfADeletion() throws {
    let saved = try files.save("x", "{}")
    let deleted = try files.store.write { try $0.documents(in: files.collection).delete(id: "x") }
    #expect(deleted?.rowID == saved.rowID)
    #expect(try files.document("x") == nil)
    #expect(try files.ids(includingDeleted: true) == ["x"])
    #expect(try files.count() == 0)
    let revived = try files.save("x", "{}")
    #expect(revived.rowID == saved.rowID)
    #expect(revived.previous == nil)
    #expect(try files.count() == 1)
  }

  @Test func tombstonesAndExpiredDocumentsAreVisitedOnRequest() throws {
    for id in ["live", "expired", "deleted"] { try files.save(id, "{}") }
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      _ = try documents.setExpiration(1, id: "expired")
      _ = try documents.delete(id: "deleted")
    }
    #expect(try files.ids() == ["live"])
    #expect(try files.ids(includingDeleted: true) == ["live", "deleted"])
    #expect(try files.ids(includingExpired: true) == ["live", "expired"])
    #expect(try files.ids(includingDeleted: true, includingExpired: true) == ["live", "expired", "deleted"])
  }

  @Test func deletingTwiceDoesNothing() throws {
    try files.save("x", "{}")
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      #expect(try documents.delete(id: "x") != nil)
      #expect(try documents.delete(id: "x") == nil)
      #expect(try documents.delete(id: "never") == nil)
    }
    #expect(try files.count() == 0)
  }

  @Test func purgingLeavesNoRow() throws {
    try files.save("x", "{}")
    #expect(try files.store.write { try $0.documents(in: files.collection).purge(id: "x") } != nil)
    #expect(try files.ids(includingDeleted: true) == [])
    #expect(try files.count() == 0)
  }

  @Test func purgeUsesASequenceNumberThatIsNotReused() throws {
    let first = try files.save("x", "{}")
    _ = try files.store.write { try $0.documents(in: files.collection).purge(id: "x") }
    #expect(try files.save("y", "{}").sequence == first.sequence + 2)
  }

  @Test func changesAreOrderedBySequence() throws {
    for id in ["a", "b", "c"] { try files.save(id, "{}") }
    try files.save("a", "{\"again\":true}")
    _ = try files.store.write { try $0.documents(in: files.collection).delete(id: "b") }
    var changes: [String] = []
    try files.store.read { db in
      try DocumentReader(files.collection, db).forEachChange(since: 2) {
        changes.append($0.id + ($0.isDeleted ? "-" : ""))
        return true
      }
    }
    #expect(changes == ["c", "a", "b-"])
  }

  @Test func preconditionsRefuseChangedDocuments() throws {
    let first = try files.save("x", "{}", precondition: .absent)
    expectStoreError(.conflict) { try files.save("x", "{}", precondition: .absent) }
    let second = try files.save("x", "{\"n\":1}", precondition: .revision(first.revision))
    expectStoreError(.conflict) { try files.save("x", "{\"n\":2}", precondition: .revision(first.revision)) }
    expectStoreError(.conflict) {
      _ = try files.store.write {
        try $0.documents(in: files.collection).delete(id: "x", precondition: .revision(first.revision))
      }
    }
    #expect(try files.text("x") == "{\"n\":1}")
    #expect(try files.document("x")?.revision == second.revision)
  }

  @Test func conflictUsesNoSequence() throws {
    let first = try files.save("x", "{}")
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      expectStoreError(.conflict) { _ = try documents.save(id: "x", body: body("{}"), precondition: .absent) }
      #expect(try documents.save(id: "y", body: body("{}")).sequence == first.sequence + 1)
    }
    #expect(try files.count() == 2)
  }

  @Test(arguments: ["", "_x", String(repeating: "é", count: 121)])
  func badIDsAreRefused(id: String) throws {
    expectStoreError(.badDocumentID) { try files.save(id, "{}") }
    #expect(try files.count() == 0)
  }

  @Test func idOf240BytesIsAccepted() throws {
    let id = String(repeating: "é", count: 120)
    try files.save(id, "{}")
    #expect(try files.ids() == [id])
  }

  @Test(arguments: ["[1]", "1", "{\"a\":", "", "{\"a\":\"\u{0}\"}"])
  func textThatIsNotAnObjectIsRefused(text: String) {
    expectStoreError(.notJSON) { _ = try body(text) }
  }

  @Test func documentAboveTheSizeLimitIsRefused() {
    let text = "{\"a\":\"" + String(repeating: "x", count: DocumentBody.maximumSize) + "\"}"
    expectStoreError(.tooLarge) { _ = try body(text) }
  }

  @Test func stockSQLiteReadsTheDocuments() throws {
    try files.save("x", "{\"geo\":{\"alt\":12.5}}")
    let queue = try DatabaseQueue(path: files.path)
    let altitude = try queue.read {
      try Double.fetchOne($0, sql: "SELECT json_extract(body, '$.geo.alt') FROM \"_default._default\" WHERE id = 'x'")
    }
    #expect(altitude == 12.5)
  }
}
