import Foundation
import GRDB
import SQLiteAccess
import Testing

@testable import TextIndex

/// Compares reading a leaf with and without skipping rejected terms.
@Suite struct LeafTermsTests {
  /// Damage is reported, and terms are accepted, as if no term was skipped.
  @Test(arguments: [1, 2] as [UInt64]) func skippingDoesNotChangeResult(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let leaves = try Self.leaves(&random)
    var counts = (damaged: 0, accepted: 0, skipped: 0)
    for _ in 0..<4000 {
      var leaf = try #require(leaves.randomElement(using: &random))
      if Bool.random(using: &random) { Self.damage(&leaf, &random) }
      let word = Array(TermDictionaryTests.word(&random).unicodeScalars)
      let search = try #require(
        TypoSearch(word, edits: Int.random(in: 0...2, using: &random), firstLetter: .keptByTwoEdits))
      let all = Self.accepted(leaf, by: search, skipping: false)
      let some = Self.accepted(leaf, by: search, skipping: true)
      #expect(all.terms == some.terms && all.error == some.error)
      counts.damaged += all.error == nil ? 0 : 1
      counts.accepted += all.terms.count
      counts.skipped += all.readCount - some.readCount
    }
    #expect(counts.damaged > 100 && counts.accepted > 100 && counts.skipped > 1000)
  }

  @Test func damagedLengthOfSkippedTermThrows() throws {
    // The terms 0abc, 0abd and 0ac. The second one shares three bytes and has one more.
    let leaf: [UInt8] = [0, 0, 0, 21, 4, 0x30, 0x61, 0x62, 0x63, 1, 0, 3, 1, 0x64, 1, 0, 2, 1, 0x63, 1, 0, 4, 7, 5]
    let search = try #require(TypoSearch(["x"], edits: 0, firstLetter: .any))
    #expect(Self.accepted(leaf, by: search, skipping: true).error == nil)
    for (offset, value) in [(11, 5), (11, 0x7F), (12, 4), (12, 0x7F), (22, 0), (23, 0x7F)] as [(Int, UInt8)] {
      var damaged = leaf
      damaged[offset] = value
      #expect(Self.accepted(damaged, by: search, skipping: true).error != nil, "offset \(offset)")
    }
  }

  /// A search in damaged leaves returns the terms that reading all of them returns, or throws.
  @Test func damagedLeavesReturnNoOtherTerms() throws {
    var random = SeededGenerator(seed: 3)
    let index = try TermDictionaryTests.index(pageSize: 64, &random)
    let ids = try index.queue.read {
      try Int64.fetchAll($0, sql: "SELECT id FROM concordance_ft_1_data WHERE id > 1000")
    }
    var counts = (damaged: 0, found: 0)
    for _ in 0..<60 {
      let id = try #require(ids.randomElement(using: &random))
      let original = try #require(
        index.queue.read { try Data.fetchOne($0, sql: "SELECT block FROM concordance_ft_1_data WHERE id = \(id)") })
      var block = [UInt8](original)
      Self.damage(&block, &random)
      try Self.write(Data(block), id, index)
      try index.queue.read { db in
        let reader = try SegmentTerms(index.index.table, db)
        let word = Array(TermDictionaryTests.word(&random).unicodeScalars)
        let search = try #require(TypoSearch(word, edits: 2, firstLetter: .any))
        for segment in try reader.segments() {
          let leaves = try reader.leaves(of: segment)
          do {
            let all = try reader.terms(on: leaves, at: 0..<leaves.count)
            let some = try reader.terms(on: leaves, at: 0..<leaves.count, acceptedBy: search)
            #expect(
              some.matches(search).map { some.text($0.number) } == all.matches(search).map { all.text($0.number) })
            counts.found += some.count
          } catch is DoclistCorruption {
            counts.damaged += 1
          }
        }
      }
      try Self.write(original, id, index)
    }
    #expect(counts.damaged > 10 && counts.found > 100)
  }

  /// Returns the accepted terms before the end or the first error, the error, and the number of terms that were
  /// decoded.
  private static func accepted(
    _ leaf: [UInt8], by search: TypoSearch, skipping: Bool
  ) -> (terms: [[UInt8]], error: DoclistCorruption?, readCount: Int) {
    leaf.withUnsafeBufferPointer { leaf in
      var found: [[UInt8]] = []
      var (term, rejectedLength, readCount): ([UInt8], Int, Int) = ([], .max, 0)
      do throws(DoclistCorruption) {
        var terms = try LeafTerms(leaf)
        var traversal = TypoTraversal(search)
        while try terms.next(&term, skippingPrefix: skipping ? rejectedLength : .max) != nil {
          readCount += 1
          if !skipping { traversal = TypoTraversal(search) }
          var length = Int.max
          let isAccepted = term.withUnsafeBufferPointer {
            traversal.accepts(
              UnsafeBufferPointer(rebasing: $0.dropFirst()),
              sharedLength: skipping ? max(0, terms.sharedLength - 1) : 0, rejectedLength: &length)
          }
          if isAccepted { found.append(term) }
          rejectedLength = length == .max ? .max : length + 1
        }
      } catch {
        return (found, error, readCount)
      }
      return (found, nil, readCount)
    }
  }

  private static func leaves(_ random: inout SeededGenerator) throws -> [[UInt8]] {
    let index = try TermDictionaryTests.index(pageSize: 200, &random)
    return try index.queue.read { db in
      try Data.fetchAll(db, sql: "SELECT block FROM concordance_ft_1_data WHERE id > 1000").map { [UInt8]($0) }
    }
  }

  private static func damage(_ leaf: inout [UInt8], _ random: inout SeededGenerator) {
    guard !leaf.isEmpty else { return }
    if Int.random(in: 0..<5, using: &random) == 0 { leaf.removeLast(Int.random(in: 1...leaf.count, using: &random)) }
    for _ in 0..<Int.random(in: 1...4, using: &random) where !leaf.isEmpty {
      leaf[Int.random(in: 0..<leaf.count, using: &random)] =
        [0, 1, 2, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
  }

  private static func write(_ block: Data, _ id: Int64, _ index: TestIndex) throws {
    try index.queue.write {
      try $0.execute(sql: "UPDATE concordance_ft_1_data SET block = ? WHERE id = ?", arguments: [block, id])
    }
  }
}
