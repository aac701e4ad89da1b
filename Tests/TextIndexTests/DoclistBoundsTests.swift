import Foundation
import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Leaf score bounds: storage, lifetime and handling of damage.
@Suite struct DoclistBoundsTests {
  private static let sample = DoclistBounds(
    term: Array("the".utf8), normalization: LengthNormalization(b: 0.75, weights: [1, 2], averages: [3.5, 120]),
    documentCount: 7,
    lastRow: 90,
    leaves: [
      DoclistBounds.Leaf(number: 5, firstRow: 1, frequency: 2.5),
      DoclistBounds.Leaf(number: 6, firstRow: 40, frequency: 0),
    ])

  @Test func boundsRoundTrip() {
    let read = Self.sample.bytes(id: 17).withUnsafeBufferPointer { DoclistBounds($0, id: 17) }
    #expect(read == Self.sample)
  }

  @Test func checksumDetectsDamage() {
    let bytes = Self.sample.bytes(id: 17)
    for position in bytes.indices {
      var changed = bytes
      changed[position] ^= 4
      #expect(changed.withUnsafeBufferPointer { DoclistBounds($0, id: 17) } == nil)
      #expect(bytes[..<position].withUnsafeBufferPointer { DoclistBounds($0, id: 17) } == nil)
    }
  }

  @Test func checksumCoversBlockID() {
    #expect(Self.sample.bytes(id: 17).withUnsafeBufferPointer { DoclistBounds($0, id: 18) } == nil)
  }

  @Test func boundsDoNotDependOnTheNumberOfDoclistsInMemory() throws {
    let index = try Self.filled(rows: 1...300)
    try index.queue.read { db in
      let state = try index.index.cache.state(of: index.index, db)
      let scorer = state.scorer(try ResolvedRanking(index.index.definition.ranking, for: index.index))
      let segments = try SegmentReader(table: index.index.tableName, db)
      func bounds(maximumSize: Int) throws -> [Int64: [UInt8]] {
        let queue = BoundsQueue(scorer, columnCount: 1, maximumSize: maximumSize)
        for segment in state.segments {
          for leaf in try segments.longDoclists(of: segment) {
            queue.add(try segments.longDoclist(from: leaf, in: segment), from: leaf, in: segment)
          }
        }
        queue.wait()
        return Dictionary(uniqueKeysWithValues: try queue.takeFinished().map { ($0.id, $0.bytes) })
      }
      let expected = try bounds(maximumSize: .max)
      #expect(!expected.isEmpty)
      // Every doclist is larger than the limit.
      #expect(try bounds(maximumSize: 1) == expected)
    }
  }

  /// FTS5 deletes the bounds with their segment, before it reuses the segment's number.
  @Test func boundsAreDeletedWithTheirSegment() throws {
    let index = try Self.filled(rows: 1...300)
    let old = try Self.boundIDs(index)
    try #require(!old.isEmpty)
    try Self.fill(index, rows: 301...330)
    #expect(try Self.boundIDs(index) == old)
    try index.queue.write { try index.index.table.optimize($0) }
    #expect(try Self.boundIDs(index) == [])
  }

