import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Compares search in doclists with FTS5 for the same expression and table.
@Suite struct DoclistDifferentialTests {
  private static let columnCount = 3

  /// Tiny pages and frequent writes create doclists that span leaves, many segments, and unfinished merges.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func hitsAndScoresAgreeWithFTS5(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex((0..<Self.columnCount).map { "f\($0)" })
    try index.command("pgsz", [32, 64, 200, 1000][Int(seed) % 4])
    var corpus = RandomCorpus(columnCount: Self.columnCount, rowLimit: 400)
    for round in 0..<6 {
      for _ in 0..<60 { try corpus.change(index, &random) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try index.command("merge", Int.random(in: 1...3, using: &random))
      case 1: try index.command("merge", -Int.random(in: 1...5, using: &random))
      case 2 where round == 4: try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
      default: break
      }
      for _ in 0..<40 {
        let match = corpus.scoredMatch(depth: 2, &random)
        try compare(index, match, corpus.weights(&random))
      }
    }
  }

  /// A word in most of 9,000 documents requires a windowed search, dozens of leaves and a doclist index.
  @Test func longDoclistsAgreeWithFTS5() throws {
    var random = SeededGenerator(seed: 11)
    let index = try TestIndex(["f0", "f1", "f2"])
    for start in stride(from: 1, to: 9000, by: 3000) {
      try index.write { writer in
        for rowID in start..<(start + 3000) {
          let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            ["a", "a", "a", "b", "b", "c", "d\(Int.random(in: 0..<50, using: &random))"].randomElement(using: &random)
              ?? ""
          }
          let json = "{\"f0\":\"\(words.prefix(2).joined(separator: " "))\",\"f1\":\"\(words.joined(separator: " "))\"}"
          try writer.insert(index.terms(json), rowID: Int64(rowID * 3))
        }
      }
    }
    let words = ["a", "b", "c", "d7"].map { CompiledMatch.phrase(CompiledPhrase(positions: [[$0]])) }
    for operands in [[words[0]], [words[3]], Array(words[0...1]), Array(words[1...3]), words] {
      for match in [CompiledMatch.all(operands), .any(operands), .not(.any(operands), words[2])] {
        try compare(index, match, [1, 1, 1], limit: 10)
        try compare(index, match, [3, 0.5, 1], limit: 25)
      }
    }
    try compare(index, .phrase(CompiledPhrase(positions: [["a"], ["b"]])), [1, 1, 1], limit: 10)
    try compare(index, .phrase(CompiledPhrase(positions: [["d"]], isPrefix: true)), [1, 1, 1], limit: 10)
  }

  private func compare(
    _ index: TestIndex, _ match: CompiledMatch, _ weights: [Double], limit: Int = 10_000
  ) throws {
    guard match != .nothing else { return }
    let query = FullTextQuery(compiled: match, in: index.index)
    var ranking = Ranking(weights: Dictionary(uniqueKeysWithValues: weights.enumerated().map { ("f\($0)", $1) }))
    ranking.formula = .fts5
    let resolved = try ResolvedRanking(ranking, for: index.index)
    let (ours, theirs, counts) = try index.queue.read { db in
      let search = try MatchSearch(match, in: index.index, db)
      let fallback = try FTS5FallbackSearch(query).all(db, resolved)
      let best = fallback.rows.indices.map { fallback.match($0) }.sorted { $0.isBetter(than: $1) }.prefix(limit)
      return (search.ranked(limit: limit, resolved), Array(best), (search.count(), fallback.count))
    }
    #expect(counts.0 == counts.1, "\(query.expression)")
    #expect(ours.count == theirs.count, "\(query.expression)")
    for (mine, other) in zip(ours, theirs) {
      #expect(abs(mine.score - other.score) <= 1e-9 * max(1, abs(other.score)), "\(query.expression)")
    }
    // If two scores differ only in their last digits, the order may differ.
    let distinct = Set(theirs.map { ($0.score * 1e9).rounded() }).count == theirs.count
    if distinct { #expect(ours.map(\.rowID) == theirs.map(\.rowID), "\(query.expression)") }
    if limit > theirs.count { #expect(Set(ours.map(\.rowID)) == Set(theirs.map(\.rowID)), "\(query.expression)") }
  }
}

/// Random documents and random expressions over them.
struct RandomCorpus {
  let columnCount: Int
  let rowLimit: Int64

  private static let words = ["a", "ab", "abc", "b", "ba", "c", "ca", "d", "e"]

  init(columnCount: Int, rowLimit: Int64) {
    self.columnCount = columnCount
    self.rowLimit = rowLimit
  }

  /// Inserts, replaces or removes a document.
  mutating func change(_ index: TestIndex, _ random: inout SeededGenerator) throws {
    let rowID = Int64.random(in: 1...rowLimit, using: &random)
    try index.remove(rowID)
    if Int.random(in: 0..<4, using: &random) == 0 { return }
    let members = (0..<columnCount).map { column in
      let words = (0..<Int.random(in: 0...(column == 0 ? 3 : 25), using: &random)).map { _ in word(&random) }
      return "\"f\(column)\":\"\(words.joined(separator: " "))\""
    }
    try index.insert(rowID, "{\(members.joined(separator: ","))}")
  }

  func weights(_ random: inout SeededGenerator) -> [Double] {
    (0..<columnCount).map { _ in [1, 1, 2, 0.5].randomElement(using: &random) ?? 1 }
  }

  /// Returns an expression for which FTS5's scores depend only on the document. For other expressions, FTS5 may score
  /// operands that do not match: operands of OR that contain NEAR, and those on the right side of NOT.
  func scoredMatch(depth: Int, _ random: inout SeededGenerator) -> CompiledMatch {
    func operands(_ depth: Int) -> [CompiledMatch] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in scoredMatch(depth: depth, &random) }
    }
    switch depth == 0 ? 0 : Int.random(in: 0...7, using: &random) {
    case 1, 2: return .all(operands(depth - 1))
    case 3, 4: return .any(operands(depth - 1))
    case 5: return .not(scoredMatch(depth: depth - 1, &random), .phrase(CompiledPhrase(positions: [[word(&random)]])))
    case 6: return .columns([Int.random(in: 0..<columnCount, using: &random)], scoredMatch(depth: depth - 1, &random))
    case 7 where depth == 2:
      var phrases = (0..<Int.random(in: 2...3, using: &random)).map { _ in phrase(&random) }
      // FTS5 does not allow ^ inside NEAR.
      for number in phrases.indices { phrases[number].isInitial = false }
      return .near(phrases, distance: Int.random(in: 0...5, using: &random))
    default: return .phrase(phrase(&random))
    }
  }

  private func phrase(_ random: inout SeededGenerator) -> CompiledPhrase {
    let positions = (0..<([1, 1, 1, 2, 3].randomElement(using: &random) ?? 1)).map { _ in
      Int.random(in: 0..<6, using: &random) == 0 ? ["a", "b"] : [word(&random)]
    }
    return CompiledPhrase(
      positions: positions, isPrefix: Int.random(in: 0..<5, using: &random) == 0,
      isInitial: Int.random(in: 0..<8, using: &random) == 0)
  }

  private func word(_ random: inout SeededGenerator) -> String { Self.words.randomElement(using: &random) ?? "" }
}
