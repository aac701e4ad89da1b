import Concordance
import TestSupport
import Testing

@Suite struct ListDifferenceTests {
  @Test(arguments: [
    ("cat", "cat", "", "", ""), ("", "a", "", "0", ""), ("a", "", "0", "", ""), ("chat", "cht", "2", "", ""),
    ("cht", "chat", "", "2", ""), ("cat", "ctx", "1", "2", ""), ("cat", "tag", "0", "2", "2 → 0"),
    ("abcdefg", "abefcdg", "", "", "2 → 4, 3 → 5"), ("abcdefgh", "abgdefch", "", "", "6 → 2, 2 → 6"),
    ("edbgac", "cadbge", "", "", "5 → 0, 4 → 1, 0 → 5"),
  ])
  func examples(old: String, new: String, deletions: String, insertions: String, moves: String) {
    let difference = ListDifference(from: Array(old), to: Array(new))
    #expect(difference.deletions.map(String.init).joined(separator: ", ") == deletions)
    #expect(difference.insertions.map(String.init).joined(separator: ", ") == insertions)
    #expect(difference.moves.count == moves.split(separator: ",").count, "\(difference.moves)")
    #expect(difference.updates.isEmpty)
    expectTransformation(Array(old), Array(new), difference)
  }

  /// A row is an identity and a content; only the identity is compared.
  private struct Row: Hashable {
    var id: Int
    var content: Int
  }

  @Test(arguments: 0..<20)
  func differencesOfRandomListsTransformTheOldListIntoTheNewOne(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let limit = Int.random(in: 1...40, using: &random)
      func list() -> [Row] {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
          Row(id: .random(in: 0..<limit, using: &random), content: .random(in: 0..<3, using: &random))
        }
      }
      let (old, new) = (list(), list())
      let difference = ListDifference(from: old.map(\.id), to: new.map(\.id)) { old[$0] != new[$1] }
      expectTransformation(old, new, difference)
    }
  }

  @Test(arguments: 0..<10)
  func movesAreAsFewAsPossible(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0...7, using: &random)
      let new = (0..<count).shuffled(using: &random)
      let difference = ListDifference(from: Array(0..<count), to: new)
      #expect(difference.moves.count == count - longestIncreasing(new))
    }
  }

  @Test func movedAndUpdatedRowIsInBoth() {
    let difference = ListDifference(from: ["a", "b", "c"], to: ["c", "a", "b"]) { old, _ in old == 2 }
    #expect(difference.moves.map(\.description) == ["2 → 0"])
    #expect(difference.updates.map(\.description) == ["2 → 0"])
    #expect(!difference.isEmpty)
  }

  /// Follows the documented steps, and `apply`.
  private func expectTransformation<Element: Hashable>(_ old: [Element], _ new: [Element], _ difference: ListDifference)
  {
    var list = old
    for position in (difference.deletions + difference.moves.map(\.old)).sorted(by: >) { list.remove(at: position) }
    let added =
      difference.insertions.map { ($0, new[$0]) } + difference.moves.map { ($0.new, old[$0.old]) }
    for (position, element) in added.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: position) }
    for update in difference.updates { list[update.new] = new[update.new] }
    #expect(list == new)
    var applied = old
    difference.apply(to: &applied) { new[$0] }
    #expect(applied == new)
  }

  private func longestIncreasing(_ numbers: [Int]) -> Int {
    (0..<1 << numbers.count).map { mask in
      let chosen = numbers.indices.filter { mask >> $0 & 1 == 1 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy(<) ? chosen.count : 0
    }.max() ?? 0
  }
}
