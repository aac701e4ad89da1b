import Concordance
import Dispatch
import Testing

/// Nested batches, some of which are rolled back. Their changes to collections and indexes must also be undone in
/// memory.
@Suite struct NestedBatchTests {
  struct Refusal: Error {}

  let files: TemporaryDatabase
  let config = FullTextIndexConfiguration(["title"])

  init() throws { files = try TemporaryDatabase() }

  private func refused(_ block: () throws -> Void) {
    expectRollback(by: Refusal.self) {
      try files.database.inBatch {
        try block()
        throw Refusal()
      }
    }
  }

  @Test func indexWhoseDeletionWasRolledBackIsUpdated() throws {
    try files.collection.createIndex(withName: "search", config: config)
    try files.database.inBatch {
      refused {
        try files.collection.deleteIndex(forName: "search")
        try files.save("inner", #"{"title":"word"}"#)
      }
      try files.save("outer", #"{"title":"word"}"#)
    }
    #expect(try files.found("word") == ["outer"])
    #expect(try files.database.verify() == [])
  }

  @Test func batchAfterARolledBackBatchReturnsTheSameHits() throws {
    try files.collection.createIndex(withName: "search", config: config)
    for number in 1...20 { try files.save("d\(number)", "{\"title\":\"word and x\(number % 3)\"}") }
    var request = SearchRequest("word")
    request.explains = true
    let before = try files.collection.search(request).hits
    refused { try files.save("new", #"{"title":"word"}"#) }
    try files.database.inBatch {
      let inside = try files.collection.search(request).hits
      #expect(inside.map(\.id) == before.map(\.id) && inside.map(\.score) == before.map(\.score))
      #expect(inside.allSatisfy { $0.explanation != nil })
    }
  }

  /// The number of tokens stays the same, so that only the entries of the index change.
  @Test func searchAfterARolledBackBatchFindsLaterChanges() throws {
    try files.collection.createIndex(withName: "search", config: config)
    try files.save("door", #"{"title":"open"}"#)
    try files.database.inBatch {
      try files.save("outer", #"{"title":"word"}"#)
      refused { try files.save("inner", #"{"title":"word"}"#) }
      try files.save("door", #"{"title":"closed"}"#)
      #expect(try files.found("closed") == ["door"])
      #expect(try files.found("open") == [])
    }
    #expect(try files.found("closed") == ["door"])
    #expect(try files.found("open") == [])
    #expect(try files.found("word") == ["outer"])
    #expect(try files.database.verify() == [])
  }

  @Test func rollbackOfAnIndexCreationFailsTheOuterBatch() throws {
    expectRollback(by: CBLError.self) {
      try files.database.inBatch {
        refused {
          try files.collection.createIndex(withName: "search", config: config)
          try files.save("inner", #"{"title":"word"}"#)
        }
        try files.save("outer", #"{"title":"word"}"#)
      }
    }
    #expect(try files.collection.indexes() == [])
    #expect(files.collection.count == 0)
    try files.save("later", #"{"title":"word"}"#)
    #expect(try files.database.verify() == [])
  }

  @Test func indexOfTheOuterBatchRemainsIfAnInnerBatchFails() throws {
    try files.database.inBatch {
      try files.collection.createIndex(withName: "search", config: config)
      refused { try files.save("inner", #"{"title":"word"}"#) }
      try files.save("outer", #"{"title":"word"}"#)
    }
    #expect(try files.found("word") == ["outer"])
    #expect(try files.database.verify() == [])
  }

  @Test func collectionsOfARolledBackBatchDoNotExist() throws {
    var rolledBack: Concordance.Collection?
    try files.database.inBatch {
      refused {
        rolledBack = try files.database.createCollection(name: "a")
        try rolledBack?.save(document: MutableDocument(id: "x"))
      }
      let other = try files.database.createCollection(name: "b")
      let again = try files.database.createCollection(name: "a")
      try other.save(document: MutableDocument(id: "forB"))
      #expect(again.count == 0)
      #expect(other.count == 1)
    }
    #expect(try files.database.collection(name: "b")?.document(id: "forB") != nil)
    #expect(try files.database.collection(name: "a")?.document(id: "forB") == nil)
    #expect(try files.database.verify() == [])
  }

  @Test func rolledBackCollectionObjectDoesNotAccessTheCollectionWithTheSameID() throws {
    var rolledBack: Concordance.Collection?
    refused { rolledBack = try files.database.createCollection(name: "rolledBack") }
    let real = try files.database.createCollection(name: "real")
    try real.createIndex(withName: "search", config: config)
    let object = try #require(rolledBack)
    expectError(CBLError.notOpen) { try object.deleteIndex(forName: "search") }
    expectError(CBLError.notOpen) { try object.save(document: MutableDocument(id: "x")) }
    #expect(try real.indexes() == ["search"])
  }

  @Test func objectOfADeletedCollectionDoesNotAccessItsSuccessor() throws {
    let old = try files.database.createCollection(name: "c")
    try files.database.deleteCollection(name: "c")
    let new = try files.database.createCollection(name: "c")
    try new.save(document: MutableDocument(id: "x"))
    try files.database.inBatch { expectError(CBLError.notOpen) { try old.purge(id: "x") } }
    expectError(CBLError.notOpen) { _ = try old.document(id: "x") }
    #expect(try new.document(id: "x") != nil)
    #expect(try files.database.verify() == [])
  }

  @Test func twoDatabasesDoNotMixUpTheirIndexesAfterARollback() throws {
    let a = try files.database.createCollection(name: "a")
    let b = try files.database.createCollection(name: "b")
    refused {
      try a.createIndex(withName: "x", config: config)
      try a.save(document: MutableDocument(id: "1", data: ["title": "word"]))
    }
    let other = try files.again()
    try other.collection(name: "b")?.createIndex(withName: "y", config: FullTextIndexConfiguration(["body"]))
    #expect(try a.indexes() == [])
    try b.save(document: MutableDocument(id: "2", data: ["title": "no", "body": "word"]))
    try a.save(document: MutableDocument(id: "3", data: ["title": "word"]))
    #expect(try b.search("word").hits.map(\.id) == ["2"])
    #expect(try files.database.verify() == [])
    #expect(try other.verify() == [])
  }

  @Test func closingOrCompactingInsideABatchIsAnError() throws {
    try files.save("x", "{}")
    try files.database.inBatch {
      expectError(CBLError.transactionNotClosed) { try files.database.close() }
      expectError(CBLError.transactionNotClosed) { try files.database.performMaintenance(type: .compact) }
      expectError(CBLError.transactionNotClosed) { _ = try files.database.verify() }
    }
    try files.collection.forEachDocument { _ in
      expectError(CBLError.transactionNotClosed) { try files.database.close() }
      return true
    }
    #expect(try files.collection.document(id: "x") != nil)
  }

  @Test func anotherQueueOnTheSameThreadIsAnErrorNotACrash() throws {
    let queue = DispatchQueue(label: "guard")
    try files.database.inBatch {
      try files.save("a", "{}")
      queue.sync {
        expectError(CBLError.transactionNotClosed) { try files.save("b", "{}") }
        #expect((try? files.collection.document(id: "a")) == .some(nil))
      }
    }
    #expect(files.collection.count == 1)
  }

  @Test func importInsideABatchIsAnErrorNotADeadlock() throws {
    let importer = try DocumentImporter(into: files.collection)
    try files.database.inBatch {
      expectError(CBLError.transactionNotClosed) { _ = try DocumentImporter(into: files.collection) }
      expectError(CBLError.transactionNotClosed) { _ = try importer.finish() }
    }
    _ = try importer.finish()
    expectError(CBLError.notOpen) { try importer.add(id: "late", json: Array("{}".utf8)) }
    expectError(CBLError.notOpen) { _ = try importer.finish() }
  }

  @Test func addingDocumentsDuringIterationTerminates() throws {
    for number in 0..<3 { try files.save("\(number)", "{}") }
    var visited = 0
    try files.database.inBatch {
      try files.collection.forEachDocument { _ in
        try files.save("new\(visited)", "{}")
        visited += 1
        return visited < 100
      }
    }
    #expect(visited == 3)
    #expect(files.collection.count == 6)
  }
}
