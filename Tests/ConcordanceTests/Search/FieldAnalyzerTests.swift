import Concordance
import Foundation
import Testing

/// Fields with different analyzers, in the public library.
@Suite struct FieldAnalyzerTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.save("harbour", #"{"title":"Running a harbour","beschreibung":"Die Häuser am Hafen sind alt"}"#)
    try files.save("house", #"{"title":"The house","beschreibung":"Boote und Kähne"}"#)
    try files.save("pier", #"{"title":"Pier","beschreibung":"Das Haus am Pier, running gag"}"#)
  }

  private func config() -> FullTextIndexConfiguration {
    var config = FullTextIndexConfiguration(["title", "beschreibung"], ignoreAccents: true, language: "en")
    config.fieldAnalyzers["beschreibung"] = AnalyzerConfiguration(language: "de")
    return config
  }

  private func make(_ change: (inout FullTextIndexConfiguration) -> Void = { _ in }) throws {
    var config = config()
    change(&config)
    try files.collection.createIndex(withName: "search", config: config)
  }

  private static let searches: [(String, [String])] = [
    ("run", ["harbour"]), ("running", ["harbour", "pier"]), ("haus", ["harbour", "pier"]), ("title:haus", []),
    ("houses", ["house"]), ("run häuser", ["harbour"]), ("\"häuser am hafen\"", ["harbour"]), ("häuse*", ["harbour"]),
  ]

  @Test(arguments: searches)
  func queryIsAnalyzedInTheLanguageOfEachField(query: String, expected: [String]) throws {
    try make()
    var request = SearchRequest(query)
    request.relaxes = false
    #expect(try files.collection.search(request).hits.map(\.id).sorted() == expected)
    #expect(try files.collection.count(matching: request) == expected.count)
  }

  @Test func builderUsesTheOptionsOfItems() throws {
    let index = IndexBuilder.fullTextIndex(
      items: FullTextIndexItem.property("title"),
      FullTextIndexItem.property("beschreibung").language("de").ignoreAccents(false),
      FullTextIndexItem.property("source").analyzer(AnalyzerConfiguration(code: true))
    ).ignoreAccents(true).language("en")
    try files.collection.createIndex(index, name: "search")
    let description = try #require(try files.collection.indexDescriptions().first)
    #expect(description.analyzer == AnalyzerConfiguration(language: "en", stopWords: .language))
    #expect(
      description.fieldAnalyzers == [
        "beschreibung": AnalyzerConfiguration(language: "de", accents: .keep, stopWords: .language),
        "source": AnalyzerConfiguration(code: true),
      ])
    #expect(try files.found("hause*") == [])
    #expect(try files.found("häuse*") == ["harbour"])
  }

  @Test func fieldAnalyzersAreStored() throws {
    try make()
    let again = try files.again()
    #expect(try again.defaultCollection().indexDescriptions().first?.configuration == config())
    #expect(try again.defaultCollection().search("häusern").hits.map(\.id).sorted() == ["harbour", "pier"])
    try again.defaultCollection().save(
      document: MutableDocument(id: "new", json: #"{"title":"Häuser","beschreibung":"im Haus"}"#))
    #expect(try again.defaultCollection().search("häusern").hits.count == 3)
    #expect(try again.verify().isEmpty)
  }

  @Test func fieldAnalyzersAreExportedAndImported() throws {
    try make()
    var lines: [[UInt8]] = []
    try files.database.exportLines { lines.append($0) }
    let other = try TemporaryDatabase()
    let transfer = try DatabaseImport(into: other.database)
    for line in lines { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    _ = try transfer.finish()
    #expect(try other.collection.indexDescriptions().first?.configuration == config())
    #expect(try other.found("häusern").sorted() == ["harbour", "pier"])
  }

  @Test func configurationsAreCodable() throws {
    let text = try JSONEncoder().encode(config())
    #expect(try JSONDecoder().decode(FullTextIndexConfiguration.self, from: text) == config())
  }

  @Test func changedLanguageOfAFieldRebuildsTheIndex() throws {
    try make()
    #expect(try files.found("haus").sorted() == ["harbour", "pier"])
    try make { $0.fieldAnalyzers = [:] }
    #expect(try files.found("haus") == ["pier"])
    #expect(try files.database.verify().isEmpty)
  }

  @Test func changedStopWordsAndSynonymsTakeEffectImmediately() throws {
    try make()
    #expect(try files.found("kutter") == [])
    try make {
      $0.fieldAnalyzers["beschreibung"]?.synonyms = [.group(["kutter", "kähne"])]
      $0.fieldAnalyzers["beschreibung"]?.stopWords = .language
    }
    #expect(try files.found("kutter") == ["house"])
    var request = SearchRequest("das hafen")
    request.relaxes = false
    #expect(try files.collection.search(request).hits.map(\.id) == ["harbour"])
    request.fields = ["title"]
    #expect(try files.collection.search(request).hits.isEmpty)
  }

  @Test func similarityAndFeedbackFindWordsOfEitherField() throws {
    try make()
    #expect(try files.collection.search(like: "harbour").hits.map(\.id) == ["pier"])
    // A word that occurs in most documents is not added.
    for number in 0..<4 { try files.save("\(number)", #"{"title":"other"}"#) }
    var request = SearchRequest("hafen")
    request.feedback = RelevanceFeedback()
    #expect(Set(try files.collection.search(request).hits.map(\.id)).isSuperset(of: ["harbour", "pier"]))
  }

  @Test func queriesUseFieldAnalyzers() throws {
    try make()
    let rows = try files.database.createQuery(
      "SELECT META().id FROM _ WHERE MATCH(search, 'häusern run') ORDER BY RANK(search) DESC"
    ).execute()
    #expect(rows.compactMap { $0.string(at: 0) } == ["harbour"])
  }

  @Test func wordsOfEitherLanguageAreNotCorrected() throws {
    try make()
    #expect(try files.collection.search("häusern").didYouMean == nil)
    #expect(try files.collection.search("häusser").didYouMean == "hauser")
    #expect(try files.collection.suggestions(for: "haf").map(\.word) == ["hafen"])
  }

  @Test func mistakesAreReported() throws {
    expectError(CBLError.invalidParameter, "no field \"titel\"") {
      try make { $0.fieldAnalyzers["titel"] = AnalyzerConfiguration() }
    }
    expectError(CBLError.invalidParameter, "klingon") {
      try make { $0.fieldAnalyzers["title"] = AnalyzerConfiguration(language: "klingon") }
    }
    #expect(try files.collection.indexes() == [])
  }
}
