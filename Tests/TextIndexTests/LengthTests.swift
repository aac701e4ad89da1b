import Foundation
import GRDB
import QueryModel
import Testing

@testable import TextIndex

@Suite struct LengthTests {
  @Test(arguments: [1, 255, 256, 65_535, 65_536, 1_000_000] as [UInt32])
  func lengthsOfEveryWidthRoundTrip(longest: UInt32) throws {
    var lengths = [UInt32](repeating: 0, count: LengthTable.runLength)
    (lengths[0], lengths[7], lengths[400]) = (3, longest, 1)
    let bytes = try #require(lengths.withUnsafeBufferPointer { LengthRun.encode($0) })
    var decoded = [UInt32](repeating: 9, count: LengthTable.runLength)
    try bytes.withUnsafeBufferPointer { source in
      try decoded.withUnsafeMutableBufferPointer { try LengthRun.decode(source, into: #require($0.baseAddress)) }
    }
    #expect(decoded == lengths)
    let zeros = [UInt32](repeating: 0, count: LengthTable.runLength)
    #expect(zeros.withUnsafeBufferPointer { LengthRun.encode($0) } == nil)
  }

  @Test(arguments: [[], [0], [3, 1], [1] + Array(repeating: 1, count: 513), [2, 1, 1, 1]] as [[UInt8]])
  func damagedRunsThrow(bytes: [UInt8]) {
    var lengths = [UInt32](repeating: 0, count: LengthTable.runLength)
    #expect(throws: DoclistCorruption.self) {
      try bytes.withUnsafeBufferPointer { source in
        try lengths.withUnsafeMutableBufferPointer { try LengthRun.decode(source, into: #require($0.baseAddress)) }
      }
    }
  }

  @Test func lengthsOfDistantRowsAreFound() throws {
    let index = try TestIndex(["a", "b"])
    for rowID in [1, 511, 512, 5000, 100_000] as [Int64] {
      try index.insert(rowID, "{\"a\":\"x\",\"b\":\"\(String(repeating: "y ", count: Int(rowID % 1000)))\"}")
    }
    let state = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    #expect([1, 511, 512, 5000, 100_000, 2, 700_000].map { state.lengths.column(0)($0) } == [1, 1, 1, 1, 1, 0, 0])
    #expect([1, 511, 512, 5000, 100_000, 2, 700_000].map { state.lengths.column(1)($0) } == [1, 511, 512, 0, 0, 0, 0])
  }

  /// If old documents are always removed, the rows become high, but their number does not grow.
  @Test func highRowsTakeNoMemoryForTheRowsBeforeThem() throws {
    let index = try TestIndex(["a"])
    let rows: [Int64] = [4_000_000_000, 4_000_000_700, 4_000_100_000, 4_000_100_001, 4_000_900_000]
    // The last two rows are added to known lengths: in a run that exists, and far after all runs.
    for (number, row) in rows.enumerated() {
      try index.insert(row, "{\"a\":\"\(String(repeating: "y ", count: number + 1))\"}")
      if number >= 2 { try Self.readDoclists(index) }
    }
    let lengths = try index.queue.read { try index.index.cache.state(of: index.index, $0) }.lengths
    #expect(rows.map { lengths.column(0)(UInt32($0)) } == [1, 2, 3, 4, 5])
    let others: [UInt32] = [0, 1, 3_999_999_000, 4_000_000_001, 4_000_901_000, .max]
    #expect(others.allSatisfy { lengths.column(0)($0) == 0 })
    #expect(try Set(index.search("y")) == Set(rows))
    #expect(try index.problem() == nil)
    // With a low row, the rows are too sparse, and FTS5 runs the queries.
    try index.insert(1, #"{"a":"y"}"#)
    #expect(throws: FTS5FallbackRequired.largeRows) { try Self.readDoclists(index) }
    #expect(try Set(index.search("y")) == Set(rows + [1]))
  }

  /// Lengths have the width of the longest in their run, also in memory.
  @Test func runsOfDifferentWidthsAreRead() throws {
    let index = try TestIndex(["a"])
    let lengths: [Int64: Int] = [0: 255, 1: 1, 511: 3, 512: 256, 513: 2, 1023: 255, 1024: 65_536, 1030: 7, 1535: 300]
    for (rowID, length) in lengths { try index.insert(rowID, "{\"a\":\"\(String(repeating: "y ", count: length))\"}") }
    let read = try index.queue.read { try DocumentLengths(LengthTable(of: index.index), $0) }
    for row in 0..<UInt32(2048) { #expect(Int(read.column(0)(row)) == lengths[Int64(row)] ?? 0) }
  }

  /// The page cache of the connection is smaller only while the lengths are read.
  @Test func readingManyLengthsKeepsSizeOfPageCache() throws {
    let index = try TestIndex(["a"])
    for row in stride(from: 0, to: 600_000, by: 512) as StrideTo<Int64> { try index.insert(row, #"{"a":"x y"}"#) }
    try index.queue.read { db in
      try db.execute(sql: "PRAGMA cache_size = -3000")
      let read = try DocumentLengths(LengthTable(of: index.index), db)
      #expect([0, 1, 512, 599_552].map { read.column(0)($0) } == [2, 0, 2, 2])
      #expect(try Int.fetchOne(db, sql: "PRAGMA cache_size") == -3000)
    }
  }

  @Test func fts5RanksUntilMissingLengthsAreRebuilt() throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "DROP TABLE concordance_fl_1") }
    #expect(throws: FTS5FallbackRequired.noLengths) { try Self.readDoclists(index) }
    #expect(try index.search("word").count == 20)
    #expect(try index.problem()?.contains("its document lengths are missing") == true)
    try index.insert(100, #"{"text":"word"}"#)
    try Self.readDoclists(index)
    #expect(try index.search("word").first == 100)
    #expect(try index.problem() == nil)
  }

  @Test func unwrittenChangesAreFoundThroughFTS5() throws {
    let index = try Self.sample()
    let query = try FullTextQuery(MatchParser().parse("word"), in: index.index)
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, db)
      try writer.insert(index.terms(#"{"text":"word"}"#), rowID: 100)
      #expect(throws: FTS5FallbackRequired.unwritten) { _ = try PostingsReader(index.index, db) }
      try writer.flush(syncing: false)
      #expect(throws: FTS5FallbackRequired.unwritten) { _ = try PostingsReader(index.index, db) }
      #expect(try query.ranked(db, limit: 100).contains { $0.rowID == 100 })
      try writer.flush(syncing: true)
      _ = try PostingsReader(index.index, db)
      #expect(try query.ranked(db, limit: 100).contains { $0.rowID == 100 })
    }
  }

  /// The lengths have been written, but FTS5 may not have flushed its changes.
  @Test func unflushedStateIsNotCached() throws {
    let index = try Self.sample()
    let query = try FullTextQuery(MatchParser().parse("fresh"), in: index.index)
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, db)
      try writer.remove(index.terms(#"{"text":"word number 3 of twenty"}"#), rowID: 3)
      try writer.insert(index.terms(#"{"text":"fresh number 3 of twenty"}"#), rowID: 3)
      try writer.flush(syncing: false)
      #expect(try query.count(db) == 1)
      writer.discard()
    }
    #expect(try index.queue.read { try query.count($0) } == 1)
  }

  @Test func changesByOtherProgramsAreDetected() throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "INSERT INTO concordance_ft_1 (rowid, c0) VALUES (50, 'word')") }
    #expect(throws: FTS5FallbackRequired.noLengths) { try Self.readDoclists(index) }
    #expect(try index.search("word").count == 21)
    try index.insert(100, #"{"text":"word word"}"#)
    try Self.readDoclists(index)
    #expect(try index.search("word").count == 22)
  }

  @Test(arguments: [
    "DELETE FROM concordance_ft_1_data WHERE id = 1", "UPDATE concordance_ft_1_data SET block = x'1564' WHERE id = 1",
  ])
  func verificationFindsWrongTotals(damage: String) throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: damage) }
    #expect(try index.problem() == "its totals do not match its documents; rebuild it")
  }

  @Test func verificationFindsMissingHeader() throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "DELETE FROM concordance_fl_1 WHERE id = -1") }
    #expect(try index.problem()?.contains("its document lengths are missing") == true)
  }

  @Test func impossibleTotalsAreRejected() throws {
    let index = try Self.sample()
    let table = LengthTable(of: index.index)
    try index.queue.write { db in
      var header = try #require(try table.header(db))
      header.totals.tokenCounts[0] = .max
      try db.execute(sql: "UPDATE concordance_fl_1 SET lengths = ? WHERE id = -1", arguments: [Data(header.bytes)])
    }
    #expect(try index.problem()?.contains("lengths") == true)
    try index.queue.write { db in
      // 20 rows and 2^63 - 1 terms.
      try db.execute(sql: "UPDATE concordance_ft_1_data SET block = x'14BFFFFFFFFFFFFFFFFF' WHERE id = 1")
      #expect(throws: DoclistCorruption.self) { try table.fullText.totals(db) }
      #expect(try table.header(db) == nil)
    }
    #expect(try index.search("word").count == 20)
    try index.insert(100, #"{"text":"word"}"#)
    #expect(try index.problem() == "its table is damaged (a number is out of range); rebuild it")
  }

  @Test(arguments: ["x'05'", "x''", "zeroblob(2000)"])
  func fts5RanksUntilDamagedLengthsAreRebuilt(bytes: String) throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "UPDATE concordance_fl_1 SET lengths = \(bytes) WHERE id >= 0") }
    #expect(throws: FTS5FallbackRequired.noLengths) { try Self.readDoclists(index) }
    #expect(try index.search("word").count == 20)
    #expect(try index.problem()?.contains("lengths") == true)
    try index.write { writer in
      try writer.insert(index.terms(#"{"text":"word word"}"#), rowID: 100)
      try writer.remove(index.terms(#"{"text":"word number 3 of twenty"}"#), rowID: 3)
      try writer.insert(index.terms(#"{"text":"three words more"}"#), rowID: 101)
    }
    let state = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    #expect([1, 3, 20, 100, 101].map { state.lengths.column(0)($0) } == [5, 0, 5, 2, 3])
    #expect(state.search.totals.rowCount == 21)
    #expect(try index.search("word").first == 100)
  }

  @Test func removalRebuildsDamagedLengths() throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "UPDATE concordance_fl_1 SET lengths = x'05' WHERE id >= 0") }
    try index.remove(7)
    try Self.readDoclists(index)
    #expect(try index.problem() == nil)
    #expect(try index.search("7").isEmpty)
  }

  /// If neither our lengths nor those of FTS5 can be read, FTS5 runs the queries.
  @Test func lengthTableIsAbandonedIfFTS5LengthsAreDamaged() throws {
    let index = try Self.sample()
    try index.queue.write {
      try $0.execute(sql: "UPDATE concordance_fl_1 SET lengths = x'05' WHERE id >= 0")
      try $0.execute(sql: "UPDATE concordance_ft_1_docsize SET sz = x'8080' WHERE id = 3")
    }
    try index.insert(100, #"{"text":"word"}"#)
    #expect(throws: FTS5FallbackRequired.noLengths) { try Self.readDoclists(index) }
    #expect(try index.queue.read { try LengthTable(of: index.index).header($0)?.isAbandoned } == true)
  }

  @Test func rowsBeyond32BitsAreFoundThroughFTS5() throws {
    let index = try Self.sample()
    try index.insert(1 << 33, #"{"text":"word far away"}"#)
    #expect(throws: FTS5FallbackRequired.self) { try Self.readDoclists(index) }
    #expect(try index.search("away") == [1 << 33])
  }

  @Test func unknownFormatRequiresFTS5() throws {
    let index = try Self.sample()
    try index.queue.write { try $0.execute(sql: "INSERT INTO concordance_ft_1_config VALUES ('secure-delete', 1)") }
    let reread = try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }[0]
    #expect(throws: FTS5FallbackRequired.unknownFormat) {
      try index.queue.read { _ = try reread.cache.state(of: reread, $0) }
    }
  }

  @Test func flushedChangesAreReadableInSameTransaction() throws {
    let index = try Self.sample()
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, db)
      try writer.insert(index.terms(#"{"text":"fresh"}"#), rowID: 77)
      try writer.flush(syncing: true)
      let query = try FullTextQuery(.phrase(.word("fresh")), in: index.index)
      #expect(try query.ranked(db, limit: 1).map(\.rowID) == [77])
      #expect(try query.count(db) == 1)
    }
  }

  @Test func discardedChangesAreNotWritten() throws {
    let index = try Self.sample()
    let before = try index.queue.read { try LengthTable(of: index.index).header($0) }
    try index.queue.write { db in
      let writer = LengthWriter(LengthTable(of: index.index), db)
      try writer.prepare()
      try writer.record([5], rowID: 3, sign: 1) {}
      writer.discard()
      try writer.flush {}
    }
    #expect(try index.queue.read { try LengthTable(of: index.index).header($0) } == before)
  }

  @Test func mergeKeepsCachedPostings() throws {
    let index = try Self.sample()
    let before = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    let after = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    #expect(after !== before)
    #expect(after.postings === before.postings)
    try index.insert(99, #"{"text":"word"}"#)
    let changed = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    #expect(changed.postings !== before.postings)
  }

  /// A connection that has seen a state does not read it again while the file is unchanged.
  @Test func connectionSeesCommitsOfAnotherConnection() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("index").path
    let index = try Self.sample(path: path)
    let other = try DatabaseQueue(path: path)
    func seen() throws -> [IndexState] {
      try (0..<2).map { _ in try other.read { try index.index.cache.state(of: index.index, $0) } }
    }
    let before = try seen()
    #expect(before[0] === before[1])
    try index.insert(99, #"{"text":"word"}"#)
    let after = try seen()
    #expect(after[0] !== before[0])
    #expect(after[0] === after[1])
    #expect(after[0].search.totals.rowCount == 21)
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try seen()[0].segments.count == 1)
  }

  private static func sample(path: String? = nil) throws -> TestIndex {
    let index = try TestIndex(["text"], path: path)
    for rowID in 1...20 as ClosedRange<Int64> {
      try index.insert(rowID, "{\"text\":\"word number \(rowID) of twenty\"}")
    }
    return index
  }

  private static func readDoclists(_ index: TestIndex) throws {
    try index.queue.read { _ = try index.index.cache.state(of: index.index, $0) }
  }
}
