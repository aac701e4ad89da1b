import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Compares segments that are written without FTS5 with those that FTS5 writes.
@Suite struct SegmentWritingTests {
  /// Returns documents with frequent, rare and long terms in several fields, and one with a poslist longer than a leaf.
  private func documents(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    func text(_ length: Int) -> String {
      (0..<length).map { _ in
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: "the"
        case 8..<14: "w\(Int.random(in: 0..<40, using: &random))"
        case 14..<19: "rare\(Int.random(in: 0..<5000, using: &random))"
        default: String(repeating: "long", count: Int.random(in: 1...60, using: &random))
        }
      }.joined(separator: " ")
    }
    return (0..<count).map { number in
      let length = number == count / 2 ? 6000 : Int.random(in: 0..<40, using: &random)
      return "{\"a\":\"\(text(length))\",\"b\":[\"\(text(3))\",\"é \(text(2))\"],\"c\":\"\(text(1))\"}"
    }
  }

  private func fill(
    _ index: TestIndex, _ documents: [String], pageSize: Int, smallestSegment: Int = 0, memory: Int = .max
  ) throws {
    try index.command("pgsz", pageSize)
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: smallestSegment, memory: memory, db)
      for (number, json) in documents.enumerated() {
        let row = Int64(number * number + 1)
        try writer.insert(index.terms(json), rowID: row)
        index.documents[row] = json
      }
      try writer.flush(syncing: true)
    }
  }

  /// Returns the rows of FTS5's tables, without the structure record.
  private func rows(_ index: TestIndex) throws -> [String] {
    let table = index.index.tableName
    return try index.queue.read { db in
      // The description of a row contains only the length of a blob.
      try [("data", "id, hex(block)"), ("idx", "segid, hex(term), pgno"), ("docsize", "id, hex(sz)")].flatMap {
        part, columns in
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(table)_\(part) ORDER BY 1, 2")
          .map { "\(part) \($0)" }.filter { !$0.hasPrefix("data [id:10 ") }
      }
    }
  }

  @Test(arguments: [(4050, 1), (4050, 700), (300, 700), (64, 900), (1000, 300)])
  func segmentsAreIdenticalToThoseOfFTS5(pageSize: Int, count: Int) throws {
    let documents = documents(count, seed: UInt64(pageSize))
    let index = try TestIndex(["a", "b", "c"])
    let reference = try TestIndex(["a", "b", "c"])
    try fill(index, documents, pageSize: pageSize)
    try fill(reference, documents, pageSize: pageSize, smallestSegment: .max)
    let (written, expected) = (try rows(index), try rows(reference))
    #expect(written.count == expected.count)
    #expect(zip(written, expected).first { $0 != $1 }.map { "\($0.prefix(300)) != \($1.prefix(300))" } == nil)
    #expect(try index.problem() == nil)
  }

  @Test(arguments: [(4050, 300), (300, 300), (64, 900)])
  func changesOfATransactionAreIdenticalToThoseOfFTS5(pageSize: Int, count: Int) throws {
    let (first, second) = (documents(count, seed: 21), documents(count, seed: 22))
    let indexes = try [0, Int.max].map { smallestSegment in
      let index = try TestIndex(["a", "b", "c"])
      try fill(index, first, pageSize: pageSize, smallestSegment: smallestSegment)
      var random = SeededGenerator(seed: 23)
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, smallestSegment: smallestSegment, memory: .max, db)
        for json in second {
          let row = Int64.random(in: 1...Int64(count * count), using: &random)
          // Half of the changes replace, remove or insert a document of the first transaction.
          let changed =
            Bool.random(using: &random) ? row : (index.documents.keys.min { abs($0 - row) < abs($1 - row) } ?? row)
          if let known = index.documents.removeValue(forKey: changed) {
            try writer.remove(index.terms(known), rowID: changed)
            if Int.random(in: 0..<3, using: &random) == 0 { continue }
          }
          try writer.insert(index.terms(json), rowID: changed)
          index.documents[changed] = json
        }
        try writer.flush(syncing: true)
      }
      return index
    }
    let (written, expected) = (try rows(indexes[0]), try rows(indexes[1]))
    #expect(written.count == expected.count)
    #expect(zip(written, expected).first { $0 != $1 }.map { "\($0.prefix(300)) != \($1.prefix(300))" } == nil)
    for index in indexes { #expect(try index.problem() == nil) }
  }

  @Test(arguments: [1, 100_000, 600_000])
  func indexOfSeveralSegmentsIsConsistent(memory: Int) throws {
    let index = try TestIndex(["a", "b", "c"])
    try fill(index, documents(500, seed: 9), pageSize: 4050, memory: memory)
    #expect(try index.problem() == nil)
    #expect(try index.search("w3 AND the") == index.search("w3 AND the").filter { index.documents[$0] != nil })
    #expect(try index.fts5FallbackSearch(.phrase(.word("w3"))) == index.search("w3").sorted())
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try index.problem() == nil)
  }

  @Test func manySegmentsAreMerged() throws {
    let index = try TestIndex(["a", "b", "c"])
    try fill(index, documents(500, seed: 9), pageSize: 4050, memory: 1)
    let levels = try index.queue.read { db in
      try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: index.index.tableName, db)).levels
    }
    #expect(levels.map(\.segments.count).reduce(0, +) < 50)
  }

  @Test func writtenSegmentsCanBeChanged() throws {
    var random = SeededGenerator(seed: 3)
    let index = try TestIndex(["a", "b", "c"])
    let documents = documents(400, seed: 4)
    try fill(index, documents, pageSize: 4050, memory: 300_000)
    for step in 0..<300 {
      let row = Int64.random(in: 1...160_000, using: &random)
      if step % 3 == 0, let known = index.documents.keys.sorted().randomElement(using: &random) {
        try index.remove(known)
      } else if index.documents[row] == nil {
        try index.insert(row, try #require(documents.randomElement(using: &random)))
      }
    }
    #expect(try index.problem() == nil)
    try index.command("merge", 100_000)
    #expect(try index.problem() == nil)
  }

  @Test func fts5ReadsNewSegmentsInSameTransaction() throws {
    let index = try TestIndex(["a", "b", "c"])
    let documents = documents(60, seed: 8)
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: 2000, memory: .max, db)
      for (number, json) in documents.enumerated() {
        let row = Int64(number + 1)
        try writer.insert(index.terms(json), rowID: row)
        index.documents[row] = json
        // FTS5 removes a document, and inserts the next one as the first of a buffer.
        if number % 20 == 19 {
          try writer.remove(index.terms(documents[number - 10]), rowID: row - 10)
          index.documents[row - 10] = nil
        }
      }
      try writer.flush(syncing: true)
    }
    #expect(try index.problem() == nil)
  }

  @Test(arguments: [0, Int.max], [0, 1, 1 << 40]) func rowsInAnyOrderAreIndexed(smallestSegment: Int, first: Int)
    throws
  {
    let index = try TestIndex(["a", "b", "c"])
    let documents = documents(50, seed: 12)
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: smallestSegment, memory: .max, db)
      for (number, json) in documents.enumerated() {
        let row = Int64((number * 37) % 50 + first)
        try writer.insert(index.terms(json), rowID: row)
        index.documents[row] = json
      }
      try writer.flush(syncing: true)
    }
    #expect(try index.problem() == nil)
  }

  @Test(arguments: [0, Int.max]) func indexCanBeDroppedAfterInsertions(smallestSegment: Int) throws {
    let index = try TestIndex(["a", "b", "c"])
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: smallestSegment, db)
      try writer.insert(index.terms(#"{"a":"one"}"#), rowID: 1)
      try FullTextCatalog.drop(index.index, db)
      try writer.flush(syncing: true)
    }
    #expect(try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }.isEmpty)
  }

  @Test func rollbackDiscardsInsertedDocuments() throws {
    let index = try TestIndex(["a", "b", "c"])
    try index.insert(1, #"{"a":"before"}"#)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, smallestSegment: 0, memory: .max, db)
        defer { writer.discard() }
        for (number, json) in documents(50, seed: 1).enumerated() {
          try writer.insert(index.terms(json), rowID: Int64(number + 2))
        }
        try writer.flush(syncing: false)
        throw Stop()
      }
    }
    try index.insert(2, #"{"a":"after"}"#)
    #expect(try index.search("after") == [2])
    #expect(try index.problem() == nil)
  }
}
