import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares the results of random queries with those of an evaluation that examines every word of each document.
@Suite struct MatchOracleTests {
  private static let fields = ["title", "text"]

  /// The stems of the words of each field that has a language.
  private static let stems = [["runs": "run", "running": "run", "boats": "boat"], [:]]
  private static let inflected = ["run", "runs", "running", "boat", "boats", "b"]

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func searchAgreesWithNaiveEvaluation(seed: UInt64) throws {
    try compare(try TestIndex(Self.fields), seed: seed)
  }

  /// One field has stems, the other has none. FTS5 finds the same documents with the generated expression.
  @Test(arguments: [5, 6, 7, 8] as [UInt64]) func fieldAnalyzersAgreeWithNaiveEvaluation(seed: UInt64) throws {
    let index = try TestIndex(Self.fields, fieldAnalyzers: ["title": AnalyzerConfiguration(language: "en")])
    try MatchOracleTests(words: Self.inflected, stems: Self.stems).compare(index, seed: seed)
  }

  private let words: [String]
  private let stems: [[String: String]]

  init() { self.init(words: ["ab", "abc", "b", "ba", "c", "cab", "d", "da", "e"], stems: [[:], [:]]) }

  private init(words: [String], stems: [[String: String]]) { (self.words, self.stems) = (words, stems) }

  private func compare(_ index: TestIndex, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var documents: [Int64: [[String]]] = [:]
    for rowID in 1...60 as ClosedRange<Int64> {
      let columns = (0..<2).map { column in
        (0..<Int.random(in: 0...(column == 0 ? 4 : 14), using: &random)).map { _ in
          words.randomElement(using: &random) ?? ""
        }
      }
      documents[rowID] = columns
      try index.insert(rowID, json(columns))
    }
    for _ in 0..<250 {
      let query = randomQuery(depth: 3, &random)
      let expected = documents.filter { evaluate(query, $0.value, [0, 1]) }.keys.sorted()
      #expect(try index.search(query).sorted() == expected, "\(query)")
      #expect(try index.fts5FallbackSearch(query) == expected, "\(query)")
    }
  }

  private func json(_ columns: [[String]]) -> String {
    "{\"title\":\"\(columns[0].joined(separator: " "))\",\"text\":\"\(columns[1].joined(separator: " - "))\"}"
  }

  private func randomQuery(depth: Int, _ random: inout SeededGenerator) -> MatchQuery {
    func operands() -> [MatchQuery] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in randomQuery(depth: depth - 1, &random) }
    }
    switch depth == 0 ? 0 : Int.random(in: 0...7, using: &random) {
    case 1: return .words((0..<2).map { _ in randomPhrase(&random) })
    case 2: return .and(operands())
    case 3: return .or(operands())
    case 4:
      return .not(randomQuery(depth: depth - 1, &random), randomQuery(depth: depth - 1, &random))
    case 5:
      return .near(
        (0..<Int.random(in: 2...3, using: &random)).map { _ in
          .quoted(randomWords(Int.random(in: 1...2, using: &random), &random))
        }, distance: Int.random(in: 0...4, using: &random))
    case 6:
      let name = FieldName(Self.fields.randomElement(using: &random) ?? "")
      return .fields(
        Bool.random(using: &random) ? .include([name]) : .exclude([name]), randomQuery(depth: depth - 1, &random))
    default: return .phrase(randomPhrase(&random))
    }
  }

  private func randomPhrase(_ random: inout SeededGenerator) -> MatchPhrase {
    let isPrefix = Int.random(in: 0..<4, using: &random) == 0
    var phrase: MatchPhrase =
      Bool.random(using: &random)
      ? .word(randomWords(1, &random), isPrefix: isPrefix)
      : .quoted(randomWords(Int.random(in: 1...3, using: &random), &random), isPrefix: isPrefix)
    phrase.isInitial = Int.random(in: 0..<6, using: &random) == 0
    return phrase
  }

  private func randomWords(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  private func evaluate(_ query: MatchQuery, _ document: [[String]], _ columns: Set<Int>) -> Bool {
    switch query {
    case .nothing: false
    case .phrase(let phrase): columns.contains { !occurrences(of: phrase, in: document, $0).isEmpty }
    case .words(let phrases): phrases.allSatisfy { evaluate(.phrase($0), document, columns) }
    case .and(let operands): operands.allSatisfy { evaluate($0, document, columns) }
    case .or(let operands): operands.contains { evaluate($0, document, columns) }
    case .not(let one, let other): evaluate(one, document, columns) && !evaluate(other, document, columns)
    case .near(let phrases, let distance):
      columns.contains { column in
        isNear(phrases.map { occurrences(of: $0, in: document, column) }[...], distance, [])
      }
    case .fields(let filter, let operand):
      evaluate(
        operand, document,
        columns.filter { column in
          filter.names.contains { $0.name == Self.fields[column] } != filter.isExcluding
        })
    }
  }

  private func occurrences(of phrase: MatchPhrase, in document: [[String]], _ column: Int) -> [Range<Int>] {
    let words = document[column]
    let stems = stems[column]
    let wanted = phrase.parts.flatMap { $0.text.split(separator: " ").map(String.init) }
    return (0...words.count).compactMap { start in
      guard start + wanted.count <= words.count, !phrase.isInitial || start == 0 else { return nil }
      let matches = wanted.indices.allSatisfy { offset in
        let terms = [words[start + offset], stems[words[start + offset]]].compactMap { $0 }
        return phrase.isPrefix && offset == wanted.count - 1
          ? terms.contains { $0.hasPrefix(wanted[offset]) }
          : terms.contains(stems[wanted[offset]] ?? wanted[offset])
      }
      return matches ? start..<(start + wanted.count) : nil
    }
  }

  /// Returns whether one occurrence of each phrase can be chosen so that at most `distance` words are between the first
  /// end and the last start.
  private func isNear(_ rest: ArraySlice<[Range<Int>]>, _ distance: Int, _ chosen: [Range<Int>]) -> Bool {
    guard let occurrences = rest.first else {
      guard let end = chosen.map(\.upperBound).min(), let start = chosen.map(\.lowerBound).max() else { return false }
      return start - end <= distance
    }
    return occurrences.contains { isNear(rest.dropFirst(), distance, chosen + [$0]) }
  }
}
