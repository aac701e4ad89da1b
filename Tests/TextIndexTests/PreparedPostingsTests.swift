import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Compares indexes whose postings were prepared before the transaction with those that the transaction itself
/// collects.
@Suite struct PreparedPostingsTests {
  private typealias Postings = PreparedPostings<AnalyzedDocument>

  /// Returns documents with frequent and rare terms, and one with a poslist longer than a leaf.
  private func documents(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    func text(_ length: Int) -> String {
      (0..<length).map { _ in
        Bool.random(using: &random) ? "the" : "w\(Int.random(in: 0..<2000, using: &random))"
      }.joined(separator: " ")
    }
    return (0..<count).map { number in
      "{\"a\":\"\(text(number == count / 2 ? 6000 : Int.random(in: 0..<40, using: &random)))\",\"b\":\"\(text(2))\"}"
    }
  }

  private func prepare(_ index: TestIndex, _ documents: [String], firstRow: Int64) throws -> Postings {
    let prepare = try #require(try index.queue.read { index.index.preparation(memory: .max, $0) })
    let prepared = prepare(firstRow)
    for json in documents {
      try prepared.append(index.terms(json))
    }
    prepared.finish()
    return prepared
  }

  private func write(
    _ index: TestIndex, smallestSegment: Int = 0, _ body: (FullTextWriter) throws -> Void
  ) throws {
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: smallestSegment, db)
      try body(writer)
      try writer.flush(syncing: true)
    }
  }

  private func insert(
    _ index: TestIndex, _ writer: FullTextWriter, _ documents: some Collection<String>, from row: Int64,
    _ prepared: Postings?
  ) throws {
    for (row, json) in zip(row..., documents) {
      if let prepared {
        #expect(try writer.insert(rowID: row, from: prepared))
      } else {
        try writer.insert(index.terms(json), rowID: row)
      }
      index.documents[row] = json
    }
  }

  /// Returns the rows of the tables of an index.
  private func rows(_ index: TestIndex) throws -> [String] {
    let table = index.index.tableName
    return try index.queue.read { db in
      try [("data", "id, hex(block)"), ("idx", "segid, hex(term), pgno"), ("docsize", "id, hex(sz)")].flatMap {
        part, columns in
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(table)_\(part) ORDER BY 1, 2").map { "\(part) \($0)" }
      }
    }
  }

  private func expectEqual(_ index: TestIndex, _ reference: TestIndex) throws {
    let (written, expected) = (try rows(index), try rows(reference))
    #expect(written.count == expected.count)
    #expect(zip(written, expected).first { $0 != $1 }.map { "\($0.prefix(300)) != \($1.prefix(300))" } == nil)
    #expect(try index.problem() == nil)
  }

  private func indexes(pageSize: Int = 4050) throws -> (TestIndex, TestIndex) {
    let indexes = (try TestIndex(["a", "b"]), try TestIndex(["a", "b"]))
    try indexes.0.command("pgsz", pageSize)
    try indexes.1.command("pgsz", pageSize)
    return indexes
  }

  @Test(arguments: [(4050, 700), (300, 700), (64, 300)])
  func segmentsAreIdenticalToUnpreparedOnes(pageSize: Int, count: Int) throws {
    let (index, reference) = try indexes(pageSize: pageSize)
    var row: Int64 = 1
    // The ninth segment follows a merge of eight.
    for seed in 1...9 as ClosedRange<UInt64> {
      let documents = documents(count / 9, seed: seed)
      let prepared = try prepare(index, documents, firstRow: row)
      try write(index) { try insert(index, $0, documents, from: row, prepared) }
      // The transaction has received all leaves.
      _ = try prepared.encoding?.forEachPart { _ in Issue.record("the leaves were not used") }
      try write(reference) { try insert(reference, $0, documents, from: row, nil) }
      row += Int64(documents.count)
    }
    try expectEqual(index, reference)
  }

  @Test func twoPreparedBatchesOfATransactionAreTwoSegments() throws {
    let (index, reference) = try indexes()
    let batches = (1...2).map { documents(200, seed: $0) }
    let prepared = try (0...1).map { try prepare(index, batches[$0], firstRow: Int64(200 * $0 + 1)) }
    try write(index) { writer in
      for number in 0...1 {
        try insert(index, writer, batches[number], from: Int64(200 * number + 1), prepared[number])
      }
    }
    for number in 0...1 {
      try write(reference) { try insert(reference, $0, batches[number], from: Int64(200 * number + 1), nil) }
    }
    try expectEqual(index, reference)
  }

  @Test func documentsInOtherRowsAreIndexed() throws {
    let (index, reference) = try indexes()
    let documents = documents(300, seed: 3)
    let prepared = try prepare(index, documents, firstRow: 1)
    // One document was refused after 100 documents.
    try write(index) { writer in
      try insert(index, writer, documents[..<100], from: 1, prepared)
      try insert(index, writer, documents[101...], from: 101, nil)
    }
    try write(reference) { writer in
      try insert(reference, writer, documents[..<100], from: 1, nil)
      try insert(reference, writer, documents[101...], from: 101, nil)
    }
    try expectEqual(index, reference)
  }

  @Test func documentsOfAnIncompleteBatchAreIndexed() throws {
    let (index, reference) = try indexes()
    let documents = documents(300, seed: 4)
    let prepared = try prepare(index, documents, firstRow: 1)
    try write(index) { try insert(index, $0, documents[..<100], from: 1, prepared) }
    try write(reference) { try insert(reference, $0, documents[..<100], from: 1, nil) }
    try expectEqual(index, reference)
  }

  @Test func batchAfterOtherChangesIsIndexed() throws {
    let (index, reference) = try indexes()
    let documents = documents(300, seed: 5)
    let prepared = try prepare(index, Array(documents[100...]), firstRow: 101)
    try write(index) { writer in
      try insert(index, writer, documents[..<100], from: 1, nil)
      try insert(index, writer, documents[100...], from: 101, prepared)
    }
    try write(reference) { try insert(reference, $0, documents, from: 1, nil) }
    try expectEqual(index, reference)
  }

  @Test func removedDocumentOfABatchIsNotIndexed() throws {
    let (index, reference) = try indexes()
    let documents = documents(300, seed: 6)
    let prepared = try prepare(index, documents, firstRow: 1)
    for (index, prepared) in [(index, prepared), (reference, nil)] {
      try write(index) { writer in
        try insert(index, writer, documents, from: 1, prepared)
        try writer.remove(index.terms(documents[149]), rowID: 150)
        index.documents[150] = nil
      }
    }
    #expect(try index.problem() == nil)
    #expect(try index.search("the").sorted() == reference.search("the").sorted())
  }

  @Test func smallBatchIsInsertedThroughFTS5() throws {
    let (index, reference) = try indexes()
    let documents = documents(20, seed: 7)
    let prepared = try prepare(index, documents, firstRow: 1)
    try write(index, smallestSegment: 1 << 20) { try insert(index, $0, documents, from: 1, prepared) }
    try write(reference, smallestSegment: 1 << 20) { try insert(reference, $0, documents, from: 1, nil) }
    try expectEqual(index, reference)
  }

  @Test func batchForAnotherPageSizeIsEncodedAgain() throws {
    let (index, reference) = try indexes(pageSize: 300)
    let documents = documents(300, seed: 8)
    try index.command("pgsz", 4050)
    let prepared = try prepare(index, documents, firstRow: 1)
    try index.command("pgsz", 300)
    try write(index) { try insert(index, $0, documents, from: 1, prepared) }
    try write(reference) { try insert(reference, $0, documents, from: 1, nil) }
    #expect(try index.problem() == nil)
    #expect(try index.search("the").sorted() == reference.search("the").sorted())
  }

  @Test func discardedBatchLeavesNothing() throws {
    struct Stop: Error {}
    let (index, _) = try indexes()
    let documents = documents(300, seed: 9)
    let prepared = try prepare(index, documents, firstRow: 1)
    #expect(throws: Stop.self) {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, smallestSegment: 0, db)
        try insert(index, writer, documents, from: 1, prepared)
        writer.discard()
        throw Stop()
      }
    }
    index.documents = [:]
    #expect(try index.problem() == nil)
  }
}
