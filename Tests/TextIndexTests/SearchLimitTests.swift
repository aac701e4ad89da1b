import DocumentStore
import SQLiteAccess
import Testing

@testable import TextIndex

/// Searches end when their time limit has passed.
@Suite struct SearchLimitTests {
  private static let rowCount = 5000

  /// Returns postings of a term that is at one position of every document.
  private static func postings(position: UInt8) -> Postings {
    var storage = PostingsStorage(keepingPositions: true)
    let poslist = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1)
    defer { poslist.deallocate() }
    poslist.initialize(repeating: position + 2)
    for row in 0..<rowCount { storage.append(UInt32(row), 1, UnsafeBufferPointer(poslist)) }
    return Postings(storage)
  }

  /// Runs `body` after a time limit has passed.
  private static func late<T>(_ body: () throws -> T) rethrows -> T {
    try Deadline.$current.withValue(Deadline(.zero, of: "search"), operation: body)
  }

  @Test func evaluationEnds() {
    let leaves = (0..<3).map { MatchNode.leaf(MatchLeaf(Self.postings(position: $0))) }
    for node in [MatchNode.or(leaves), .and(leaves), .or([.and(leaves), .not(leaves[0], .nothing)])] {
      #expect(MatchEvaluator().evaluate(node).rows.count == Self.rowCount)
      #expect(Self.late { MatchEvaluator().evaluate(node).rows.isEmpty })
    }
    let rows = (0..<Self.rowCount).map { UInt32($0) }
    #expect(Self.late { MatchEvaluator(among: rows).evaluate(leaves[0]).rows.count } < Self.rowCount)
    let scores = RowScores(rows: rows, isScored: true)
    #expect(Self.late { scores.intersection(scores).rows.count } < Self.rowCount)
    #expect(Self.late { scores.subtracting(RowScores(isScored: false)).rows.count } < Self.rowCount)
  }

  @Test func windowsAndIntersectionsEnd() throws {
    let lists = [Self.postings(position: 3), Self.postings(position: 5)]
    let evaluator = UnorderedWindowEvaluator((1, 1), windowLength: 8, columnCount: 1)
    #expect(try evaluator.evaluate(lists[0], lists[1]).count == Self.rowCount)
    #expect(try RowIntersection.rows(lists).count == Self.rowCount)
    #expect(throws: StoreError.self) { try Self.late { _ = try evaluator.evaluate(lists[0], lists[1]) } }
    #expect(throws: StoreError.self) { try Self.late { _ = try RowIntersection.rows(lists) } }
  }

  @Test func searchesForSimilarTermsEnd() throws {
    // All terms differ from the word only after the letters that they share with the previous term.
    let letters = (97...122 as ClosedRange<UInt8>).map { String(UnicodeScalar($0)) }
    let words = letters.flatMap { first in letters.flatMap { second in letters.map { first + second + $0 } } }
    let list = TermList(words)
    let automaton = try #require(LevenshteinAutomaton(Array("mmm".unicodeScalars), edits: 2))
    let all = list.neighbors(automaton)
    #expect(all.count > 1000)
    #expect(Self.late { list.neighbors(automaton).count } < all.count)
  }
}
