import GRDB
import SQLiteAccess
import Testing

@testable import DocumentStore

/// Insertion of several documents with one statement.
@Suite struct GroupInsertionTests {
  private let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func group(_ numbers: some Sequence<Int>) throws -> [DocumentWriter.NewDocument] {
    try numbers.map { .init(id: "\($0)", body: try body("{\"n\":\($0)}")) }
  }

  private func insert(_ documents: [DocumentWriter.NewDocument]) throws -> [DocumentWriter.Change]? {
    try files.store.write { try $0.documents(in: files.collection).insertGroup(documents, source: nil) }
  }

  @Test func newDocumentsGetConsecutiveRowsAndSequences() throws {
    let before = try files.save("before", "{}")
    let changes = try #require(try insert(group(0..<16)))
    #expect(changes.map(\.rowID) == (1...16).map { before.rowID + $0 })
    #expect(changes.map(\.sequence) == (1...16).map { before.sequence + $0 })
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.revision < $1.revision })
    for (number, change) in changes.enumerated() {
      let stored = try #require(try files.document("\(number)"))
      #expect(stored.rowID == change.rowID && stored.sequence == change.sequence && stored.revision == change.revision)
      #expect(String(decoding: stored.body, as: UTF8.self) == "{\"n\":\(number)}")
    }
    #expect(try files.count() == 17)
    #expect(try files.save("after", "{}").sequence == before.sequence + 17)
  }

  @Test func nothingIsInsertedIfADocumentExists() throws {
    let stored = try files.save("15", "{\"n\":0}")
    #expect(try insert(group(0..<16)) == nil)
    #expect(try files.ids() == ["15"] && files.count() == 1)
    #expect(try files.text("15") == "{\"n\":0}")
    let next = try files.save("next", "{}")
    #expect(next.rowID == stored.rowID + 1 && next.sequence == stored.sequence + 1)
  }

  @Test func nothingIsInsertedIfATombstoneExists() throws {
    try files.save("5", "{}")
    _ = try files.store.write { try $0.documents(in: files.collection).delete(id: "5") }
    #expect(try insert(group(0..<16)) == nil)
    #expect(try files.ids(includingDeleted: true) == ["5"] && files.count() == 0)
  }

  @Test func nothingIsInsertedIfTwoDocumentsHaveTheSameID() throws {
    #expect(try insert(group(Array(0..<15) + [7])) == nil)
    #expect(try files.ids() == [] && files.count() == 0)
  }

  @Test func groupOfAnotherSizeIsNotInserted() throws {
    #expect(try insert(group(0..<15)) == nil)
    #expect(try insert([]) == nil)
    #expect(try files.count() == 0)
  }

  @Test func nothingIsInsertedAfterTheLargestRow() throws {
    try files.save("last", "{}")
    try files.store.write { transaction in
      try transaction.db.execute(sql: "UPDATE \(files.collection.table) SET rowid = \(Int64.max - 16)")
    }
    #expect(try insert(group(0..<16)) == nil)
    #expect(try files.count() == 1)
  }

  @Test func invalidIDIsRefused() throws {
    var documents = try group(0..<16)
    documents[9] = .init(id: "_x", body: try body("{}"))
    expectStoreError(.badDocumentID) { _ = try insert(documents) }
    #expect(try files.count() == 0)
  }

  @Test func transactionFailsIfAGroupIsInsertedPartially() throws {
    try files.save("before", "{}")
    // The counter of a damaged file: the sequence of the tenth document of the group exists.
    try files.store.write { transaction in
      try transaction.db.execute(sql: "UPDATE \(files.collection.table) SET sequence = sequence + 10")
    }
    let group = try group(0..<16)
    let empty = try body("{}")
    let failed = #expect(throws: StoreError.self) {
      try files.store.write { transaction in
        let documents = try transaction.documents(in: files.collection)
        // A program that ignores the error cannot save anything else.
        _ = try? documents.insertGroup(group, source: nil)
        _ = try? documents.save(id: "after", body: empty)
      }
    }
    #expect(failed?.message.contains("UNIQUE") == true)
    #expect(try files.ids() == ["before"] && files.count() == 1)
  }
}
