import GRDB
import PatternMatching
import TestSupport
import Testing
import TextIndex

@testable import TrigramIndex

/// Segments of pattern indexes that are written without FTS5, compared with those that FTS5 writes.
@Suite struct PatternSegmentTests {
  @Test(arguments: [(4050, 3), (4050, 400), (300, 400), (64, 900)])
  func theSegmentHasTheBytesOfFTS5(pageSize: Int, count: Int) throws {
    let (index, reference) = (try PatternTable(pageSize: pageSize), try PatternTable(pageSize: pageSize))
    for (table, smallestSegment) in [(index, 0), (reference, Int.max)] {
      var random = SeededGenerator(seed: UInt64(pageSize + count))
      try table.write(smallestSegment: smallestSegment) { writer in
        for row in 1...count { try writer.insert(PatternTable.document(&random), rowID: Int64(row * row)) }
      }
    }
    let (written, expected) = (try index.rows(), try reference.rows())
    #expect(written.count == expected.count)
    #expect(zip(written, expected).first { $0 != $1 }.map { "\($0.prefix(300)) != \($1.prefix(300))" } == nil)
    try index.checkIntegrity()
  }

  /// Random transactions, of which each part is written as a segment or through FTS5, against a set of rows.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func changesAgreeWithASet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try PatternTable(pageSize: [64, 300, 4050].randomElement(using: &random) ?? 64)
    var documents: [Int64: DocumentTrigrams] = [:]
    for _ in 0..<25 {
      let isRolledBack = Int.random(in: 0..<5, using: &random) == 0
      let before = documents
      let smallestSegment = [0, 500, Int.max].randomElement(using: &random) ?? 0
      let memory = [1, 300_000].randomElement(using: &random) ?? 1
      do {
        try index.write(smallestSegment: smallestSegment, memory: memory) { writer in
          for _ in 0..<Int.random(in: 1...60, using: &random) {
            let row = Int64.random(in: 1...200, using: &random)
            if let old = documents.removeValue(forKey: row) {
              try writer.remove(old, rowID: row)
              if Bool.random(using: &random) { continue }
            }
            let new = PatternTable.document(&random)
            try writer.insert(new, rowID: row)
            documents[row] = new
            if Int.random(in: 0..<20, using: &random) == 0 { try writer.flush() }
          }
          if isRolledBack { throw Stop() }
        }
      } catch is Stop {
        documents = before
      }
      for number in [0, 1, 5, 11, 40, 99] {
        let trigram = PatternTable.trigram(number)
        let found = try index.queue.read {
          try PatternCandidates(index.index, $0).rows(for: .trigram(trigram), isWithinLines: true)
        }
        let expected = documents.filter { $0.value.contains(trigram) }.keys.sorted()
        #expect(found == expected, "trigram \(number), seed \(seed)")
      }
    }
    try index.checkIntegrity()
    try index.queue.write { db in
      var verification = try PatternVerification(index.index, db)
      for (row, document) in documents { try verification.expect(document, rowID: row) }
      #expect(try verification.problem() == nil)
    }
  }

  /// FTS5 starts a segment at each row that is lower than the one before.
  @Test func alternatingChangesWriteAsFewSegmentsAsFTS5() throws {
    let counts = try [2000, Int.max].map { smallestSegment in
      let index = try PatternTable(pageSize: 4050)
      var random = SeededGenerator(seed: 5)
      let documents = (0..<200).map { _ in PatternTable.document(&random) }
      try index.write(smallestSegment: smallestSegment) { writer in
        for (number, document) in documents.enumerated() { try writer.insert(document, rowID: Int64(number + 1)) }
        for (number, document) in documents.enumerated() {
          try writer.remove(document, rowID: Int64(number + 1))
          try writer.insert(document, rowID: Int64(number + 1))
        }
      }
      try index.checkIntegrity()
      return try index.queue.read { db in
        try Int.fetchOne(db, sql: "SELECT count(DISTINCT segid) FROM \(index.index.tableName)_idx") ?? 0
      }
    }
    #expect(counts[0] <= counts[1] + 1)
  }

  @Test func anIndexIsDroppedAfterInsertions() throws {
    let index = try PatternTable(pageSize: 4050)
    var random = SeededGenerator(seed: 6)
    let document = PatternTable.document(&random)
    try index.write(smallestSegment: 0) { writer in
      try writer.insert(document, rowID: 1)
      try index.index.table.drop(index.connection)
      try writer.flush()
    }
    #expect(try index.queue.read { try $0.tableExists(index.index.tableName) } == false)
  }

  private struct Stop: Error {}
}

/// The tables of a pattern index in an in-memory database.
private final class PatternTable {
  let queue: DatabaseQueue
  let index: StoredPatternIndex
  /// The connection, inside ``write(smallestSegment:memory:_:)``.
  private(set) var connection: Database

  init(pageSize: Int) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try TrigramTokenizer.register($0) }
    queue = try DatabaseQueue(configuration: configuration)
    let index = StoredPatternIndex(
      id: 1, collection: 1, name: "patterns", definition: try PatternIndexDefinition(fields: ["text"]),
      version: StoredPatternIndex.currentVersion)
    self.index = index
    connection = try queue.write { db in
      try index.table.create(db)
      try db.execute(
        sql: "INSERT INTO \(index.tableName) (\(index.tableName), rank) VALUES ('pgsz', ?)", arguments: [pageSize])
      return db
    }
  }

  /// Calls `body` with a writer in a transaction.
  func write(smallestSegment: Int, memory: Int = .max, _ body: (PatternIndexWriter) throws -> Void) throws {
    try queue.write { db in
      let writer = try PatternIndexWriter(index, smallestSegment: smallestSegment, memory: memory, db)
      defer { writer.discard() }
      try body(writer)
      try writer.flush()
    }
  }

  /// The rows of FTS5's tables, without the structure record.
  func rows() throws -> [String] {
    try queue.read { db in
      try [("data", "id, hex(block)"), ("idx", "segid, hex(term), pgno")].flatMap { part, columns in
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(index.tableName)_\(part) ORDER BY 1, 2")
          .map { "\(part) \($0)" }.filter { !$0.hasPrefix("data [id:10 ") }
      }
    }
  }

  func checkIntegrity() throws { try queue.write { try index.table.checkIntegrity($0) } }

  static func trigram(_ number: Int) -> Trigram {
    Trigram(0x61, UInt8(0x61 + number / 10), UInt8(0x61 + number % 10))
  }

  /// Returns a document of one to three chunks, whose trigrams are frequent or rare.
  static func document(_ random: inout SeededGenerator) -> DocumentTrigrams {
    var document = DocumentTrigrams()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let numbers = (0..<100).filter { Int.random(in: 0...$0, using: &random) < 3 }
      document.addChunk(numbers.map { trigram($0) })
    }
    return document
  }
}

extension DocumentTrigrams {
  fileprivate func contains(_ trigram: Trigram) -> Bool {
    stride(from: 0, to: bytes.count, by: 3).contains { Array(bytes[$0..<$0 + 3]) == trigram.bytes }
  }

  fileprivate mutating func addChunk(_ trigrams: [Trigram]) {
    bytes += trigrams.flatMap(\.bytes)
    ends.append(bytes.count)
  }
}
