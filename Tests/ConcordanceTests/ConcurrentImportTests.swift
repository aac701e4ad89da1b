import Concordance
import Foundation
import Testing

/// ``DatabaseImport`` saves batches on another thread while lines are added.
struct ConcurrentImportTests {
  let files: TemporaryDatabase

  /// Batches have about 2,000 of the documents of ``line(_:)``, or 1,000 on PostgreSQL.
  init() throws { files = try TemporaryDatabase(indexMemory: 4 << 20) }

  private func line(_ number: Int, _ word: String = "all") -> [UInt8] {
    Array(#"{"_id":"d\#(number)","text":"\#(word) w\#(number % 10) n\#(number)"}"#.utf8)
  }

  private func add(_ lines: some Sequence<[UInt8]>, to transfer: DatabaseImport) throws {
    for line in lines { try line.withUnsafeBytes { try transfer.add(line: $0) } }
  }

  private func count(_ query: String) throws -> Int { try files.collection.count(matching: SearchRequest(query)) }

  @Test func anIndexContainsNewAndReplacedDocuments() throws {
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    // The predicted rows are right for the first import, and wrong for the second one from the first replaced document
    // on.
    let first = try DatabaseImport(into: files.database, collection: files.collection)
    try add((0..<6000).map { line($0) }, to: first)
    #expect(try first.finish().documentCount == 6000)
    #expect(try count("all") == 6000)
    let second = try DatabaseImport(into: files.database, collection: files.collection)
    try add((5000..<12_000).map { line($0, "new") }, to: second)
    #expect(try second.finish().documentCount == 7000)
    #expect(try count("all") == 5000 && count("new") == 7000 && count("w3") == 1200)
    #expect(try count("n5500") == 1 && count("n11999") == 1)
    #expect(try files.database.verify().isEmpty)
  }

  @Test func documentsThatAreKeptAreNotIndexedAgain() throws {
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.save("d1500", #"{"text":"kept"}"#)
    let transfer = try DatabaseImport(into: files.database, collection: files.collection, existing: .skip)
    try add((0..<5000).map { line($0) }, to: transfer)
    let summary = try transfer.finish()
    #expect(summary.documentCount == 4999 && summary.skippedCount == 1)
    #expect(try count("all") == 4999 && count("n1500") == 0 && count("n1501") == 1)
    #expect(try files.database.verify().isEmpty)
  }

  @Test func eachCollectionHasItsOwnRowsAndIndexes() throws {
    let other = try files.database.createCollection(name: "other")
    try other.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let transfer = try DatabaseImport(into: files.database)
    for number in 0..<4000 {
      let collection = number % 3 == 0 ? #""_collection":"other","# : ""
      try add([Array(#"{"_id":"\#(number)",\#(collection)"text":"w\#(number % 10)"}"#.utf8)], to: transfer)
    }
    _ = try transfer.finish()
    #expect(try other.count(matching: SearchRequest("w3")) == 134)
    #expect(try count("w3") == 266)
    #expect(try files.database.verify().isEmpty)
  }

  @Test func anImportThatBeganOutsideOfABatchIsNotContinuedInIt() throws {
    let transfer = try DatabaseImport(into: files.database, collection: files.collection)
    try add([line(1)], to: transfer)
    try files.database.inBatch {
      for call in [transfer.flush, { try add([line(2)], to: transfer) }] {
        expectError(CBLError.transactionNotClosed, "began outside of a batch") { try call() }
      }
    }
    // The line is not lost.
    #expect(try transfer.finish().documentCount == 1)
  }

  @Test func anImportInsideABatchIsRolledBackWithIt() throws {
    struct Stop: Error {}
    expectRollback(by: Stop.self) {
      try files.database.inBatch {
        let transfer = try DatabaseImport(into: files.database, collection: files.collection)
        try add((0..<5000).map { line($0) }, to: transfer)
        #expect(try transfer.finish().documentCount == 5000)
        throw Stop()
      }
    }
    #expect(files.collection.count == 0)
  }

  @Test func anErrorOfTheThreadEndsTheImport() throws {
    let transfer = try DatabaseImport(into: files.database, collection: files.collection)
    try add((0..<5000).map { line($0) }, to: transfer)
    try files.database.close()
    let error = #expect(throws: CBLError.self) {
      try add((5000..<50_000).map { line($0) }, to: transfer)
      _ = try transfer.finish()
    }
    #expect(transfer.takeRefusedLines().isEmpty)
    // Documents are missing, so nothing may succeed afterwards.
    for repeated in [{ _ = try transfer.finish() }, transfer.flush, { try add([line(1)], to: transfer) }] {
      #expect(throws: CBLError.self) { try repeated() }
    }
    #expect(error?.code == CBLError.notOpen)
  }

  @Test func aCancelledTaskEndsTheImport() async throws {
    let task = Task {
      try await files.database.async.perform { database in
        let transfer = try DatabaseImport(into: database)
        while true { try add([line(0)], to: transfer) }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
