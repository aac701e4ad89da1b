import Foundation
import GRDB
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares searches for similar words in word lists with the whole vocabulary, which is read from leaves.
@Suite struct WordListTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func wordsAgreeWithVocabulary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["text"])
    try index.command("pgsz", [32, 64, 200, 1000][Int(seed) % 4])
    try index.command("automerge", 0)
    for round in 0..<8 {
      try Self.edit(index, &random)
      if Int.random(in: 0..<3, using: &random) > 0 { try Self.writeLists(index) }
      // Merges that FTS5 does not finish change the leaves of segments.
      if round % 2 == 1 {
        try index.command("merge", Int.random(in: 1...9, using: &random) * (round % 4 == 1 ? -1 : 1))
      }
      if round == 6 { try index.queue.write { try index.index.table.optimize($0) } }
      try Self.compare(index, &random)
      #expect(try index.problem() == nil)
    }
    try Self.writeLists(index)
    #expect(try Self.listedSegmentCount(index) > 0)
    try Self.compare(index, &random)
  }

  /// FTS5 deletes the list with its segment, before it reuses the segment's number.
  @Test func listsAreDeletedWithTheirSegment() throws {
    var random = SeededGenerator(seed: 5)
    let index = try Self.listed(&random)
    #expect(try !Self.listIDs(index).isEmpty)
    try Self.edit(index, &random)
    try index.queue.write { try index.index.table.optimize($0) }
    #expect(try Self.listIDs(index).isEmpty)
  }

  @Test func unchangedSegmentsKeepTheirLists() throws {
    var random = SeededGenerator(seed: 6)
    let index = try Self.listed(&random)
    let old = try Self.listIDs(index)
    try index.command("automerge", 0)
    let changes = try index.queue.write { db in
      let before = db.totalChangesCount
      try WordListWriter(index.index.table, db).run(minimumLeafCount: 1)
      return db.totalChangesCount - before
    }
    #expect(changes == 0)
    try Self.edit(index, &random)
    try Self.writeLists(index)
    #expect(try Set(old).isStrictSubset(of: Self.listIDs(index)))
  }

  @Test func segmentsThatAreBeingMergedHaveNoLists() throws {
    let structure = [0, 0, 0, 1] as [UInt8] + [3, 5, 9, 2, 3, 1, 1, 9, 2, 1, 9, 3, 1, 9, 0, 2, 4, 1, 9, 5, 1, 9, 0, 0]
    let levels = try SegmentLevels(structure)
    #expect(levels.completeSegments.map(\.id) == [3, 4])
  }

  @Test func damagedListsAreReportedAndIgnored() throws {
    var random = SeededGenerator(seed: 7)
    let index = try Self.listed(&random)
    let ids = try Self.listIDs(index)
    for id in ids {
      let block = try Self.block(id, index)
      for position in [0, 7, 8, block.count / 2, block.count - 1] {
        var damaged = block
        damaged[position] ^= 0x11
        try Self.write(damaged, id, index)
        try Self.compare(index, &random, count: 3)
      }
      try Self.write([], id, index)
      try Self.compare(index, &random, count: 3)
      try Self.write(block, id, index)
    }
    #expect(try index.problem() == nil)
    let block = try Self.block(#require(ids.last), index)
    try Self.write(block.dropLast(), #require(ids.last), index)
    #expect(try index.problem()?.contains("word lists") == true)
  }

  @Test func listsOfSeveralBlocksAreIntact() throws {
    var random = SeededGenerator(seed: 10)
    let index = try TestIndex(["text"])
    try index.command("automerge", 0)
    for segment in 0..<3 {
      try index.write { writer in
        for row in 0..<400 {
          let words = (0..<20).map { _ in
            String((0..<10).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
          }
          let (json, rowID) = ("{\"text\":\"\(words.joined(separator: " "))\"}", Int64(segment * 400 + row + 1))
          try writer.insert(index.terms(json), rowID: rowID)
          index.documents[rowID] = json
        }
      }
    }
    try Self.writeLists(index)
    #expect(try Self.listIDs(index).count > 12)
    #expect(try index.problem() == nil)
  }

  @Test func damagedSegmentDoesNotPreventTheListsOfOthers() throws {
    var random = SeededGenerator(seed: 9)
    let index = try TestIndex(["text"])
    try index.command("pgsz", 200)
    try index.command("automerge", 0)
    for _ in 0..<4 { try Self.edit(index, &random) }
    let (segments, damaged, leaf) = try index.queue.read { db in
      let terms = try SegmentTerms(index.index.table, db)
      let segments = try terms.segments()
      let damaged = try #require(try segments.dropFirst().first { try terms.leaves(of: $0).count > 2 })
      return (segments, damaged, try terms.leaves(of: damaged).numbers[1])
    }
    #expect(segments.count > 2)
    try Self.write([0, 0, 255, 255], damaged.block(leaf), index)
    _ = try index.queue.write { db in
      #expect(throws: DoclistCorruption.self) {
        try WordListWriter(index.index.table, db).run(minimumLeafCount: 1)
      }
    }
    #expect(try Self.listedSegmentCount(index) == segments.count - 1)
    #expect(try !Self.listIDs(index).contains { $0 >> 37 == damaged.id })
  }

  /// A block whose checksum is correct is still not trusted.
  @Test func impossibleBlocksAreRejected() throws {
    var random = SeededGenerator(seed: 8)
    let index = try Self.listed(&random)
    let id = try Self.listIDs(index)[1]
    let content = try Array(Self.block(id, index).dropFirst(8))
    var outcomes: Set<Bool> = []
    let search = try #require(
      TypoSearch(Array("abcabc".unicodeScalars), edits: 2, firstLetter: .any, includesNames: false))
    for _ in 0..<20_000 {
      var damaged = content
      damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0...damaged.count, using: &random)) }
      var traversal = TypoTraversal(search)
      var found = TermList()
      var word = [UInt8](repeating: 0, count: TermList.maximumLength)
      damaged.withUnsafeBufferPointer { bytes in
        word.withUnsafeMutableBufferPointer { word in
          do throws(DoclistCorruption) {
            try WordBlock(bytes).appendWords(acceptedBy: &traversal, word, to: &found)
            outcomes.insert(true)
          } catch {
            outcomes.insert(false)
          }
        }
      }
    }
    #expect(outcomes == [true, false])
  }

  /// Verification compares the words and frequencies, not only the checksums.
  @Test func verificationFindsWrongLists() throws {
    var random = SeededGenerator(seed: 9)
    let index = try Self.listed(&random)
    let id = try Self.listIDs(index)[1]
    var content = try Array(Self.block(id, index).dropFirst(8))
    content[content.count - 1] ^= 1
    try Self.write(WordListFormat.block(content, id: id), id, index)
    #expect(try index.problem()?.contains("word lists") == true)
  }

  /// Lists are written in a transaction after that of their segments, and other processes are not notified.
  @Test func listsThatAreWrittenAfterASearchAreUsed() throws {
    var random = SeededGenerator(seed: 10)
    let index = try TestIndex(["text"])
    try Self.edit(index, &random)
    func states() throws -> (state: IndexState, listCount: Int) {
      try index.queue.read { db in
        _ = try TermDictionary(index.index, db, fewLeaves: 0)
        let state = try index.index.cache.state(of: index.index, db)
        let lists = state.leaves.wordLists(of: state.segments, minimumLeafCount: 0) { _ in nil }
        return (state, lists.count { $0 != nil })
      }
    }
    let old = try states()
    #expect(old.listCount == 0)
    try Self.writeLists(index)
    let new = try states()
    #expect(new.listCount > 0 && new.state === old.state)
  }

  @Test func listsOfSmallSegmentsAreNotLookedFor() throws {
    let cache = TermLeavesCache()
    let segment = SegmentStructure.Segment(id: 1, firstLeaf: 2, lastLeaf: 65)
    var reads = 0
    for minimum in [64, 65, 64] {
      let lists = cache.wordLists(of: [segment], minimumLeafCount: minimum) { segment in
        reads += 1
        return WordList(segment, blockCount: 1)
      }
      // A list that is known is returned without looking for it.
      #expect(lists.count == 1 && lists[0] != nil)
    }
    #expect(reads == 1)
    let none = TermLeavesCache().wordLists(of: [segment], minimumLeafCount: 65) { WordList($0, blockCount: 1) }
    #expect(none.count == 1 && none[0] == nil)
  }

  @Test func smallSegmentsHaveNoLists() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one two three"}"#)
    try index.queue.write { try FullTextCatalog.writeWordLists(of: index.index, $0) }
    #expect(try Self.listIDs(index).isEmpty)
  }

  // MARK: -

  private static let letters = ["a", "b", "c", "a", "b", "c", "ä", "ж", "𝔸", "7", "_"]

  private static func word(_ random: inout SeededGenerator) -> String {
    (0...Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
  }

  /// Inserts, replaces and removes documents in one transaction.
  private static func edit(_ index: TestIndex, _ random: inout SeededGenerator) throws {
    try index.write { writer in
      for _ in 0..<80 {
        let row = Int64.random(in: 1...200, using: &random)
        if let json = index.documents.removeValue(forKey: row) { try writer.remove(index.terms(json), rowID: row) }
        if Int.random(in: 0..<4, using: &random) == 0 { continue }
        let words = (0..<12).map { _ in word(&random) }.joined(separator: " ")
        let json = "{\"text\":\"\(words) often\"}"
        try writer.insert(index.terms(json), rowID: row)
        index.documents[row] = json
      }
    }
  }

  private static func listed(_ random: inout SeededGenerator) throws -> TestIndex {
    let index = try TestIndex(["text"])
    try index.command("pgsz", 200)
    for _ in 0..<3 { try edit(index, &random) }
    try writeLists(index)
    return index
  }

  private static func writeLists(_ index: TestIndex) throws {
    try index.queue.write { try WordListWriter(index.index.table, $0).run(minimumLeafCount: 1) }
  }

  private static func compare(_ index: TestIndex, _ random: inout SeededGenerator, count: Int = 40) throws {
    try index.queue.read { db in
      // Nothing is cached in the new object.
      let fresh = try #require(try FullTextCatalog.indexes(of: 1, db).first)
      let whole = try Vocabulary(fresh.table, db).terms
      let isListed = try !hasUnlistedSegments(fresh, db)
      let parts = try TermDictionary(fresh, db, fewLeaves: 0)
      for _ in 0..<count {
        let search = try #require(
          TypoSearch(
            Array(word(&random).unicodeScalars), edits: Int.random(in: 0...2, using: &random),
            minimumLengthWithTwoEdits: Int.random(in: 0...6, using: &random),
            firstLetter: [.any, .keptByTwoEdits, .kept][Int.random(in: 0..<3, using: &random)], includesNames: false))
        let (found, expected) = try (parts.terms(acceptedBy: search), whole.accepted(by: search))
        #expect((0..<found.count).map(found.text) == (0..<expected.count).map(expected.text))
        // Partial reads of leaves estimate some frequencies differently.
        if isListed { #expect(found.frequencies == expected.frequencies) }
      }
    }
  }

  @Test func memoryContainsTheBlocksThatFit() {
    let memory = WordMemory(blockCount: 1)
    let (block, tooMuch) = ([UInt8](1...100), [UInt8](repeating: 1, count: WordListFormat.maximumBlockSize - 99))
    #expect(block.withUnsafeBufferPointer { memory.append($0) } == 0..<100)
    #expect(tooMuch.withUnsafeBufferPointer { memory.append($0) } == nil)
    #expect(tooMuch.dropLast().withUnsafeBufferPointer { memory.append($0) } == 100..<WordListFormat.maximumBlockSize)
    #expect(Array(memory.bytes[..<101]) == block + [1])
  }

  private static func hasUnlistedSegments(_ index: StoredFullTextIndex, _ db: Database) throws -> Bool {
    let lists = try WordListReader(index.table.name, db)
    return try SegmentTerms(index.table, db).segments().contains { segment in
      try lists.list(of: segment).flatMap { try lists.blocks(of: $0, into: WordMemory(blockCount: $0.blockCount)) }
        == nil
    }
  }

  private static func listedSegmentCount(_ index: TestIndex) throws -> Int {
    try index.queue.read { db in
      let lists = try WordListReader(index.index.table.name, db)
      return try SegmentTerms(index.index.table, db).segments().filter { try lists.list(of: $0) != nil }.count
    }
  }

  private static func listIDs(_ index: TestIndex) throws -> [Int64] {
    try index.queue.read {
      try Int64.fetchAll(
        $0, sql: "SELECT id FROM concordance_ft_1_data WHERE id & ((1 << 37) - 1) BETWEEN 1 << 32 AND (1 << 36) - 1")
    }
  }

  private static func block(_ id: Int64, _ index: TestIndex) throws -> [UInt8] {
    try index.queue.read { try DoclistFormat.block(id, table: "concordance_ft_1", $0) }
  }

  private static func write(_ block: some Sequence<UInt8>, _ id: Int64, _ index: TestIndex) throws {
    try index.queue.write {
      try $0.execute(sql: "UPDATE concordance_ft_1_data SET block = ? WHERE id = ?", arguments: [Data(block), id])
    }
  }
}
