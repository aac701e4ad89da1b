import Foundation
import GRDB
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares the vocabulary with FTS5's `fts5vocab` on the same table.
@Suite struct VocabularyTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func termsAgreeWithFTS5(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["text"])
    try index.command("pgsz", [32, 64, 200, 1000][Int(seed) % 4])
    for round in 0..<5 {
      for _ in 0..<50 {
        let row = Int64.random(in: 1...150, using: &random)
        try index.remove(row)
        if Bool.random(using: &random) { continue }
        let words = (0..<20).map { _ in
          "w\(Int.random(in: 0..<8, using: &random) * Int.random(in: 0..<60, using: &random))"
        }
        try index.insert(row, "{\"text\":\"\(words.joined(separator: " ")) often\"}")
      }
      if round % 2 == 1 { try index.command("merge", 2) }
      try compare(index)
    }
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    try compare(index)
  }

  @Test func frequenciesOfShortDoclistsAreExact() throws {
    let index = try TestIndex(["text"])
    for row in 1...60 as ClosedRange<Int64> {
      try index.insert(row, "{\"text\":\"even\(row % 2) third\(row % 3) r\(row)\"}")
    }
    try index.queue.read { db in
      let terms = try Vocabulary(index.index.table, db).terms
      let exact = try index.index.terms(order: .term, db)
      #expect(exact.map { UInt32($0.documentFrequency) } == terms.frequencies)
    }
  }

  /// Doclists of several leaves are not read; their frequencies are estimated.
  @Test func frequenciesOfLongDoclistsAreApproximate() throws {
    let index = try TestIndex(["text"])
    try index.write { writer in
      for row in 1...20_000 as ClosedRange<Int64> {
        let text = row % 3 == 0 ? "third often r\(row)" : "often r\(row)"
        try writer.insert(index.terms("{\"text\":\"\(text)\"}"), rowID: row)
      }
    }
    let terms = try index.queue.read { try Vocabulary(index.index.table, $0).terms }
    for (term, count) in [("often", 20_000.0), ("third", 6_666)] {
      let number = try #require(terms.number(of: Array(term.utf8)))
      let estimate = Double(terms.frequencies[number])
      #expect(estimate > count * 0.8 && estimate < count * 1.25, "\(term): \(estimate)")
    }
    #expect(terms.count == 20_002)
  }

  /// The first position lists of `aa` are much longer than the others, so its estimated frequency is much too low.
  @Test func mostFrequentTermsIncludeUnderestimatedOnes() throws {
    let index = try TestIndex(["text"])
    try index.command("pgsz", 1024)
    try index.write { writer in
      for row in 1...600 as ClosedRange<Int64> {
        let others = (0..<40).filter { Int(row) % 6 == $0 % 6 }.map { "other\($0)" }.joined(separator: " ")
        let repeated = String(repeating: "aa ", count: row <= 40 ? 28 : 1)
        try writer.insert(index.terms("{\"text\":\"\(repeated)\(others)\"}"), rowID: row)
      }
    }
    try index.queue.read { db in
      let terms = try Vocabulary(index.index.table, db).terms
      let number = try #require(terms.number(of: Array("aa".utf8)))
      #expect(terms.frequencies[number] < 150 && terms.maximums[number] >= 600)
      let found = try index.index.terms(limit: 3, db).map { "\($0.text) \($0.documentFrequency)" }
      #expect(found == ["aa 600", "other0 100", "other1 100"])
    }
  }

  @Test(arguments: [32, 64, 200, 512, 4050] as [Int]) func mostFrequentTermsAgreeWithDocuments(pageSize: Int) throws {
    var random = SeededGenerator(seed: UInt64(pageSize))
    let index = try TestIndex(["text"])
    try index.command("pgsz", pageSize)
    for _ in 0..<4 {
      try index.write { writer in
        for row in (1...300 as ClosedRange<Int64>).shuffled(using: &random).prefix(150) {
          if let json = index.documents.removeValue(forKey: row) { try writer.remove(index.terms(json), rowID: row) }
          if Int.random(in: 0..<6, using: &random) == 0 { continue }
          var words = (0..<8).map { _ in "r\(Int.random(in: 0..<400, using: &random))" }
          for number in 0..<12 where Int.random(in: 0..<12, using: &random) <= number {
            words += Array(repeating: "c\(number)", count: row < 40 ? 60 : 1)
          }
          let json = "{\"text\":\"\(words.joined(separator: " "))\"}"
          try writer.insert(index.terms(json), rowID: row)
          index.documents[row] = json
        }
      }
      try compareMostFrequent(index)
    }
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    try compareMostFrequent(index)
  }

  /// Compares the most frequent terms with those counted in the documents.
  private func compareMostFrequent(_ index: TestIndex) throws {
    var counts: [String: Int] = [:]
    for json in index.documents.values {
      for word in Set(json.split { !$0.isLetter && !$0.isNumber }.map(String.init)).subtracting(["text"]) {
        counts[word, default: 0] += 1
      }
    }
    let ranked = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    try index.queue.read { db in
      let reader = index.index.reader(db)
      for prefix in ["", "c", "c1", "r", "r1", "zz"] {
        let expected = ranked.filter { $0.key.hasPrefix(prefix) }.map { "\($0.key) \($0.value)" }
        for limit in [0, 1, 2, 3, 5, 12, 30, 200, 1000] {
          for manyTerms in [0, 1000] {
            let terms = try reader.terms(
              beginningWith: prefix, order: .frequency, limit: limit, scanningFrom: manyTerms)
            let found = terms.map { "\($0.text) \($0.documentFrequency)" }
            #expect(found == Array(expected.prefix(limit)), "prefix \(prefix), limit \(limit)")
          }
        }
      }
    }
  }

  @Test func oversizedVocabularyKeepsCommonTerms() throws {
    let index = try TestIndex(["text"])
    for row in 1...40 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"often rare\(row)\"}") }
    let terms = try index.queue.read { try Vocabulary(index.index.table, $0, sizeLimit: 100).terms }
    #expect((0..<terms.count).map { terms.text($0) } == ["often"])
  }

  @Test func vocabularyIsReadAgainAfterChanges() throws {
    let index = try TestIndex(["text"])
    func words() throws -> [String] { try index.queue.read { try index.index.terms(order: .term, $0).map(\.text) } }
    #expect(try words() == [])
    try index.insert(1, #"{"text":"one"}"#)
    #expect(try words() == ["one"])
    try index.insert(2, #"{"text":"two"}"#)
    try index.remove(1)
    #expect(try words() == ["two"])
  }

  /// FTS5 reuses the numbers of segments, and a new segment may have the same number of leaves as the old one.
  @Test func reusedSegmentNumberIsDetected() throws {
    let index = try TestIndex(["text"])
    try index.command("pgsz", 64)
    try index.write { writer in
      for row in 101...300 as ClosedRange<Int64> {
        try writer.insert(index.terms("{\"text\":\"w\(row)\"}"), rowID: row)
      }
    }
    func words() throws -> Set<String> { try index.queue.read { try Set(index.index.terms($0).map(\.text)) } }
    var segments: [[SegmentStructure.Segment]] = []
    for row in [120, 200, 250, 260, 270] as [Int64] {
      #expect(try words().contains("w\(row)"))
      try index.write { writer in
        try writer.remove(index.terms("{\"text\":\"w\(row)\"}"), rowID: row)
        try writer.insert(index.terms("{\"text\":\"x\(row)\"}"), rowID: row)
      }
      try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
      #expect(try words().isSuperset(of: ["x\(row)"]) && !words().contains("w\(row)"))
      segments.append(try index.queue.read { try index.index.cache.state(of: index.index, $0).segments })
    }
    #expect(segments.allSatisfy { $0.count == 1 } && Set(segments.joined()).count < segments.count)
  }

  @Test func unknownFormatThrows() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one"}"#)
    try index.queue.write { try $0.execute(sql: "INSERT INTO concordance_ft_1_config VALUES ('secure-delete', 1)") }
    let reread = try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }[0]
    let error = #expect(throws: TextIndexError.self) { _ = try index.queue.read { try reread.terms($0) } }
    #expect(error?.kind == .unsupported)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func mergedListsContainTermsOfBoth(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let lists = [Int.random(in: 0...200, using: &random), Int.random(in: 0...20, using: &random)].shuffled(
        using: &random
      ).map { count in
        Set((0..<count).map { _ in String(Int.random(in: 0..<3000, using: &random), radix: 3) })
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let merged = TermList.merging(TermList(lists[0], frequency: 2), TermList(lists[1], frequency: .max - 2))
      let all = Set(lists[0] + lists[1]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect((0..<merged.count).map { merged.text($0) } == all)
      #expect(merged.shared == TermList(all).shared)
      let expected = all.map { word in
        lists[1].contains(word) ? lists[0].contains(word) ? UInt32.max : .max - 2 : 2
      }
      #expect(merged.frequencies == expected)
    }
  }

  @Test func damagedSegmentsThrow() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one two three"}"#)
    try index.queue.write {
      try $0.execute(sql: "UPDATE \(index.index.tableName)_data SET block = x'0000' WHERE id > 10")
    }
    let error = #expect(throws: TextIndexError.self) { try index.queue.read { _ = try index.index.terms($0) } }
    #expect(error?.kind == .damaged)
  }

  @Test(arguments: [
    ("see barier.", true), ("barier...", true), ("(barier)", true), ("barier/next", false), ("barier:::next", false),
    ("x../barier", false), ("x-barier-y", true), (".barier", false), ("barier:::-next", true), ("9.barier", false),
    ("barier&=", true), ("é/:barier", false), ("barier@@9", false),
  ])
  func namesAreNotCorrected(text: String, isWord: Bool) throws {
    let bytes = Array(text.utf8)
    let start = try #require(text.range(of: "barier")?.lowerBound.utf16Offset(in: text))
    let offset = text.prefix(start).utf8.count
    #expect(CorrectableText.isWord(at: offset..<(offset + 6), in: bytes, within: 0..<bytes.count) == isWord)
  }

  @Test func wordsAfterDoubledQuotesAreCorrected() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"barrier"}"#)
    let text = #""a ""quoted"" phrase" AND barier"#
    let corrections = try index.queue.read { try index.index.corrections(of: MatchParser().parse(text), in: text, $0) }
    #expect(corrections.map { "\($0.typed) \($0.word)" } == ["barier barrier"])
  }

  @Test func atMost64WordsAreCorrected() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"barrier"}"#)
    func corrected(_ text: String) throws -> Int {
      let query = try #require(SearchBoxParser().parse(text).query)
      return try index.queue.read { try index.index.corrections(of: query, in: text, $0) }.count
    }
    #expect(try corrected(String(repeating: "barier-", count: 500)) == 64)
    #expect(try corrected(String(repeating: "barier ", count: 10)) == 10)
    #expect(try corrected(String(repeating: "barier/", count: 500)) == 0)
  }

  @Test(arguments: [false, true]) func completionsAreCountedInContext(onlyFTS5: Bool) throws {
    let index = try TestIndex(["title", "text"])
    for row in 1...40 as ClosedRange<Int64> {
      try index.insert(row, "{\"title\":\"even\(row % 2) ever\",\"text\":\"third\(row % 3) even\(row % 5)\"}")
    }
    if onlyFTS5 { try index.queue.write { try $0.execute(sql: "DROP TABLE concordance_fl_1") } }
    func found(_ text: String, fields: [String]? = nil) throws -> [String] {
      try index.queue.read { try index.index.completions(of: text, fields: fields, limit: 5, $0) }
        .map { "\($0.word) \($0.documentCount)" }
    }
    func expected(_ words: (Int) -> Set<String>, among isIncluded: (Int) -> Bool) -> [String] {
      var counts: [String: Int] = [:]
      for row in 1...40 where isIncluded(row) { for word in words(row) { counts[word, default: 0] += 1 } }
      return counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(5).map { "\($0.key) \($0.value)" }
    }
    func title(_ row: Int) -> Set<String> { ["even\(row % 2)", "ever"] }
    func all(_ row: Int) -> Set<String> { title(row).union(["even\(row % 5)"]) }
    #expect(try found("third1 ev") == expected(all) { $0 % 3 == 1 })
    #expect(try found("third1 -even0 ev") == expected(all) { $0 % 3 == 1 && $0 % 2 != 0 && $0 % 5 != 0 })
    #expect(try found("ever ev", fields: ["title"]) == expected(title) { _ in true })
    #expect(try found("none ev") == expected(all) { _ in true })
  }

  @Test func completedPhrasesAreAdjacentWords() throws {
    let index = try TestIndex(["text"])
    let texts = [
      "boundary layer flow", "boundary layers", "layer at the boundary", "a boundary line", "boundary layer",
    ]
    for (row, text) in texts.enumerated() { try index.insert(Int64(row), "{\"text\":\"\(text)\"}") }
    func found(_ text: String) throws -> [String] {
      try index.queue.read { try index.index.completions(of: text, limit: 5, $0) }.map {
        "\($0.text) \($0.documentCount)"
      }
    }
    #expect(try found("boundary l") == ["boundary layer 3", "boundary layers 1", "boundary line 1"])
    #expect(try found("\"boundary l") == ["\"boundary layer 2", "\"boundary layers 1", "\"boundary line 1"])
    #expect(try found("\"layer bou") == [])
    #expect(try found("flow \"boundary la") == ["flow \"boundary layer 1"])
    #expect(try found("\"boundary lauer") == ["\"boundary layer 2", "\"boundary layers 1"])
    #expect(try found("\"bou") == ["\"boundary 5"])
  }

  /// A quotation mark would end the phrase.
  @Test func completedHebrewAcronymsContainGershayim() throws {
    let index = try TestIndex(["text"])
    let start = "\u{5E6}\u{5D4}"
    try index.insert(1, "{\"text\":\"\(start)\\\"\u{5DC}\"}")
    for text in [start, "\"" + start] {
      let found = try index.queue.read { try index.index.completions(of: text, limit: 5, $0) }
      #expect(found.map(\.text) == [text + "\u{5F4}\u{5DC}"])
      #expect(found.map(\.word) == [start + "\"\u{5DC}"])
      #expect(found.map(\.documentCount) == [1])
    }
  }

  @Test func emojiSequencesAreCompleted() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"a 👨‍👩‍👧 b"}"#)
    let found = try index.queue.read { try index.index.completions(of: "👨", limit: 5, $0) }.map(\.text)
    #expect(found == ["👨‍👩‍👧"])
    #expect(try index.search("\"👨‍👩‍👧\"") == [1])
  }

  @Test func stemsAreNotSuggested() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: "en"))
    try index.insert(1, #"{"text":"devices and a device, hoping that some hope runs"}"#)
    try index.insert(2, #"{"text":"running runs"}"#)
    func words(_ beginning: String) throws -> [String] {
      try index.queue.read { try index.index.completions(of: beginning, limit: 10, $0).map(\.word) }
    }
    // The stems are devic, hope and run; hope is also a word.
    #expect(try words("dev") == ["device", "devices"])
    #expect(try words("hop") == ["hope", "hoping"])
    #expect(try words("ru") == ["runs", "running"])
    #expect(try index.queue.read { try index.index.terms(beginningWith: "devic", $0).map(\.text) }.contains("devic"))
  }

  /// A count is uncertain if a younger segment may delete or replace rows of the term; appended rows do not matter.
  @Test func scanReportsUncertainCounts() throws {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"often often r\(row % 5) odd\"}") }
    try index.remove(3)
    try index.insert(3, #"{"text":"odd"}"#)
    try index.queue.read { db in
      let terms = try Vocabulary(index.index.table, db).terms
      let reader = try PostingsReader(index.index, db)
      let all = 0..<terms.count
      let entries = try reader.scan(prefix: "", terms, all)
      let certain = Set(all.filter { entries[$0].isCertain }.map { terms.text($0) })
      #expect(certain == ["r0", "r1", "r2", "r4"])
      let some = terms.numbers(beginningWith: Array("r".utf8))
      let counted = try reader.scan(prefix: "r", terms, some)
      #expect(
        counted.map(\.documents) == [4, 4, 4, 5, 4] && counted.map(\.isCertain) == [true, true, true, false, true])
    }
  }

  @Test func prefixesAreFolded() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"Mémoire memory MEMO other 10"}"#)
    for beginning in ["mem", "MEM", "Mém", "mem*", "MÉM**"] {
      let found = try index.queue.read { try index.index.terms(beginningWith: beginning, order: .term, $0).map(\.text) }
      #expect(found == ["memo", "memoire", "memory"], "\(beginning)")
    }
    #expect(try index.queue.read { try index.index.terms(beginningWith: "*", $0).count } == 5)
    #expect(try index.queue.read { try index.index.terms(beginningWith: "mem ory", $0) } == [])
  }

  private func compare(_ index: TestIndex) throws {
    try index.queue.write { db in
      try db.execute(sql: "DROP TABLE IF EXISTS temp.v")
      try db.execute(
        sql: "CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, \(index.index.tableName), row)")
    }
    try index.queue.read { db in
      let expected = try Row.fetchAll(db, sql: "SELECT term, doc, cnt FROM temp.v").map {
        IndexTerm(
          text: $0.value("term", or: ""), documentFrequency: $0.value("doc", or: 0), occurrences: $0.value("cnt", or: 0)
        )
      }
      #expect(try index.index.terms(order: .term, db) == expected)
      #expect(try index.index.reader(db).terms(order: .term, scanningFrom: 0) == expected)
      let terms = try Vocabulary(index.index.table, db).terms
      // The vocabulary may also contain terms whose last document was deleted.
      #expect(Set(expected.map(\.text)).isSubset(of: (0..<terms.count).map { terms.text($0) }))
    }
  }
}
