import Concordance
import CorpusReader
import Foundation
import Testing

/// Documents in several languages in one index.
@Suite struct LanguageTests {
  private let folder: TemporaryFolder

  /// Whether CLD2 is installed; `make setup` installs it.
  private static let hasDetector = LanguageDetector.shared != nil
  private static let detectorMissing: Comment = "libcld2 is not installed; make setup installs it"

  init() throws { folder = try TemporaryFolder() }

  private func ids(_ query: String, _ options: String...) throws -> [String] {
    try ConcordProcess.run(["search", "--json", query] + options, in: folder).lines.map {
      try JSONText($0).string("id") ?? ""
    }.sorted()
  }

  private static let german = "Die Kinder spielten in den alten Häusern am Rande der Stadt und liefen durch die Gärten."
  private static let french =
    "Les enfants jouaient dans les vieilles maisons au bord de la ville et couraient au jardin."
  private static let english = "The children were running through the old houses at the edge of the town every evening."

  private func writeDocuments() throws {
    try folder.write("de.txt", Self.german)
    try folder.write("fr.txt", Self.french)
    try folder.write("en.txt", Self.english)
  }

  @Test(.enabled(if: hasDetector, detectorMissing)) func eachDocumentHasTheStemmerOfItsLanguage() throws {
    try writeDocuments()
    let result = try folder.concord("index", "--language", "auto", "--stop-words", "language", ".")
    #expect(result.status == 0, "\(result.messages)")
    #expect(try ids("haus") == ["de.txt"])
    #expect(try ids("maison") == ["fr.txt"])
    #expect(try ids("runs") == ["en.txt"])
    // Without accents, and by the word itself.
    #expect(try ids("Hausern") == ["de.txt"] && ids("Gärten") == ["de.txt"])
    // Stop words of any language of the index may be absent.
    #expect(try ids("the haus") == ["de.txt"])
    let hit = try JSONText(try folder.concord("search", "--json", "haus").lines[0])
    #expect(String(describing: hit.members).contains("Häusern"))
    #expect(try folder.concord("get", "fr.txt").output.contains(#""language":"fr""#))
    #expect(try folder.concord("indexes").output.contains("auto"))
    // The next run needs no option, and adds a language without a rebuild.
    try folder.write(
      "es.txt", "Los niños corrían por las viejas casas al borde de la ciudad todas las tardes de verano.")
    let next = try folder.concord("index", ".")
    #expect(next.messages.contains("1 document new") && !next.messages.contains("rebuilding"), "\(next.messages)")
    #expect(try ids("casa") == ["es.txt"])
    #expect(try ids("haus") == ["de.txt"])
    #expect(try folder.concord("verify").status == 0)
    // Back to one language.
    #expect(try folder.concord("index", "--language", "en", ".").status == 0)
    #expect(try ids("haus").isEmpty && ids("runs") == ["en.txt"])
  }

  /// Terms depend on the stored language, so all ways to build the index give the same terms.
  @Test(.enabled(if: hasDetector, detectorMissing)) func rebuiltIndexesHaveTheSameTerms() throws {
    try writeDocuments()
    #expect(try folder.concord("index", "-q", "--language", "auto", ".").status == 0)
    let terms = try folder.concord("terms", "--all").output
    #expect(terms.contains("haus"))
    #expect(try folder.concord("optimize", "--rebuild").status == 0)
    #expect(try folder.concord("terms", "--all").output == terms)
    try folder.write("de.txt", Self.german + " ")
    #expect(try folder.concord("search", "--fresh", "--json", "haus").lines.count == 1)
    #expect(try folder.concord("verify").status == 0)
  }

  @Test func aPropertyOfRecordsNamesTheLanguage() throws {
    let database = try Database(path: folder.file("x.concord"))
    let collection = try database.defaultCollection()
    var config = FullTextIndexConfiguration(["text"])
    config.analyzer.languageProperty = "lang"
    config.analyzer.accents = .fold
    try collection.createIndex(withName: "text", config: config)
    for (id, lang, text) in [
      ("1", "de", "Häuser"), ("2", "pt-BR", "cantando"), ("3", "xx", "houses"), ("4", "en", "houses"),
    ] {
      try collection.save(
        document: MutableDocument(id: id, json: #"{"lang":"\#(lang)","text":"\#(text)"}"#))
    }
    func found(_ query: String) throws -> [String] {
      // Without corrections of spelling.
      var request = SearchRequest(query, syntax: .fts5)
      request.index = "text"
      return try collection.search(request).hits.map(\.id).sorted()
    }
    #expect(try found("häusern") == ["1"])
    #expect(try found("cantar") == ["2"])
    // A document in an unknown language is not stemmed, and is found by the word itself.
    #expect(try found("house") == ["4"] && found("houses") == ["3", "4"])
    config.analyzer.queryLanguages = ["en"]
    try collection.createIndex(withName: "text", config: config)
    #expect(try found("häusern").isEmpty && found("hauser") == ["1"])
    try database.close()
  }

  @Test(.enabled(if: hasDetector, detectorMissing)) func theLanguagesOfThePolyglotCorpusAreDetected() throws {
    let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Corpora/polyglot").standardizedFileURL
    let detector = try #require(LanguageDetector.shared)
    var wrong: [String] = []
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: corpus.path) where file.hasSuffix(".md") {
      let name = file.replacingOccurrences(of: ".md", with: "")
      guard !["README", "edge-cases"].contains(name) else { continue }
      count += 1
      let text = try Data(contentsOf: corpus.appendingPathComponent(file))
      let code = text.withUnsafeBytes { detector.language(of: $0) }
      if code?.prefix(2) != name.prefix(2) { wrong.append(name) }
    }
    #expect(count > 40 && wrong.isEmpty, "\(wrong)")
  }

  @Test(
    .enabled(if: hasDetector, detectorMissing),
    arguments: [
      ("mk", "Ова е слободен софтвер: вие сте слободни да го промените. Нема гаранција, до степен дозволен со закон."),
      (
        "sr",
        "Ово је слободан софтвер: слободни сте да га мењате. Нема гаранције, у мери у којој закон допушта, који су."
      ),
      ("da", "Brug den og ikke den gamle fil, hvis noget er tilbage efter at den bliver læst uden fejl af programmet."),
      ("nb", "Bruk den og ikke den gamle filen, hvis noe er igjen etter at den blir lest uten feil av programmet."),
      ("am", "ሰላም"), ("th", "สวัสดี"), ("ka", "გამარჯობა"), ("hy", "Բարեւ"), ("ja", "こんにちは"),
      ("eo", "La suno kaj la luno estas sur la ĉielo, kaj la homoj ankaŭ estas ĝojaj."),
    ])
  func relatedLanguagesAndScripts(language: String, text: String) throws {
    let detector = try #require(LanguageDetector.shared)
    #expect(Array(text.utf8).withUnsafeBytes { detector.language(of: $0) } == language)
  }

  @Test func automaticLanguagesOfFieldsAreRejected() throws {
    try folder.write("a.txt", "a")
    #expect(try folder.concord("index", "--field-language", "text=auto", "a.txt").status == 2)
  }
}
