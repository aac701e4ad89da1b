import GRDB
import JSONText
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

/// An index whose fields have different analyzers: an English title, a German description, source code.
@Suite struct FieldAnalyzerTests {
  private let index: TestIndex

  init() throws {
    var german = AnalyzerConfiguration(language: "de", stopWords: .language)
    german.synonyms = [try SynonymRule("kahn, boot")]
    var english = AnalyzerConfiguration(language: "en")
    english.synonyms = [try SynonymRule("new york, big apple")]
    index = try TestIndex(
      ["title", "text", "source"], english,
      fieldAnalyzers: ["text": german, "source": AnalyzerConfiguration(code: true)])
    try index.insert(1, #"{"title":"Running boats","text":"Die Häuser am Hafen","source":"spin_lock(x)"}"#)
    try index.insert(2, #"{"title":"The house","text":"Boote liegen im Hafen","source":"running = 1"}"#)
    try index.insert(3, #"{"title":"Hafen","text":"Running Kahn","source":"int house"}"#)
    try index.insert(4, #"{"title":"Big apple hotels","text":"Ein Haus in den Bergen","source":"die()"}"#)
  }

  private static let queries: [(String, [Int64])] = [
    // Each field has its own stems.
    ("title:run", [1]), ("text:run", []), ("source:run", []), ("run", [1]), ("runs", [1]),
    ("running", [1, 2, 3]), ("text:running", [3]), ("source:running", [2]),
    ("text:haus", [1, 4]), ("haus", [1, 4]), ("title:haus", []), ("häuser", [1, 4]), ("title:häuser", []),
    ("house", [2, 3]), ("houses", [2]), ("source:houses", []), ("hafens", [1, 2, 3]),
    // Identifiers match by their parts in the field of source code.
    ("lock", [1]), ("spin_lock", [1]), ("\"spin lock\"", [1]), ("spin_lock + x", [1]), ("spin_lock + y*", []),
    // Several fields.
    ("{title text}:running", [1, 3]), ("- title:running", [2, 3]), ("{title source}:houses", [2]),
    ("title:(run AND boats)", [1]), ("{title text}:(text:run)", []),
    // A stop word of one field is optional in all fields.
    ("die hotels", [4]), ("the house", [2]), ("die", [1, 4]), ("text:die", [1]),
    // Phrases, prefixes, NEAR.
    ("\"running boat\"", [1]), ("\"hafen boote\"", []), ("\"häuser am hafen\"", [1]), ("\"int house\"", [3]),
    ("haf*", [1, 2, 3]), ("title:haf*", [3]), ("\"running b\"*", [1]), ("^running", [1, 2, 3]), ("^hafen", [3]),
    ("NEAR(running boat, 1)", [1]), ("NEAR(häuser hafen, 2)", [1]), ("NEAR(running häuser, 9)", []),
    // Operands of AND, OR and NOT may match in different fields.
    ("run AND haus", [1]), ("runs OR houses", [1, 2]), ("hafen NOT running", []), ("house NOT hafen", []),
    // Each field has its own synonyms.
    ("kahn", [2, 3]), ("title:kahn", []), ("boot", [2, 3]), ("\"kahn\"", [3]), ("new york", [4]),
    ("new york hotels", [4]),
    ("text:(new york)", []),
  ]

  @Test(arguments: queries)
  func fieldsAreSearchedWithTheirAnalyzers(query: String, expected: [Int64]) throws {
    #expect(try index.search(query).sorted() == expected)
    #expect(try index.fts5FallbackSearch(MatchParser().parse(query)) == expected)
  }

  @Test func wordWithSeveralFormsIsScoredAsOneTerm() throws {
    let query = try FullTextQuery(MatchParser().parse("running"), in: index.index)
    let explanation = try index.queue.read { try #require(try query.matches($0).explanation(ofRow: 3)) }
    guard case .term(let term) = explanation.content else {
      Issue.record("a word is explained as \(explanation.content)")
      return
    }
    #expect(term.documentFrequency == 3)
    #expect(term.fields.map(\.name) == ["text"])
    #expect(term.text == "running")
    let ranked = try index.queue.read { try query.ranked($0, limit: 9) }
    #expect(ranked.first { $0.rowID == 3 }?.score == explanation.score)
  }

  @Test func sameAnalyzerForAllFieldsGivesOneGroup() throws {
    let english = AnalyzerConfiguration(language: "en")
    let definition = try FullTextDefinition(
      fields: ["a", "b"], analyzer: AnalyzerConfiguration(), fieldAnalyzers: ["a": english, "b": english])
    #expect(try definition.columnGroups().map(\.columns) == [[0, 1]])
    let plain = try FullTextDefinition(fields: ["a", "b"], analyzer: english, fieldAnalyzers: ["b": english])
    #expect(plain.fieldAnalyzers.isEmpty)
    #expect(plain.makesSameTerms(as: definition))
  }

  private static let marked: [(String, String, [String])] = [
    ("run", "title", ["Running"]), ("run", "text", []), ("häuser", "text", ["Häuser"]), ("haus", "title", []),
    ("lock", "source", ["lock"]), ("\"running boat\"", "title", ["Running boats"]), ("title:hafen", "text", []),
    ("haf*", "text", ["Hafen"]),
  ]

  @Test(arguments: marked)
  func highlightsUseAnalyzerOfField(query: String, field: String, expected: [String]) throws {
    let json = try #require(index.documents[1])
    let parser = try JSONParser()
    let text = try #require(try parser.parse(utf8: json)[field]?.string)
    let matches = try index.highlight(query, json).matches.filter { $0.path == field }
    #expect(matches.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == expected)
  }

  @Test func snippetsComeFromMatchingField() throws {
    let json = try #require(index.documents[1])
    let snippet = try #require(try index.highlight("haus", json).snippets.first)
    #expect(snippet.path == "text")
    #expect(snippet.matches == [4..<11])
  }

  @Test func wordShownInOneFieldIsNotNewInAnother() throws {
    let filler = String(repeating: "und so weiter ", count: 20)
    let json = "{\"title\":\"Hafen\",\"text\":\"Hafens Leuchtturm \(filler) Leuchtturm\"}"
    try index.insert(5, json)
    let snippets = try index.highlight("hafens leuchtturm", json, snippets: 2, length: 30).snippets
    #expect(snippets.map(\.path) == ["text", "text"])
  }

  @Test func indexMatchesDocumentsAfterChanges() throws {
    #expect(try index.problem() == nil)
    try index.remove(2)
    try index.insert(2, #"{"title":"Häuser","text":"Houses","source":"a_b"}"#)
    #expect(try index.problem() == nil)
    #expect(try index.search("houses") == [2])
  }

  @Test func termsAreCountedInFormsOfEveryField() throws {
    let parser = try JSONParser()
    let counts = try TermCounter(index.index).count(
      parser.parse(utf8: #"{"title":"runs running house","text":"Häuser die Häuser","source":"house"}"#))
    func count(_ text: String) -> Int? { counts.counts.first { $0.key.text == text }?.value }
    #expect(count("run") == 2)
    // Source code contains the word itself, and its English stem is "hous".
    #expect(count("hous") == 1 && count("house") == 1)
    #expect(count("haus") == 2 && count("die") == nil)
    let similar = try index.queue.read { db in
      try FullTextQuery(like: counts, in: index.index, db).ranked(db, limit: 9).map(\.rowID)
    }
    #expect(similar.contains(1) && similar.contains(3) && similar.contains(4))
  }

  @Test func stemsOfOneFieldAreNotSuggestedForAnother() throws {
    for row in 10..<14 as Range<Int64> { try index.insert(row, #"{"title":"flying ponies","text":"flieg"}"#) }
    func words(_ text: String, _ field: String? = nil) throws -> [String] {
      try index.queue.read { db in
        try index.index.completions(of: text, fields: field.map { [$0] }, limit: 9, db).map(\.word)
      }
    }
    #expect(try words("pon") == ["ponies"])
    #expect(try words("fl") == ["flieg", "flying"])
    #expect(try words("fl", "title") == ["flying"])
    #expect(try words("text:fl") == ["flieg"])
    #expect(try words("spin_") == ["spin_lock"])
  }

  @Test func wordsOfAnyFieldAreNotCorrected() throws {
    func corrected(_ text: String) throws -> [String] {
      let wanted = try #require(SearchBoxParser(fields: ["title", "text", "source"]).parse(text).wanted)
      return try index.queue.read { try index.index.corrections(of: wanted, in: text, $0).map(\.word) }
    }
    #expect(try corrected("häuser") == [])
    #expect(try corrected("bergen hotels") == [])
    #expect(try corrected("häuserr runing") == ["hauser", "running"])
    #expect(try corrected("spin_lok") == [])
    #expect(try corrected("spin_lokc") == ["spin_lock"])
    #expect(
      try index.queue.read { db in
        try FullTextQuery(SearchBoxParser().parse("häuzer~").query ?? .nothing, in: index.index, db).count(db)
      } == 2)
  }

  @Test func accentsAreFoldedPerField() throws {
    let index = try TestIndex(
      ["a", "b"], AnalyzerConfiguration(), fieldAnalyzers: ["b": AnalyzerConfiguration(accents: .keep)])
    try index.insert(1, #"{"a":"Ångström"}"#)
    try index.insert(2, #"{"b":"Ångström"}"#)
    #expect(try index.search("angstrom") == [1])
    #expect(try index.search("ångström").sorted() == [1, 2])
    #expect(try index.search("ång*").sorted() == [1, 2])
    let words = try index.queue.read { try index.index.completions(of: "ång", limit: 9, $0).map(\.word) }
    #expect(words.sorted() == ["angstrom", "ångström"])
  }

  @Test func shorterSynonymAppliesInsideLongerOne() throws {
    let rules = ["a b, x", "b, y"]
    let index = try TestIndex(
      ["one", "two"], AnalyzerConfiguration(synonyms: [try SynonymRule(rules[0])]),
      fieldAnalyzers: ["two": AnalyzerConfiguration(synonyms: [try SynonymRule(rules[1])])])
    try index.insert(1, #"{"one":"x"}"#)
    try index.insert(2, #"{"two":"a y"}"#)
    try index.insert(3, #"{"one":"a y"}"#)
    try index.insert(4, #"{"one":"b","two":"a"}"#)
    try index.insert(5, #"{"one":"a","two":"y"}"#)
    #expect(try index.search("a b").sorted() == [1, 2, 4, 5])
  }

  @Test func analyzerOfUnknownFieldThrows() {
    let error = #expect(throws: TextIndexError.self) {
      _ = try FullTextDefinition(fields: ["title"], fieldAnalyzers: ["titel": AnalyzerConfiguration(language: "de")])
    }
    #expect(error?.kind == .badDefinition)
    #expect(error?.message.contains("no field \"titel\"; it has \"title\"") == true)
  }

  @Test func olderLibrariesRejectFieldAnalyzers() throws {
    let plain = try FullTextDefinition(fields: ["a"], analyzer: AnalyzerConfiguration(language: "en"))
    #expect(try plain.json.contains("\"analyzer\":{") && !plain.json.contains("fieldAnalyzers"))
    let json = try index.index.definition.json
    #expect(!json.contains("\"analyzer\":"))
    #expect(try FullTextDefinition(json: json) == index.index.definition)
    // Definitions of later versions are rejected in the same way.
    try index.queue.write { try $0.execute(sql: #"UPDATE concordance_index SET definition = '{"fields":["a"]}'"#) }
    let error = #expect(throws: TextIndexError.self) {
      try index.queue.read { _ = try FullTextCatalog.indexes(of: 1, $0) }
    }
    #expect(error?.kind == .unsupported)
  }

  @Test func relaxationIgnoresFunctionWordsOfEveryField() throws {
    let box = try #require(SearchBoxParser().parse("where are die häuser mooring hotels").query)
    let chosen = try index.queue.read { try RelaxableQuery(box, in: index.index, $0).chosen($0) }
    #expect(try index.queue.read { try chosen.ranked($0, limit: 9).map(\.rowID).sorted() } == [1, 4])
    #expect(!chosen.expression.contains("\"are\""))
  }
}