  /// FTS5 merges segments incrementally: it deletes their first leaves, and reuses the numbers of segments that are
  /// merged completely.
  @Test(arguments: [1, 2, 3] as [UInt64]) func boundsStayValidDuringMerges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try Self.filled(rows: 1...100)
    try index.command("automerge", 0)
    for round in 1...6 {
      try Self.fill(index, rows: (round * 100 + 1)...(round * 100 + 100))
      try Self.writeBounds(index)
      for _ in 0..<3 {
        try index.command("merge", Int.random(in: 1...9, using: &random) * (round % 3 == 0 ? -1 : 1))
        if Bool.random(using: &random) { try Self.writeBounds(index) }
        #expect(try index.problem() == nil)
      }
    }
    try index.queue.write { try index.index.table.optimize($0) }
    let segments = try index.queue.read { try index.index.cache.state(of: index.index, $0) }.segments
    #expect(segments.count == 1)
    #expect(try Self.boundIDs(index).allSatisfy { $0 >> DoclistFormat.segmentShift == segments[0].id })
  }

  @Test func rollbackRemovesBounds() throws {
    struct Stop: Error {}
    let index = try Self.filled(rows: 1...300)
    let old = try Self.blocks(index)
    #expect(throws: Stop.self) {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, db)
        defer { writer.discard() }
        for row in 301...600 as ClosedRange<Int64> { try writer.insert(index.terms(#"{"f0":"common"}"#), rowID: row) }
        try writer.flush(syncing: true)
        try FullTextCatalog.writeBounds(of: index.index, db)
        let query = try FullTextQuery(MatchParser().parse("common"), in: index.index)
        #expect(try query.count(db) == 600)
        throw Stop()
      }
    }
    #expect(try Self.blocks(index) == old)
    try Self.fill(index, rows: 301...700)
    try Self.writeBounds(index)
    let query = try FullTextQuery(MatchParser().parse("common"), in: index.index)
    #expect(try index.queue.read { try query.count($0) } == 700)
    #expect(try index.problem() == nil)
  }

  @Test func unchangedSegmentsKeepTheirBounds() throws {
    let index = try Self.filled(rows: 1...300)
    let old = try Self.blocks(index)
    try Self.fill(index, rows: 301...600)
    try Self.writeBounds(index)
    let new = try Self.blocks(index)
    #expect(new.count > old.count)
    for (id, block) in old { #expect(new[id] == block) }
  }

  @Test func changedRankingReplacesBounds() throws {
    let index = try Self.filled(rows: 1...300)
    let old = try Self.blocks(index)
    try index.queue.write { db in
      var ranking = Ranking()
      ranking.b = 0
      try FullTextCatalog.redefine(index.index, FullTextDefinition(fields: ["f0"], ranking: ranking), db)
      try FullTextCatalog.writeBounds(of: FullTextCatalog.indexes(of: 1, db)[0], db)
    }
    let new = try Self.blocks(index)
    #expect(new.keys == old.keys)
    for (id, block) in old { #expect(new[id] != block) }
  }

  @Test func damagedBoundsAreReportedAndIgnored() throws {
    let index = try Self.filled(rows: 1...400)
    let expected = try index.search("common")
    #expect(try index.problem() == nil)
    try index.queue.write { db in
      try db.execute(sql: "UPDATE concordance_ft_1_data SET block = CAST(block || x'00' AS BLOB) WHERE id & (1 << 31)")
    }
    #expect(try index.problem()?.contains("optimize it") == true)
    let reread = try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }[0]
    let query = try FullTextQuery(MatchParser().parse("common"), in: reread)
    #expect(try index.queue.read { try query.ranked($0, limit: 5) }.map(\.rowID) == Array(expected.prefix(5)))
    try Self.writeBounds(index)
    #expect(try index.problem() == nil)
  }

  /// If a byte of a leaf or of bounds is changed, a search returns hits or does not use bounds, but never crashes.
  @Test(arguments: [1, 2, 3] as [UInt64]) func randomDamageDoesNotCrash(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try Self.filled(rows: 1...300)
    let blocks = try index.queue.read { db in
      try Row.fetchAll(db, sql: "SELECT id, block FROM concordance_ft_1_data WHERE id > 10").map { row in
        (id: row.value("id", or: 0) as Int64, block: [UInt8](row.value("block", or: Data())))
      }
    }
    var (answered, rejected) = (0, 0)
    for _ in 0..<300 {
      guard let (id, original) = blocks.randomElement(using: &random) else { return }
      var block = original
      block[Int.random(in: 0..<block.count, using: &random)] = .random(in: 0...255, using: &random)
      try Self.write(block, id, index)
      if try Self.best(index) == nil { rejected += 1 } else { answered += 1 }
      try Self.write(original, id, index)
    }
    #expect(answered > 50 && rejected > 10)
  }

  /// The top hits found by bounds; nil if bounds are not used.
  private static func best(_ index: TestIndex) throws -> [RankedRow]? {
    try index.queue.read { db in
      let fresh = try FullTextCatalog.indexes(of: 1, db)[0]
      let match = CompiledMatch.phrase(CompiledPhrase(positions: [["common"]]))
      let ranking = try ResolvedRanking(Ranking(), for: fresh)
      let search = try fresh.readingPostings { () -> BoundedSearch? in
        let reading = LeafReadPolicy(leafCount: 2, share: 1, termCount: 1)
        return try BoundedSearch(match, ranking, PostingsReader(fresh, db), reading)
      }
      return try search??.ranked(limit: 3, excluding: [])
    }
  }

  private static func write(_ block: [UInt8], _ id: Int64, _ index: TestIndex) throws {
    try index.queue.write {
      try $0.execute(
        sql: "UPDATE concordance_ft_1_data SET block = ? WHERE id = ?", arguments: [Data(block), id])
    }
  }

  /// The windows of rows extend to the highest possible row.
  @Test func maximumLastRowIsAccepted() throws {
    let index = try Self.filled(rows: 1...300)
    for (id, block) in try Self.blocks(index) {
      let valid = try #require([UInt8](block).withUnsafeBufferPointer { DoclistBounds($0, id: id) })
      let wide = DoclistBounds(
        term: valid.term, normalization: valid.normalization, documentCount: valid.documentCount, lastRow: .max,
        leaves: valid.leaves)
      try Self.write(wide.bytes(id: id), id, index)
    }
    try index.queue.read { db in
      let match = CompiledMatch.and(["common", "word"].map { .phrase(CompiledPhrase(positions: [[$0]])) })
      let ranking = try ResolvedRanking(Ranking(), for: index.index)
      let reading = LeafReadPolicy(leafCount: 2, share: 1, termCount: 2)
      let search = try #require(try BoundedSearch(match, ranking, PostingsReader(index.index, db), reading))
      let found = try search.ranked(limit: 1000, excluding: [])
      #expect(try found == MatchSearch(match, in: index.index, db).ranked(limit: 1000, ranking))
    }
  }

  /// A bound that is too low would hide documents.
  @Test func verificationFindsTooLowBounds() throws {
    let index = try Self.filled(rows: 1...300)
    let (id, block) = try #require(try Self.blocks(index).first)
    let valid = try #require([UInt8](block).withUnsafeBufferPointer { DoclistBounds($0, id: id) })
    let low = DoclistBounds(
      term: valid.term, normalization: valid.normalization, documentCount: valid.documentCount, lastRow: valid.lastRow,
      leaves: valid.leaves.map { .init(number: $0.number, firstRow: $0.firstRow, frequency: $0.frequency * 0.99) })
    try Self.write(low.bytes(id: id), id, index)
    #expect(try index.problem()?.contains("its score bounds") == true)
  }

  /// The bound of a leaf without documents is 0, not NaN.
  @Test func leavesWithoutDocumentsHaveBoundZero() throws {
    let index = try TestIndex(["f0", "f1"])
    try index.insert(1, #"{"f0":"a"}"#)
    var ranking = Ranking()
    ranking.k1 = 0
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let scorer = reader.state.scorer(try ResolvedRanking(ranking, for: index.index))
      let bounds = DoclistBounds(
        term: Self.sample.term, normalization: scorer.normalization, documentCount: 7, lastRow: 90,
        leaves: Self.sample.leaves)
      let segment = SegmentStructure.Segment(id: 1, firstLeaf: 1, lastLeaf: 9)
      let doclist = try #require(BoundedDoclist(bounds, firstLeaf: 5, age: 0, in: segment))
      let budgetedReader = try BudgetedLeafReader(reader.leafReader(), budget: 0)
      let postings = try #require(try BoundedPostings([doclist], others: [], columnCount: 2, budgetedReader))
      let leafScoreBounds = try #require(postings.bounds(scorer))
      #expect(
        leafScoreBounds.order == [0] && leafScoreBounds.saturations[0] >= 1 && leafScoreBounds.saturations[1] == 0)
    }
  }

  /// Deleted documents have no length, so their frequencies would be several times as high as those of any others.
  @Test func deletedDocumentsDoNotRaiseBounds() throws {
    let index = try TestIndex(["f0"])
    try index.command("pgsz", 64)
    try Self.fill(index, rows: 1...300)
    for row in stride(from: Int64(5), to: 300, by: 40) { try index.remove(row) }
    try Self.writeBounds(index)
    let highest = try #require(
      try Self.blocks(index).compactMap { id, block in
        [UInt8](block).withUnsafeBufferPointer { DoclistBounds($0, id: id) }?.leaves.map(\.frequency).max()
      }.max())
    try index.queue.read { db in
      let reader = try PostingsReader(index.index, db)
      let scorer = reader.state.scorer(try ResolvedRanking(Ranking(), for: index.index))
      let postings = try reader.postings("common", withPositions: false)
      let best = (0..<postings.count).map {
        scorer.frequency(postings.rows[$0], postings.frequencies[$0], postings.overflow)
      }
      #expect(Double(highest) <= (best.max() ?? 0) * 1.001)
    }
  }

  /// Lengthening, shortening and deleting documents in younger segments keeps the bounds of older ones valid.
  @Test(arguments: [1, 2, 3] as [UInt64]) func boundsStayValidWhenYoungerSegmentsChange(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try Self.filled(rows: 1...400)
    var corpus = RandomCorpus(columnCount: 1, rowLimit: 400)
    for _ in 0..<5 {
      for _ in 0..<20 { try corpus.change(index, &random) }
      #expect(try index.problem() == nil)
      if Bool.random(using: &random) { try Self.writeBounds(index) }
    }
  }

  @Test func factorConvertsFrequenciesToBoundsForAnotherRanking() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      func normalization() -> LengthNormalization {
        LengthNormalization(
          b: [0, 0.3, 0.75, 1].randomElement(using: &random) ?? 0, weights: [.random(in: 0.5...3, using: &random)],
          averages: [.random(in: 1...200, using: &random)])
      }
      let (one, other) = (normalization(), normalization())
      guard let factor = one.factor(to: other) else {
        #expect(other.b == 0 && one.b > 0)
        continue
      }
      for length in [1.0, 2, 7, 50, 300, 100_000] {
        let (mine, theirs) = (one.frequency(length), other.frequency(length))
        #expect(mine * factor >= theirs * (1 - 1e-12))
      }
    }
  }

  private static func filled(rows: ClosedRange<Int>) throws -> TestIndex {
    let index = try TestIndex(["f0"])
    try index.command("pgsz", 64)
    try fill(index, rows: rows)
    try writeBounds(index)
    return index
  }

  private static func fill(_ index: TestIndex, rows: ClosedRange<Int>) throws {
    try index.write { writer in
      for row in rows {
        let json = "{\"f0\":\"common \(String(repeating: "common word ", count: row * 7 % 5))w\(row % 50)\"}"
        try writer.insert(index.terms(json), rowID: Int64(row))
        index.documents[Int64(row)] = json
      }
    }
  }

  private static func writeBounds(_ index: TestIndex) throws {
    try index.queue.write { db in
      try FullTextCatalog.writeBounds(of: FullTextCatalog.indexes(of: 1, db)[0], db)
    }
  }

  private static func boundIDs(_ index: TestIndex) throws -> Set<Int64> { try Set(blocks(index).keys) }

  private static func blocks(_ index: TestIndex) throws -> [Int64: Data] {
    try index.queue.read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT id, block FROM concordance_ft_1_data WHERE id >> 31 & 63 = 1 ORDER BY id")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0.value("id", or: 0), $0.value("block", or: Data())) })
    }
  }
}

extension LengthNormalization {
  /// Returns the weighted and normalized frequency of one occurrence in a text of this length, see ``Ranking``.
  fileprivate func frequency(_ length: Double) -> Double { weights[0] / (1 - b + b * length / averages[0]) }
}
