import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// The vocabulary, compared with what FTS5's own `fts5vocab` says of the same table.
@Suite struct VocabularyTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func termsAreThoseOfFTS5(seed: UInt64) throws {
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
      let terms = try index.index.vocabulary(db).terms
      let exact = try index.index.terms(order: .term, db)
      #expect(exact.map { UInt32($0.documentFrequency) } == terms.frequencies)
    }
  }

  /// Doclists of several leaves are not read; what they hold is estimated.
  @Test func frequenciesOfLongDoclistsAreNearlyRight() throws {
    let index = try TestIndex(["text"])
    try index.write { writer in
      for row in 1...20_000 as ClosedRange<Int64> {
        let text = row % 3 == 0 ? "third often r\(row)" : "often r\(row)"
        try writer.insert(index.terms("{\"text\":\"\(text)\"}"), rowID: row)
      }
    }
    let terms = try index.queue.read { try index.index.vocabulary($0).terms }
    for (term, count) in [("often", 20_000.0), ("third", 6_666)] {
      let number = try #require(terms.number(of: Array(term.utf8)))
      let estimate = Double(terms.frequencies[number])
      #expect(estimate > count * 0.8 && estimate < count * 1.25, "\(term): \(estimate)")
    }
    #expect(terms.count == 20_002)
  }

  @Test func aVocabularyThatIsTooLargeKeepsTheCommonTerms() throws {
    let index = try TestIndex(["text"])
    for row in 1...40 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"often rare\(row)\"}") }
    let terms = try index.queue.read { try Vocabulary(index.index.table, $0, sizeLimit: 100).terms }
    #expect((0..<terms.count).map { terms.text($0) } == ["often"])
  }

  @Test func itIsReadAgainWhenTheIndexHasChanged() throws {
    let index = try TestIndex(["text"])
    func words() throws -> [String] { try index.queue.read { try index.index.terms(order: .term, $0).map(\.text) } }
    #expect(try words() == [])
    try index.insert(1, #"{"text":"one"}"#)
    #expect(try words() == ["one"])
    try index.insert(2, #"{"text":"two"}"#)
    try index.remove(1)
    #expect(try words() == ["two"])
  }

  @Test func damagedSegmentsAreAnError() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"one two three"}"#)
    try index.queue.write {
      try $0.execute(sql: "UPDATE \(index.index.tableName)_data SET block = x'0000' WHERE id > 10")
    }
    let error = #expect(throws: TextIndexError.self) { try index.queue.read { _ = try index.index.terms($0) } }
    #expect(error?.kind == .damaged)
  }

  @Test func stemsAreNoWords() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: "en"))
    try index.insert(1, #"{"text":"devices and a device, hoping that some hope runs"}"#)
    try index.insert(2, #"{"text":"running runs"}"#)
    func words(_ beginning: String) throws -> [String] {
      try index.queue.read { try index.index.completions(of: beginning, limit: 10, $0).map(\.word) }
    }
    // The stems are devic, hope and run; hope is a word, too.
    #expect(try words("dev") == ["device", "devices"])
    #expect(try words("hop") == ["hope", "hoping"])
    #expect(try words("ru") == ["runs", "running"])
    #expect(try index.queue.read { try index.index.terms(beginningWith: "devic", $0).map(\.text) }.contains("devic"))
  }

  /// Rows that younger segments delete or have again make it uncertain; rows that follow do not.
  @Test func aTallyKnowsWhatItDoesNotKnow() throws {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"often often r\(row % 5) odd\"}") }
    try index.remove(3)
    try index.insert(3, #"{"text":"odd"}"#)
    try index.queue.read { db in
      let terms = try index.index.vocabulary(db).terms
      let reader = try PostingsReader(index.index, db)
      let all = 0..<terms.count
      let entries = try reader.tally(prefix: "", terms, all)
      let certain = Set(all.filter { entries[$0].isCertain }.map { terms.text($0) })
      #expect(certain == ["r0", "r1", "r2", "r4"])
      let some = terms.numbers(beginningWith: Array("r".utf8))
      let counted = try reader.tally(prefix: "r", terms, some)
      #expect(
        counted.map(\.documents) == [4, 4, 4, 5, 4] && counted.map(\.isCertain) == [true, true, true, false, true])
    }
  }

  @Test func beginningsAreFolded() throws {
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
      #expect(try index.index.terms(order: .term, tallyingFrom: 0, db) == expected)
      let terms = try index.index.vocabulary(db).terms
      // Terms whose last document is gone may be among them.
      #expect(Set(expected.map(\.text)).isSubset(of: (0..<terms.count).map { terms.text($0) }))
    }
  }
}
