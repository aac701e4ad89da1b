import Foundation
import GRDB
import QueryModel
import SQLiteAccess
import Testing

@testable import TextIndex

/// Queries on damaged tables return hits or throw a typed error; they never crash or loop forever.
@Suite struct DoclistDamageTests {
  private static let queries = [
    "a", "a AND b", "a OR c", "\"a b\"", "NEAR(a b, 3)", "a*", "f0: a", "a NOT b", "^ a", "f1: \"a b\"", "NEAR(a b c)",
    "{f0 f2}: \"b a\"",
  ]

  @Test(arguments: [1, 2] as [UInt64]) func randomDamageDoesNotCrash(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try Self.filled(&random)
    let blocks = try Self.blocks(index)
    var failureCount = 0
    for _ in 0..<150 {
      guard let (id, original) = blocks.randomElement(using: &random) else { return }
      var block = original
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where !block.isEmpty: block.removeLast(Int.random(in: 1...block.count, using: &random))
      case 1: block.append(contentsOf: [0x81, 0x01])
      case 2:
        // Numbers in forms that FTS5 does not write, which different readers may interpret differently.
        let bytes = Self.invalidEntries.randomElement(using: &random) ?? []
        guard block.count > bytes.count else { continue }
        let start = Int.random(in: 0...(block.count - bytes.count), using: &random)
        block.replaceSubrange(start..<(start + bytes.count), with: bytes)
      default:
        for _ in 0..<Int.random(in: 1...4, using: &random) where !block.isEmpty {
          block[Int.random(in: 0..<block.count, using: &random)] =
            [0, 1, 2, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
        }
      }
      failureCount += try Self.allQueriesSucceed(with: block, at: id, in: index) ? 0 : 1
      try Self.write(original, id, index)
    }
    #expect(failureCount > 10)
  }

  @Test(arguments: invalidEntries) func invalidEntriesThrow(bytes: [UInt8]) {
    let counter = PoslistCounter(columnCount: 3)
    var memory = PostingsStorage(keepingPositions: true)
    #expect(throws: DoclistCorruption.self) {
      try bytes.withUnsafeBufferPointer { list throws(DoclistCorruption) in _ = try counter.frequencies(list, &memory) }
    }
    // In the second column, so that the code for several columns counts them.
    #expect(throws: DoclistCorruption.self) {
      try ([3, 1, 1] + bytes).withUnsafeBufferPointer { list throws(DoclistCorruption) in
        _ = try counter.frequencies(list, &memory)
      }
    }
  }

  @Test func iterationEndsAtInvalidColumn() {
    let list: [UInt8] = [5, 1, 2, 3, 1, 0x7F, 4, 9]
    list.withUnsafeBufferPointer { list in
      guard let start = list.baseAddress else { return }
      var cursor = PositionCursor(list, columnCount: 3, start)
      #expect((0..<4).map { _ in cursor.next() } == [3, 2 << 32 | 1, PositionCursor.none, PositionCursor.none])
    }
  }

  /// A 1 that looks like a position, positions with more bytes than necessary, and positions with more than 32 bits.
  private static let invalidEntries: [[UInt8]] = [
    [0x80, 0x01, 0x01, 0x7F, 0x05], [0x80, 0x05], [5, 0x80, 0x80, 0x05], [0x80, 0x80, 0x80, 0x80, 0x05],
    [0x81, 0x80, 0x80, 0x80, 0x80, 0x05], [0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81],
  ]

  @Test func missingLeafThrows() throws {
    var random = SeededGenerator(seed: 9)
    let index = try Self.filled(&random)
    try index.queue.write { try $0.execute(sql: "DELETE FROM concordance_ft_1_data WHERE id > (1 << 37) + 1") }
    let error = #expect(throws: TextIndexError.self) { _ = try index.search("a*") }
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("the index \"text\" is damaged: a block is missing") == true)
  }

  /// Replaces a block and returns whether all queries succeed. Queries that fail must throw a typed error.
  private static func allQueriesSucceed(with block: [UInt8], at id: Int64, in index: TestIndex) throws -> Bool {
    try write(block, id, index)
    // Postings cached from the intact index must not hide the damage.
    let reread = try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }[0]
    var isIntact = true
    for text in queries {
      let match = try FullTextQuery(MatchParser().parse(text), in: reread).match
      do {
        let search = try index.queue.read { try MatchSearch(match, in: reread, $0) }
        let rows = search.ranked(limit: 10, try ResolvedRanking(Ranking(), for: reread))
        #expect(rows.allSatisfy { !$0.score.isNaN })
        #expect(rows.count <= search.count())
      } catch is DoclistCorruption {
        isIntact = false
      } catch is FTS5FallbackRequired {
        isIntact = false
      }
    }
    return isIntact
  }

  private static func filled(_ random: inout SeededGenerator) throws -> TestIndex {
    let index = try TestIndex(["f0", "f1", "f2"])
    try index.command("pgsz", 64)
    var corpus = RandomCorpus(columnCount: 3, rowLimit: 120)
    for _ in 0..<150 { try corpus.change(index, &random) }
    return index
  }

  private static func blocks(_ index: TestIndex) throws -> [(Int64, [UInt8])] {
    try index.queue.read { db in
      try Row.fetchAll(db, sql: "SELECT id, block FROM concordance_ft_1_data").map { row in
        (row.value("id", or: 0), [UInt8](row.value("block", or: Data())))
      }
    }
  }

  private static func write(_ block: [UInt8], _ id: Int64, _ index: TestIndex) throws {
    try index.queue.write {
      try $0.execute(
        sql: "UPDATE concordance_ft_1_data SET block = ? WHERE id = ?", arguments: [Data(block), id])
    }
  }
}
