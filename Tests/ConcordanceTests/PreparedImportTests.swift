import DocumentStore
import Foundation
import JSONText
import Testing

@testable import Concordance

/// Imports whose entries are prepared for predicted rows, compared with an index of the same documents that is built
/// later.
@Suite(.filesOnly("only imports into files prepare segments")) struct PreparedImportTests {
  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  /// Returns the text of a document, long enough that some dozens are a segment.
  private func json(_ number: Int, _ word: String = "first") -> [UInt8] {
    let words = (0..<300).map { "w\((number * 7 + $0) % 5000)" }.joined(separator: " ")
    return Array("{\"t\":\"\(word) n\(number) \(words)\"}".utf8)
  }

  private func createIndex() throws {
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["t"]))
  }

  /// Checks that the database is intact and that each word finds the documents with it.
  private func check(_ numbers: [String: [Int]]) throws {
    #expect(try files.database.verify() == [])
    for (word, numbers) in numbers {
      var request = SearchRequest(word)
      request.limit = 5000
      #expect(try files.collection.search(request).hits.map(\.id).sorted() == numbers.map(String.init).sorted())
    }
  }

  @Test func rowsArePredictedUntilAPredictionIsWrong() throws {
    try createIndex()
    try files.save("before", #"{"t":"other"}"#)
    let preparation = try files.collection.makeImportPreparation()
    let parser = try JSONParser()
    func prepared() throws -> PreparedBody {
      var terms: [IndexedTerms] = []
      let body = try DocumentBody(checking: json(0), parser: parser) { terms = try preparation.terms(of: $0) }
      let prepared = preparation.prepare(body, terms)
      #expect(prepared.terms.count == 1)
      #expect((prepared.terms[0].prepared == nil) == (prepared.predictedRow == nil))
      return prepared
    }
    let batch = try (0..<3).map { _ in try prepared() }
    #expect(batch.map(\.predictedRow) == [2, 3, 4])
    batch[0].noteSaved(row: 2)
    preparation.endBatch()
    let next = try prepared()
    #expect(next.predictedRow == 5)
    next.noteSaved(row: 6)
    preparation.endBatch()
    #expect(try prepared().predictedRow == nil)
  }

  @Test func entriesOfADocumentThatIsNotAddedAreUsedForTheNextOne() throws {
    try createIndex()
    let preparation = try files.collection.makeImportPreparation()
    let parser = try JSONParser()
    _ = try json(0).withUnsafeBytes { try preparation.terms(of: parser.parse($0)) }
    preparation.endBatch()
    #expect(preparation.isEmpty)
    var terms: [IndexedTerms] = []
    let body = try DocumentBody(checking: json(1), parser: parser) { terms = try preparation.terms(of: $0) }
    #expect(preparation.prepare(body, terms).predictedRow == 1)
    #expect(!preparation.isEmpty)
  }

  @Test func documentIsNotPreparedIfAPredictionBecameWrongAfterItsAnalysis() throws {
    try createIndex()
    let preparation = try files.collection.makeImportPreparation()
    let parser = try JSONParser()
    var terms: [IndexedTerms] = []
    func analyzed(_ number: Int) throws -> DocumentBody {
      try DocumentBody(checking: json(number), parser: parser) { terms = try preparation.terms(of: $0) }
    }
    let first = preparation.prepare(try analyzed(0), terms)
    preparation.endBatch()
    let second = try analyzed(1)
    first.noteSaved(row: 7)
    #expect(preparation.prepare(second, terms).predictedRow == nil)
  }

  @Test func collectionWithTwoNamesIsPreparedInEachBatch() throws {
    let hotels = try files.database.createCollection(name: "hotels")
    try hotels.createIndex(withName: "search", config: FullTextIndexConfiguration(["t"]))
    let transfer = try DatabaseImport(into: files.database)
    for batch in 0..<3 {
      for (number, name) in ["hotels", "_default.hotels"].enumerated() {
        let line = #"{"_id":"\#(batch) \#(number)","_collection":"\#(name)","t":"word"}"#
        try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0) }
      }
      #expect(transfer.targets.count == 1)
      #expect(transfer.targets.allSatisfy { !$0.preparation.isEmpty })
      try transfer.flush()
    }
    #expect(try transfer.finish().documentCount == 6)
    #expect(try hotels.search("word").hits.count == 6)
    #expect(try files.database.verify() == [])
  }

  @Test func newDocumentsAreIndexed() throws {
    try createIndex()
    try files.save("before", #"{"t":"other"}"#)
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<500 { try importer.add(id: "\(number)", json: json(number)) }
    #expect(try importer.finish().savedCount == 500)
    try check(["first": Array(0..<500), "n499": [499]])
  }

  @Test func replacedAndRefusedDocumentsAreIndexed() throws {
    try createIndex()
    let first = try DocumentImporter(into: files.collection)
    for number in 0..<300 { try first.add(id: "\(number)", json: json(number)) }
    _ = try first.finish()
    let second = try DocumentImporter(into: files.collection)
    for number in 200..<600 { try second.add(id: "\(number)", json: json(number, number < 300 ? "second" : "third")) }
    // Refused, because the document is from the same import.
    try second.add(id: "599", json: json(599, "fourth"))
    for number in 600..<700 { try second.add(id: "\(number)", json: json(number, "third")) }
    let summary = try second.finish()
    #expect(summary.savedCount == 500 && summary.refusedCount == 1)
    try check([
      "first": Array(0..<200), "second": Array(200..<300), "third": Array(300..<700), "fourth": [], "n250": [250],
    ])
  }

  @Test func rowsThatAnotherWriterTakesAreNotUsed() throws {
    try createIndex()
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<300 { try importer.add(id: "\(number)", json: json(number)) }
    // The import writes nothing before it ends.
    try files.save("other", #"{"t":"other"}"#)
    _ = try importer.finish()
    try check(["first": Array(0..<300)])
    #expect(try files.found("other") == ["other"])
  }

  @Test func severalBatchesAndIndexesAreWritten() throws {
    var config = DatabaseConfiguration()
    config.directory = files.folder.url.path
    config.indexMemory = 1 << 20
    let database = try Database(name: "small", config: config)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["t"]))
    try collection.createIndex(withName: "partial", config: FullTextIndexConfiguration(["t"], where: "n > 400"))
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["t"]))
    let importer = try DocumentImporter(into: collection)
    for number in 0..<800 {
      let text = String(decoding: json(number).dropLast(), as: UTF8.self)
      try importer.add(id: "\(number)", json: Array("\(text),\"n\":\(number)}".utf8))
    }
    // A duplicate in the middle of later batches.
    try importer.add(id: "3", json: json(3, "duplicate"))
    for number in 800..<1600 { try importer.add(id: "\(number)", json: json(number)) }
    #expect(try importer.finish().savedCount == 1600)
    #expect(try database.verify() == [])
    var request = SearchRequest("first")
    request.index = "search"
    request.limit = 5000
    #expect(try collection.search(request).hits.count == 1600)
  }
}
