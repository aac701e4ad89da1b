import Foundation
import GRDB
import SQLiteAccess
import Testing

@testable import TextIndex

/// Merges of segments without FTS5, compared with an index whose segments FTS5 writes and merges.
@Suite struct SegmentMergingTests {
  private struct Stop: Error {}

  /// Returns a document with frequent and rare terms; some documents have poslists longer than a leaf.
  private func document(_ random: inout SeededGenerator) -> String {
    let length = Int.random(in: 0..<40, using: &random) == 0 ? 700 : Int.random(in: 0..<25, using: &random)
    let texts = [length, 2].map { length in
      (0..<length).map { _ -> String in
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: "the"
        case 4..<7: "w\(Int.random(in: 0..<30, using: &random))"
        default: "rare\(Int.random(in: 0..<3000, using: &random))"
        }
      }.joined(separator: " ")
    }
    return "{\"a\":\"\(texts[0])\",\"b\":\"\(texts[1])\"}"
  }

  /// Writes a transaction as one segment, or through FTS5.
  ///
  /// - Parameter changing: whether documents of earlier transactions are also replaced and removed.
  private func write(
    _ index: TestIndex, changing: Bool, count: Int, throughFTS5: Bool, _ random: inout SeededGenerator
  ) throws {
    try index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: throughFTS5 ? .max : 0, memory: .max, db)
      for _ in 0..<count {
        let last = index.documents.keys.max() ?? 0
        let row =
          changing ? Int64.random(in: 1...last + 3, using: &random) : last + Int64.random(in: 1...300, using: &random)
        if let known = index.documents.removeValue(forKey: row) {
          try writer.remove(index.terms(known), rowID: row)
          if Bool.random(using: &random) { continue }
        }
        let json = document(&random)
        try writer.insert(index.terms(json), rowID: row)
        index.documents[row] = json
      }
      try writer.flush(syncing: true)
    }
  }

  private func levels(_ index: TestIndex) throws -> [SegmentLevels.Level] {
    try index.queue.read { db in
      try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: index.index.tableName, db)).levels
    }
  }

  /// Returns all occurrences that FTS5 finds in an index.
  private func occurrences(_ index: TestIndex) throws -> [String] {
    let table = index.index.tableName
    return try index.queue.write { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE temp.occurrences USING fts5vocab(main, \(table), instance)")
      defer { try? db.execute(sql: "DROP TABLE temp.occurrences") }
      return try Row.fetchAll(db, sql: "SELECT term, doc, col, \"offset\" FROM temp.occurrences").map(\.description)
    }
  }

  @Test(arguments: [(4050, false), (4050, true), (300, false), (300, true), (64, true)])
  func mergedSegmentsContainTheOccurrencesOfFTS5(pageSize: Int, changing: Bool) throws {
    let indexes = try [false, true].map { throughFTS5 in
      var random = SeededGenerator(seed: UInt64(pageSize))
      let index = try TestIndex(["a", "b"])
      try index.command("pgsz", pageSize)
      for _ in 0..<75 {
        try write(index, changing: changing, count: 30, throughFTS5: throughFTS5, &random)
      }
      return index
    }
    let merged = try levels(indexes[0])
    #expect(merged.map(\.segments.count) == [3, 1, 1])
    #expect(merged.allSatisfy { $0.mergingCount == 0 })
    #expect(indexes[0].documents == indexes[1].documents)
    let (written, expected) = (try occurrences(indexes[0]), try occurrences(indexes[1]))
    #expect(written.count == expected.count)
    #expect(zip(written, expected).first { $0 != $1 }.map { "\($0) != \($1)" } == nil)
    for index in indexes { #expect(try index.problem() == nil) }
    // FTS5 merges the merged segments.
    try indexes[0].queue.write { try indexes[0].index.table.optimize($0) }
    #expect(try segmentCount(indexes[0]) == 1)
    #expect(try occurrences(indexes[0]) == expected)
    #expect(try indexes[0].problem() == nil)
  }

  private func segmentCount(_ index: TestIndex) throws -> Int { try levels(index).reduce(0) { $0 + $1.segments.count } }

  private func rowCounts(_ index: TestIndex) throws -> [Int?] {
    try index.queue.read { db in
      try ["data", "idx"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.index.tableName)_\($0)") }
    }
  }

  private func mergeAll(_ index: TestIndex, _ mergeInFTS5: (Database) throws -> Void = { _ in }) throws {
    try index.queue.write { try index.index.appender.mergeAllSegments(thenInFTS5: mergeInFTS5, $0) }
  }

  @Test(arguments: [4050, 300, 64]) func allSegmentsAreMerged(pageSize: Int) throws {
    var random = SeededGenerator(seed: UInt64(pageSize))
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", pageSize)
    for number in 0..<20 { try write(index, changing: true, count: 30, throughFTS5: number % 3 == 2, &random) }
    #expect(try segmentCount(index) > 1)
    let expected = try occurrences(index)
    try mergeAll(index)
    #expect(try segmentCount(index) == 1)
    #expect(try occurrences(index) == expected)
    #expect(try index.problem() == nil)
    // The structure that FTS5 had in memory is not written.
    try write(index, changing: true, count: 30, throughFTS5: true, &random)
    #expect(try segmentCount(index) == 2)
    #expect(try index.problem() == nil)
  }

  @Test func segmentsThatFTS5IsMergingAreLeftToIt() throws {
    var random = SeededGenerator(seed: 1)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 64)
    try index.command("automerge", 0)
    try index.command("crisismerge", 1000)
    for _ in 0..<5 { try write(index, changing: false, count: 100, throughFTS5: true, &random) }
    try index.command("merge", -20)
    #expect(try levels(index).contains { $0.mergingCount > 0 })
    let count = try segmentCount(index)
    try mergeAll(index)
    #expect(try segmentCount(index) == count)
    try mergeAll(index, index.index.table.optimize)
    #expect(try segmentCount(index) == 1)
    #expect(try index.problem() == nil)
  }

  /// A segment with most of the leaves is not merged, so that few changes do not take as long as many.
  @Test func youngSegmentsAreMergedWithoutALargeOldOne() throws {
    var random = SeededGenerator(seed: 2)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 300)
    func mergeYoungest() throws { try index.queue.write { try index.index.appender.mergeYoungestSegments($0) } }
    for _ in 0..<3 { try write(index, changing: false, count: 400, throughFTS5: false, &random) }
    try mergeYoungest()
    #expect(try segmentCount(index) == 1)
    let large = try levels(index)
    try write(index, changing: true, count: 20, throughFTS5: false, &random)
    try mergeYoungest()
    #expect(try segmentCount(index) == 2)
    let unchanged = try levels(index).flatMap(\.segments).contains { large.flatMap(\.segments).contains($0) }
    #expect(unchanged)
    for _ in 0..<3 { try write(index, changing: true, count: 400, throughFTS5: false, &random) }
    try mergeYoungest()
    #expect(try segmentCount(index) == 1)
    #expect(try index.problem() == nil)
  }

  /// Young segments that remove rows of a large old one are merged without it, and keep the removals.
  @Test(arguments: [1, 2, 3] as [UInt64]) func youngSegmentsKeepTheRemovalsOfOlderRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 64)
    try index.command("automerge", 0)
    // One segment on a higher level.
    for _ in 0..<8 { try write(index, changing: false, count: 150, throughFTS5: false, &random) }
    #expect(try levels(index).map(\.segments.count) == [0, 1])
    for _ in 0..<3 { try write(index, changing: true, count: 25, throughFTS5: false, &random) }
    let expected = try occurrences(index)
    try index.queue.write { try index.index.appender.mergeYoungestSegments($0) }
    #expect(try levels(index).map(\.segments.count) == [1, 1])
    #expect(try occurrences(index) == expected)
    #expect(try index.problem() == nil)
    // A write through FTS5 follows a merge that was rolled back.
    try write(index, changing: true, count: 25, throughFTS5: false, &random)
    #expect(throws: Stop.self) {
      try index.queue.write { db in
        try index.index.appender.mergeYoungestSegments(db)
        throw Stop()
      }
    }
    try write(index, changing: true, count: 25, throughFTS5: true, &random)
    #expect(try index.problem() == nil)
    let last = try occurrences(index)
    try index.queue.write { try index.index.table.optimize($0) }
    #expect(try occurrences(index) == last)
    #expect(try index.problem() == nil)
  }

  @Test func damagedSegmentsAreNotMerged() throws {
    var random = SeededGenerator(seed: 4)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 300)
    for _ in 0..<4 { try write(index, changing: false, count: 2000, throughFTS5: false, &random) }
    // The last leaf, so that the merge has already written leaves.
    let segment = try #require(try levels(index)[0].segments.last)
    try index.queue.write { db in
      try UntrustedSchemaSettings.withoutDefense(db) {
        try db.execute(
          sql: "DELETE FROM \(index.index.tableName)_data WHERE id = ?",
          arguments: [Int64(segment.id) << DoclistFormat.segmentShift + Int64(segment.lastLeaf)])
      }
    }
    let (before, counts) = (try levels(index), try rowCounts(index))
    try mergeAll(index)
    // The transaction is committed, as after an import.
    _ = try index.queue.write { db in
      #expect(throws: DoclistCorruption.missingBlock) { try index.index.appender.mergeYoungestSegments(db) }
    }
    let after = try levels(index)
    #expect(after == before)
    #expect(try rowCounts(index) == counts)
  }

  /// FTS5 drops a removal that it merges with an older insertion, unless that insertion is marked as replacing a row of
  /// an older segment.
  @Test(arguments: [1, 2, 3] as [UInt64]) func segmentsOfBothWritersAreMerged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 300)
    for number in 0..<90 {
      try write(index, changing: true, count: 30, throughFTS5: number % 7 >= 5, &random)
      if number % 9 == 0 { #expect(try index.problem() == nil) }
    }
    #expect(try index.problem() == nil)
  }

  @Test func nothingIsLeftOfRemovedDocuments() throws {
    let index = try TestIndex(["a", "b"])
    var random = SeededGenerator(seed: 1)
    try write(index, changing: false, count: 50, throughFTS5: false, &random)
    for number in 0..<7 {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, smallestSegment: 0, memory: .max, db)
        for row in index.documents.keys.sorted().suffix(number == 6 ? 50 : 8) {
          guard let known = index.documents.removeValue(forKey: row) else { continue }
          try writer.remove(index.terms(known), rowID: row)
        }
        try writer.flush(syncing: true)
      }
    }
    #expect(try levels(index).allSatisfy(\.segments.isEmpty))
    #expect(try index.problem() == nil)
    let blocks = try index.queue.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.index.tableName)_data WHERE id > 10")
    }
    #expect(blocks == 0)
    try write(index, changing: false, count: 50, throughFTS5: true, &random)
    #expect(try index.problem() == nil)
  }

  /// Changes random bytes of leaves. The merge either reports damage, or writes leaves from what it has read.
  @Test func damagedLeavesAreReported() throws {
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", 300)
    var random = SeededGenerator(seed: 2)
    for _ in 0..<5 { try write(index, changing: true, count: 60, throughFTS5: false, &random) }
    let table = index.index.tableName
    let segments = try levels(index)[0].segments.map {
      SegmentStructure.Segment(id: Int64($0.id), firstLeaf: Int64($0.firstLeaf), lastLeaf: Int64($0.lastLeaf))
    }
    var damageCount = 0
    for _ in 0..<1500 {
      try? index.queue.write { db in
        let segment = try #require(segments.randomElement(using: &random))
        let id = segment.block(Int64.random(in: segment.firstLeaf...segment.lastLeaf, using: &random))
        var block = try DoclistFormat.block(id, table: table, db)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          block[Int.random(in: block.indices, using: &random)] =
            [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
        if Int.random(in: 0..<20, using: &random) == 0 { block.removeLast(block.count / 2) }
        try UntrustedSchemaSettings.withoutDefense(db) {
          try db.execute(sql: "UPDATE \(table)_data SET block = ? WHERE id = ?", arguments: [Data(block), id])
        }
        do {
          let merge = SegmentMerge(
            segments: segments, isOldest: Bool.random(using: &random), table: table, detail: .full)
          #expect(try merge.run(segment: 9, pageSize: 300, db, storing: { _ in }) > 0)
        } catch is DoclistCorruption {
          damageCount += 1
        }
        throw Stop()
      }
    }
    #expect(damageCount > 500)
    #expect(try index.problem() == nil)
  }

  @Test func aMissingLeafIsReported() throws {
    let index = try TestIndex(["a", "b"])
    var random = SeededGenerator(seed: 3)
    for _ in 0..<7 { try write(index, changing: false, count: 60, throughFTS5: false, &random) }
    let segment = try #require(try levels(index)[0].segments.first)
    try index.queue.write { db in
      try UntrustedSchemaSettings.withoutDefense(db) {
        try db.execute(
          sql: "DELETE FROM \(index.index.tableName)_data WHERE id = ?",
          arguments: [Int64(segment.id) << DoclistFormat.segmentShift + 1])
      }
    }
    #expect(throws: DoclistCorruption.missingBlock) {
      try write(index, changing: false, count: 60, throughFTS5: false, &random)
    }
  }
}
