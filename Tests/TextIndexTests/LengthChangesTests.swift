import Foundation
import GRDB
import Testing

@testable import TextIndex

@Suite struct LengthChangesTests {
  @Test func changesSinceStampAreCombined() throws {
    var changes = LengthChanges(stamp: 1)
    changes.append([4, 5], leadingTo: 2)
    changes.append([], leadingTo: 3)
    changes.append([5, 9], leadingTo: 4)
    #expect(changes.ids(since: 1) == [4, 5, 9])
    #expect(changes.ids(since: 2) == [5, 9])
    #expect(changes.ids(since: 4) == nil)
    #expect(changes.ids(since: 7) == nil)
    #expect(changes.bytes.withUnsafeBufferPointer { LengthChanges($0) } == changes)
  }

  @Test func oldestChangesAreDropped() {
    var changes = LengthChanges(stamp: 0)
    for number in 1...1000 as ClosedRange<UInt64> { changes.append([Int64(number)], leadingTo: number) }
    #expect(changes.bytes.count < 2100)
    #expect(changes.ids(since: 0) == nil)
    #expect(changes.ids(since: 950)?.count == 50)
    changes.append(Set(0..<10_000), leadingTo: 5000)
    #expect(changes.bytes.count == 8)
  }

  @Test(arguments: [-1, 1 << 32] as [Int64]) func listWithoutAnIDIsEmpty(id: Int64) {
    var changes = LengthChanges(stamp: 1)
    changes.append([4], leadingTo: 2)
    changes.append([5, id], leadingTo: 3)
    #expect(changes == LengthChanges(stamp: 3))
    changes.append([6], leadingTo: 4)
    #expect(changes.ids(since: 3) == [6] && changes.ids(since: 2) == nil)
  }

  @Test func randomBytesAreDecodedOrRejected() throws {
    var random = SeededGenerator(seed: 3)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
      if let changes = bytes.withUnsafeBufferPointer({ LengthChanges($0) }) { #expect(changes.bytes == bytes) }
    }
  }

  /// The lengths that are updated after one or more changes equal those that are read without a cached state.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func incrementallyReadLengthsMatchFile(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["a", "b"])
    var documents: [Int64: AnalyzedDocument] = [:]
    for step in 0..<120 {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, db)
        // Occasionally, there are too many changes for the list.
        for _ in 0..<(step % 40 == 39 ? 400 : Int.random(in: 0...4, using: &random)) {
          let row = Int64.random(in: 0..<(step % 3 == 0 ? 60_000 : 1000), using: &random)
          if let old = documents.removeValue(forKey: row) {
            try writer.remove(old, rowID: row)
          } else {
            documents[row] = try Self.document(index, &random)
            try documents[row].map { try writer.insert($0, rowID: row) }
          }
        }
        try writer.flush(syncing: true)
      }
      guard Bool.random(using: &random) else { continue }
      let rows = documents.keys.map { UInt32($0) } + (0..<500).map { _ in .random(in: 0..<100_000, using: &random) }
      try index.queue.read { db in
        let known = try index.index.cache.state(of: index.index, db).lengths
        let read = try DocumentLengths(LengthTable(of: index.index), db)
        for column in 0..<2 {
          let (ours, theirs) = (known.column(column), read.column(column))
          #expect(rows.allSatisfy { ours($0) == theirs($0) })
        }
      }
    }
  }

  @Test func onlyChangedRunsAreRead() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one"}"#)
    try index.insert(5000, #"{"text":"far away"}"#)
    _ = try Self.lengths(index)
    try index.queue.write { try $0.execute(sql: "UPDATE concordance_fl_1 SET lengths = x'05' WHERE id = 9") }
    try index.insert(2, #"{"text":"two and more"}"#)
    let lengths = try Self.lengths(index)
    #expect([1, 2, 5000].map { lengths.column(0)($0) } == [1, 3, 2])
  }

  @Test func staleChangeListIsIgnored() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one"}"#)
    _ = try Self.lengths(index)
    let stale = try index.queue.read {
      try LengthTable(of: index.index).changes(leadingTo: Self.stamp(index, $0), $0).bytes
    }
    try index.insert(5000, #"{"text":"far away"}"#)
    try index.queue.write {
      try $0.execute(sql: "UPDATE concordance_fl_1 SET lengths = ? WHERE id = -2", arguments: [Data(stale)])
    }
    #expect(try Self.lengths(index).column(0)(5000) == 2)
  }

  private static func document(_ index: TestIndex, _ random: inout SeededGenerator) throws -> AnalyzedDocument {
    let (first, second) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...300, using: &random))
    let words = (String(repeating: "x ", count: first), String(repeating: "y ", count: second))
    return try index.terms("{\"a\":\"\(words.0)\",\"b\":\"\(words.1)\"}")
  }

  private static func stamp(_ index: TestIndex, _ db: Database) throws -> UInt64 {
    try #require(try LengthTable(of: index.index).header(db)).stamp
  }

  private static func lengths(_ index: TestIndex) throws -> DocumentLengths {
    try index.queue.read { try index.index.cache.state(of: index.index, $0).lengths }
  }
}
