import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Compares NEAR with a search that tries every combination of positions.
@Suite struct NearTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func sweepAgreesWithExhaustiveSearch(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let lengths = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 1...3, using: &random) }
      let distance = Int.random(in: 0...6, using: &random)
      let positions = lengths.map { _ in
        Set((0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0..<40, using: &random) }).sorted()
      }
      var sweep = NearSweep(lengths, distance: distance)
      for list in positions {
        for position in list { sweep.append(UInt64(position)) }
        sweep.endPhrase()
      }
      var found = positions.map { _ in [Int]() }
      sweep.forEachNear { phrase, number, position in
        #expect(positions[phrase][number] == Int(position))
        found[phrase].append(Int(position))
      }
      #expect(found == Self.near(positions, lengths, distance), "\(positions) \(lengths) \(distance)")
    }
  }

  @Test func nearDoesNotCrossColumns() throws {
    let index = try TestIndex(["title", "text"])
    try index.insert(1, #"{"title":"x x alpha","text":"beta"}"#)
    try index.insert(2, #"{"title":"x","text":"beta x x alpha"}"#)
    for distance in [4, 1 << 31, 1 << 32, Int.max] {
      let query = try FullTextQuery(.near([.word("alpha"), .word("beta")], distance: distance), in: index.index)
      #expect(try index.queue.read { try query.ranked($0, limit: 5) }.map(\.rowID) == [2])
    }
  }

  @Test func highlightsAgreeWithNear() throws {
    let index = try TestIndex(["text"])
    let text = "a x x b a a x b x x x x x x a x x x x b"
    let (matches, _) = try index.highlight("NEAR(a b, 2)", "{\"text\":\"\(text)\"}")
    #expect(matches.map(\.range.lowerBound) == [0, 6, 8, 10, 14])
  }

  /// Returns the positions of each phrase that are near a position of every other phrase.
  private static func near(_ positions: [[Int]], _ lengths: [Int], _ distance: Int) -> [[Int]] {
    var kept = positions.map { _ in Set<Int>() }
    func choose(_ chosen: [Int]) {
      guard chosen.count < positions.count else {
        let firstEnd = zip(chosen, lengths).map { $0 + $1 }.min() ?? 0
        if (chosen.max() ?? 0) - firstEnd <= distance {
          for (phrase, position) in chosen.enumerated() { kept[phrase].insert(position) }
        }
        return
      }
      for position in positions[chosen.count] { choose(chosen + [position]) }
    }
    choose([])
    return kept.map { $0.sorted() }
  }
}
