import GRDB
import SQLiteAccess
import Testing

@testable import TextIndex

/// Compares lookups that read only candidate leaves with the whole vocabulary.
@Suite struct TermDictionaryTests {
  @Test(arguments: [32, 64, 200, 1000] as [Int]) func partialReadsAgreeWithVocabulary(pageSize: Int) throws {
    var random = SeededGenerator(seed: UInt64(pageSize))
    let index = try Self.index(pageSize: pageSize, &random)
    try index.queue.read { db in
      let whole = try Vocabulary(index.index.table, db).terms
      let parts = try TermDictionary(index.index, db, fewLeaves: 0)
      for _ in 0..<80 {
        let word = Self.word(&random)
        let prefix = Array(word.utf8.prefix(Int.random(in: 0...4, using: &random)))
        let list = try parts.terms(beginningWith: prefix)
        #expect(
          Self.texts(list, [list.numbers(beginningWith: prefix)])
            == Self.texts(whole, [whole.numbers(beginningWith: prefix)]))
        let letters = Array(word.unicodeScalars)
        let automaton = try #require(LevenshteinAutomaton(letters, edits: Int.random(in: 0...2, using: &random)))
        for firstLetter in [TypoSearch.FirstLetter.any, .keptByTwoEdits, .kept] {
          let search = try #require(
            TypoSearch(
              letters, edits: automaton.edits, minimumLengthWithTwoEdits: Int.random(in: 0...6, using: &random),
              firstLetter: firstLetter))
          func accepted(_ list: TermList) -> [String] { list.matches(search).map { list.text($0.number) } }
          let list = try parts.terms(acceptedBy: search)
          #expect(accepted(list) == accepted(whole) && list.count == accepted(list).count)
        }
        let near = try parts.terms(near: automaton)
        let neighbors = near.neighbors(automaton).map { "\(near.text($0.number)) \($0.edits)" }
        #expect(neighbors == whole.neighbors(automaton).map { "\(whole.text($0.number)) \($0.edits)" })
        #expect(
          Self.texts(near, near.numbers(withPrefixAcceptedBy: automaton))
            == Self.texts(whole, whole.numbers(withPrefixAcceptedBy: automaton)))
      }
    }
  }

  @Test func frequenciesOfPartialReadsAgreeWithVocabulary() throws {
    var random = SeededGenerator(seed: 1)
    let index = try Self.index(pageSize: 64, &random)
    try index.queue.read { db in
      let parts = try TermDictionary(index.index, db, fewLeaves: 0).terms(beginningWith: [])
      let whole = try Vocabulary(index.index.table, db).terms
      #expect(parts.frequencies == whole.frequencies)
    }
  }

  @Test func vocabularyIsReadCompletelyAfterManyPartialReads() throws {
    let cache = VocabularyCache()
    for _ in 0..<64 {
      #expect(cache.prefersPartialRead)
      cache.countPartialRead()
    }
    #expect(!cache.prefersPartialRead)
    let other = VocabularyCache()
    let index = try TestIndex(["text"])
    _ = try index.queue.read { db in try other.vocabulary { try Vocabulary(index.index.table, db) } }
    #expect(!other.prefersPartialRead)
  }

  @Test func damagedLeavesThrow() throws {
    var random = SeededGenerator(seed: 1)
    let index = try Self.index(pageSize: 64, &random)
    try index.queue.write {
      try $0.execute(sql: "UPDATE concordance_ft_1_data SET block = x'0000' WHERE id > 1000")
    }
    let error = #expect(throws: TextIndexError.self) {
      try index.queue.read { _ = try TermDictionary(index.index, $0, fewLeaves: 0).terms(beginningWith: [0x61]) }
    }
    #expect(error?.kind == .damaged)
  }

  private static let letters = ["a", "b", "c", "ä", "ж", "𝔸", "7", "_"]

  static func word(_ random: inout SeededGenerator) -> String {
    (0...Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
  }

  static func index(pageSize: Int, _ random: inout SeededGenerator) throws -> TestIndex {
    let index = try TestIndex(["text"])
    try index.command("pgsz", pageSize)
    for round in 0..<4 {
      try index.write { writer in
        for row in 0..<60 {
          let words = (0..<8).map { _ in word(&random) }.joined(separator: " ")
          try writer.insert(index.terms("{\"text\":\"\(words) often\"}"), rowID: Int64(round * 100 + row))
        }
      }
    }
    return index
  }

  private static func texts(_ list: TermList, _ ranges: [Range<Int>]) -> [String] { ranges.joined().map(list.text) }
}
