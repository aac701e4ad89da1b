import Testing

@testable import TextIndex

/// Searches in word lists that are large enough for helper threads.
@Suite struct WordListSearchTests {
  private struct StoredList {
    let list: WordList
    let words: [[UInt8]]
    var blocks: [[UInt8]]
  }

  private enum ReadError: Error { case failed }

  @Test(arguments: [1, 2, 3] as [UInt64]) func wordsAreThoseOfAScan(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lists = try (1...4).map { try Self.makeList(Int64($0), wordCount: $0 * 12_000, &random) }
    #expect(lists.reduce(0) { $0 + $1.blocks.count } > 64)
    for _ in 0..<10 {
      let typed = Self.word(&random)
      let search = try #require(Self.search(typed))
      let found = WordListSearch.words(of: lists.map(\.list), acceptedBy: search, Self.reading(lists))
      #expect(found.map { $0.map(Self.words) } == lists.map { Self.scan($0.words, search) }, "\(typed)")
    }
  }

  @Test func aDamagedListIsMissing() throws {
    var random = SeededGenerator(seed: 4)
    var lists = try (1...3).map { try Self.makeList(Int64($0), wordCount: 40_000, &random) }
    // The first word cannot share bytes with its predecessor.
    lists[1].blocks[lists[1].blocks.count / 2][2] = 200
    let search = try #require(Self.search("misspelt"))
    let found = WordListSearch.words(of: lists.map(\.list), acceptedBy: search, Self.reading(lists))
    #expect(found.map { $0 == nil } == [false, true, false])
  }

  @Test func missingAndUnreadableListsAreMissing() throws {
    var random = SeededGenerator(seed: 5)
    let lists = try (1...3).map { try Self.makeList(Int64($0), wordCount: 40_000, &random) }
    let search = try #require(Self.search("misspelt"))
    let read = Self.reading(lists)
    let found = WordListSearch.words(of: [lists[0].list, nil, lists[2].list], acceptedBy: search) { list in
      list === lists[2].list ? nil : read(list)
    }
    #expect(found.map { $0 == nil } == [false, true, true])
  }

  @Test func anErrorOfReadingEndsTheSearch() throws {
    var random = SeededGenerator(seed: 6)
    let lists = try (1...3).map { try Self.makeList(Int64($0), wordCount: 40_000, &random) }
    let search = try #require(Self.search("misspelt"))
    let read = Self.reading(lists)
    #expect(throws: ReadError.self) {
      try WordListSearch.words(of: lists.map(\.list), acceptedBy: search) { list in
        if list === lists[1].list { throw ReadError.failed }
        return read(list)
      }
    }
  }

  private static func search(_ word: String) -> TypoSearch? {
    TypoSearch(
      Array(word.unicodeScalars), edits: 2, minimumLengthWithTwoEdits: 9, firstLetter: .keptByTwoEdits,
      includesNames: false)
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    let letters = (0..<Int.random(in: 3...10, using: &random)).map { _ in "abcdeé".randomElement(using: &random) ?? "a"
    }
    return String(letters)
  }

  private static func makeList(_ id: Int64, wordCount: Int, _ random: inout SeededGenerator) throws -> StoredList {
    let words = Set((0..<wordCount).map { _ in Array(word(&random).utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    let segment = SegmentStructure.Segment(id: id, firstLeaf: 1, lastLeaf: 100)
    var blocks: [[UInt8]] = []
    var encoder = WordListEncoder(segment) { id, block in
      let content = block.withUnsafeBufferPointer { WordListFormat.content($0, id: id).map { Array($0) } }
      if id > WordListFormat.id(0, in: segment) { blocks.append(try #require(content)) }
    }
    for (number, word) in words.enumerated() {
      try word.withUnsafeBufferPointer { try encoder.append($0, frequency: UInt32(number + 1)) }
    }
    try encoder.finish(firstLeafChecksum: 0)
    return StoredList(list: WordList(segment, blockCount: blocks.count), words: words, blocks: blocks)
  }

  private static func reading(_ lists: [StoredList]) -> (WordList) -> WordList.Blocks? {
    let memory = WordMemory(blockCount: lists.reduce(0) { $0 + $1.blocks.count })
    return { list in
      guard let stored = lists.first(where: { $0.list === list }) else { return nil }
      let ranges = stored.blocks.compactMap { block in block.withUnsafeBufferPointer { memory.append($0) } }
      return WordList.Blocks(memory: memory, ranges: ranges)
    }
  }

  private static func words(_ list: TermList) -> [String] {
    (0..<list.count).map { "\(list.text($0)) \(list.frequencies[$0])" }
  }

  private static func scan(_ words: [[UInt8]], _ search: TypoSearch) -> [String] {
    words.enumerated().filter { _, word in
      var traversal = TypoTraversal(search)
      var rejectedLength = 0
      return word.withUnsafeBufferPointer {
        traversal.accepts($0, sharedLength: 0, rejectedLength: &rejectedLength)
      }
    }.map { "\(String(decoding: $1, as: UTF8.self)) \($0 + 1)" }
  }
}
