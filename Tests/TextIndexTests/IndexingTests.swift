import GRDB
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct IndexingTests {
  @Test func nestedArraysAndObjectsAreFlattened() throws {
    let index = try TestIndex(["a", "b.c"])
    try index.insert(1, #"{"a":["one",{"x":"two","y":[3,4.5,true]}],"b":{"c":"five","d":"six"},"e":"seven"}"#)
    for word in ["one", "two", "3", "4.5", "T", "five"] { #expect(try index.search(word) == [1], "\(word)") }
    for word in ["six", "seven", "x", "null"] { #expect(try index.search(word) == [], "\(word)") }
  }

  /// A tatweel folds to nothing, so the first part of the identifier has no term.
  @Test func identifierWithAPartThatFoldsToNothingHasAPosition() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(code: true))
    let json = "{\"text\":[\"\u{640}_foo bar\",\"\u{640}_foo\"]}"
    try index.insert(1, json)
    #expect(try index.problem() == nil)
    for query in ["NEAR(\u{640}_foo bar)", "\"\u{640}_foo bar\"", "foo"] {
      #expect(try index.search(query) == [1], "\(query)")
    }
    let matches = try index.highlight("NEAR(\u{640}_foo bar, 1)", json).matches
    #expect(matches.map { "\($0.path) \($0.range)" } == ["text[0] 0..<6", "text[0] 7..<10", "text[1] 0..<6"])
  }

  /// The last ideograph of a run and the parts of an identifier have positions of their own.
  @Test func joinedPartsAreThePhraseOfTheirWords() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(code: true))
    try index.insert(1, #"{"text":"日本 語学"}"#)
    try index.insert(2, #"{"text":"spin_lock bars"}"#)
    let queries: [(String, String, [Int64])] = [
      ("日本 + 語", "\"日本 語\"", [1]), ("日本 + 語学", "\"日本 語学\"", [1]), ("日 + 本", "\"日 本\"", []),
      ("spin_lock + bars", "\"spin_lock bars\"", [2]), ("spin_lock + ba*", "\"spin_lock ba\" *", [2]),
      ("spin_lock + ba", "\"spin_lock ba\"", []),
    ]
    for (joined, phrase, expected) in queries {
      #expect(try index.search(joined) == expected, "\(joined)")
      #expect(try index.search(phrase) == expected, "\(phrase)")
    }
  }

  @Test func bracketsSelectPropertiesOfArrayElements() throws {
    let index = try TestIndex(["reviews[].content"])
    try index.insert(1, #"{"reviews":[{"author":"ann","content":"fine"},{"author":"bob","content":"loud"}]}"#)
    #expect(try index.search("loud") == [1])
    #expect(try index.search("bob") == [])
  }

  @Test func everyOtherStringExcludesNamedFieldsAndNonStrings() throws {
    let index = try TestIndex(["title", "*"])
    try index.insert(1, #"{"title":"red","id":7,"body":{"title":"green","tags":["blue"]},"on":true}"#)
    #expect(try index.search("title:red") == [1])
    #expect(try index.search("\"*\": red") == [])
    #expect(try index.search("\"*\": (green AND blue)") == [1])
    #expect(try index.search("7 OR T") == [])
  }

  @Test func everyOtherStringExcludesNestedFields() throws {
    let index = try TestIndex(["a.b", "list[].x", "pair[1]", "list[0].z[].x", "\u{E9}", "*"])
    let json = """
      {"a":{"b":{"c":"red"},"c":"w1","x":"w2"},"b":"w3","list":[{"x":"red","y":"w4","z":[{"x":"red","y":"w5"}]},
      {"x":["red"],"z":[{"x":"w6"}]},"w7",["w8"]],"pair":["w9","red",{"x":"w10"}],"\u{E9}":"red","e\u{301}":"w11"}
      """
    try index.insert(1, json)
    #expect(try index.search("\"*\": red") == [])
    for number in 1...11 { #expect(try index.search("\"*\": w\(number)") == [1], "\(number)") }
    // Highlighting reads the same strings, with their paths.
    let paths = [2: "a.x", 5: "list[0].z[0].y", 6: "list[1].z[0].x", 8: "list[3][0]", 10: "pair[2].x"]
    for (number, path) in paths {
      #expect(try index.highlight("\"*\": w\(number)", json).matches.map(\.path) == [path])
    }
  }

  @Test func missingAndNullFieldsAreEmpty() throws {
    let index = try TestIndex(["a", "b"])
    try index.insert(1, #"{"a":null}"#)
    try index.insert(2, #"{}"#)
    try index.insert(3, #"{"b":"x"}"#)
    #expect(try index.search("x") == [3])
    #expect(try index.problem() == nil)
  }

  @Test func indexMatchesDocumentsAfterRandomChanges() throws {
    var random = SeededGenerator(seed: 5)
    let index = try TestIndex(["a", "*"], AnalyzerConfiguration(language: "en"))
    let words = ["running", "runs", "Łódź", "東京都", "don't", "x", "3.14"]
    for _ in 0..<300 {
      let rowID = Int64.random(in: 1...40, using: &random)
      try index.remove(rowID)
      guard Int.random(in: 0..<4, using: &random) > 0 else { continue }
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      try index.insert(rowID, "{\"a\":\"\(text.joined(separator: " "))\",\"b\":[\"\(text.reversed().joined())\"]}")
    }
    #expect(try index.problem() == nil)
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try index.problem() == nil)
  }

  @Test(arguments: [
    "DELETE FROM concordance_ft_1_docsize WHERE id = 2",
    "INSERT INTO concordance_ft_1 (rowid, c0) VALUES (3, 'surplus')",
    "INSERT INTO concordance_ft_1 (concordance_ft_1, rowid, c0) VALUES ('delete', 1, 'one')",
    "UPDATE concordance_ft_1_data SET block = zeroblob(length(block)) WHERE id > 10",
    "UPDATE concordance_fl_1 SET lengths = x'01ff' WHERE id >= 0",
    "DELETE FROM concordance_fl_1 WHERE id >= 0",
    "INSERT INTO concordance_fl_1 VALUES (7, x'0105')",
    "UPDATE concordance_index SET analyzer_version = 'old'",
  ])
  func verificationFindsDamage(sql: String) throws {
    let index = try TestIndex(["a"])
    try index.insert(1, #"{"a":"one two"}"#)
    try index.insert(2, #"{"a":"two three"}"#)
    #expect(try index.problem() == nil)
    try index.queue.write { try $0.execute(sql: sql) }
    let reread = try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }
    if reread.first?.isOutdated == true { return }
    #expect(try index.problem() != nil)
  }

  @Test func outdatedIndexIsRejected() throws {
    let index = try TestIndex(["a"])
    try index.queue.write { try $0.execute(sql: "UPDATE concordance_index SET analyzer_version = 'old'") }
    let old = try #require(try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }.first)
    let error = #expect(throws: TextIndexError.self) { _ = try FullTextQuery(.phrase(.word("x")), in: old) }
    #expect(error?.kind == .outdated)
    #expect(throws: TextIndexError.self) { try index.queue.write { _ = try FullTextWriter(old, $0) } }
    let fresh = try index.queue.write { try FullTextCatalog.reset(old, $0) }
    #expect(!fresh.isOutdated)
  }

  @Test func definitionRoundTripsThroughCatalog() throws {
    let analyzer = AnalyzerConfiguration(
      language: "de", accents: .keep, stopWords: .custom(["und"]), synonyms: [try SynonymRule("auto, wagen")],
      code: true)
    let index = try TestIndex(["title", "geo.alt", "`odd.name`", "*"], analyzer)
    let read = try #require(try index.queue.read { try FullTextCatalog.indexes(of: 1, $0) }.first)
    #expect(read.definition == index.index.definition)
    #expect(read.definition.fields.map(\.name) == ["title", "geo.alt", "`odd.name`", "*"])
  }

  @Test(arguments: [[], ["a", "a"], ["a", "`a`"], ["a."]])
  func invalidDefinitionsThrow(fields: [String]) {
    #expect(throws: (any Error).self) { _ = try FullTextDefinition(fields: fields) }
  }
}
