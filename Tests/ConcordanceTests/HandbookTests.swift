import Concordance
import Foundation
import Logging
import Testing

/// The Swift examples of README.md and of the handbook's page on the library, compiled and run. An architecture test
/// looks for every code block of these pages in this file, ignoring indentation; `path` is replaced by a file name.
@Suite struct HandbookTests {
  private let folder: TemporaryFolder
  private let path: String
  private let database: Database
  private let notes: Concordance.Collection
  private let output = Output()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appendingPathComponent("notes.concord").path
    database = try Database(path: path)
    notes = try database.createCollection(name: "notes")
  }

  @Test func firstProgram() throws {
    let database = try Database(path: path)
    let notes = try database.createCollection(name: "notes")
    try notes.createIndex(
      withName: "text",
      config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try notes.save(
      document: MutableDocument(id: "tea", data: ["title": "Tea", "text": "Steep the leaves for a minute."]))

    for hit in try notes.search("steeping").hits {
      let text = hit.snippets.first?.highlighted { "[\($0)]" }
      print(hit.rank, hit.id, text ?? "")  // 1 tea [Steep] the leaves for a minute.
    }
    #expect(output.lines == ["1 tea [Steep] the leaves for a minute."])
  }

  @Test func tasks() async throws {
    let database = try await AsyncDatabase.open(path: path)
    let notes = try await database.async.perform { try $0.createCollection(name: "notes") }
    try await notes.async.createIndex(
      withName: "text", config: FullTextIndexConfiguration(["text"], ignoreAccents: true, language: "en"))
    try await database.async.inBatch {
      for name in ["tea", "coffee"] {
        try notes.save(document: MutableDocument(id: name, data: ["text": "How to make \(name)"]))
      }
    }
    async let results = notes.async.search("making")
    let query = try database.createQuery("SELECT text FROM notes WHERE META().id = $id")
    let rows = try await query.async.execute(parameters: Parameters().setString("tea", forName: "id"))
    print(try await results.hits.count, rows[0]["text"]?.string ?? "")  // 2 How to make tea
    #expect(output.lines == ["2 How to make tea"])
  }

  @Test func logging() throws {
    var config = DatabaseConfiguration()
    config.logger = Logger(label: "notes")
    config.slowOperationThreshold = .milliseconds(200)
    try Database(path: path, config: config).close()
  }

  /// In another process, because the log handlers of a process can be chosen only once.
  /// The example compiles, and the handler is accepted.
  @Test func logHandlers() async {
    await #expect(processExitsWith: .success) {
      LoggingSystem.bootstrap { label in
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = .info
        return handler
      }
    }
  }

  @Test func lines() throws {
    try notes.save(document: MutableDocument(id: "tea", data: ["text": "Steep the leaves.\nBoiling water."]))
    var request = PatternSearchRequest(#"boil(s|ing)"#)
    request.letterCase = .insensitive
    try notes.searchLines(request) { document -> [String] in
      var lines: [String] = []
      try document.forEachLine { line in
        lines.append(
          "\(document.id):\(line.number ?? 0): " + String(decoding: document.text[line.range], as: UTF8.self))
        return true
      }
      return lines
    } deliver: { lines in
      for line in lines { print(line) }  // tea:2: Boiling water.
      return true
    }
    #expect(output.lines == ["tea:2: Boiling water."])
  }

  @Test func migrations() throws {
    var schema = DatabaseConfiguration()
    schema.migrations = [
      Migration("index hotels by city") { database in
        let hotels = try database.createCollection(name: "hotels", scope: "inventory")
        try hotels.createIndex(withName: "by_city", config: ValueIndexConfiguration(["city"]))
      },
      Migration("stars are numbers") { database in
        let hotels = try database.createCollection(name: "hotels", scope: "inventory")
        try hotels.forEachDocument { hotel in
          if let stars = hotel.string(forKey: "stars").flatMap({ Int($0) }) {
            try hotels.save(document: hotel.toMutable().setInt(stars, forKey: "stars"))
          }
          return true
        }
      },
    ]
    let travel = try Database(path: path, config: schema)
    print(try travel.userVersion, try travel.appliedMigrations())  // 2 ["index hotels by city", "stars are numbers"]
    #expect(output.lines == [#"2 ["index hotels by city", "stars are numbers"]"#])
  }

  @Test func configuration() throws {
    var config = DatabaseConfiguration()
    config.isReadOnly = true  // opens an existing file and changes nothing
    config.fullSync = false  // true: each commit is synced to disk, so that a power failure cannot lose it
    config.busyTimeout = 10  // seconds to wait for another process that is writing
    config.pageCacheSize = 32 << 20  // bytes of the file that each connection keeps in memory
    config.indexMemory = 256 << 20  // bytes of changes to each text index that are not written yet
    let reader = try Database(path: path, config: config)
    try reader.close()
  }

  @Test func documents() throws {
    try database.deleteCollection(name: "notes")
    let hotels = try database.createCollection(name: "hotels", scope: "inventory")
    print(hotels.fullName)  // inventory.hotels
    print(try database.scopes().map(\.name))  // ["_default", "inventory"]

    let ghia = MutableDocument(id: "hotel_1")
      .setString("Hotel Ghia", forKey: "name")
      .setInt(4, forKey: "stars")
      .setValue(["lat": 48.2, "lon": 16.4], forKey: "geo")
    try hotels.save(document: ghia)

    if let stored = try hotels.document(id: "hotel_1") {
      print(stored.string(forKey: "name") ?? "", stored.int(forKey: "stars"))  // Hotel Ghia 4
      print(stored.toJSON())  // {"name":"Hotel Ghia","stars":4,"geo":{"lat":48.2,"lon":16.4}}
      try hotels.save(document: stored.toMutable().setInt(5, forKey: "stars"))
    }
    #expect(try hotels.document(id: "hotel_1")?.int(forKey: "stars") == 5)

    try database.inBatch {
      for number in 1...1000 {
        try hotels.save(document: MutableDocument(id: "room_\(number)", data: ["floor": number / 100]))
      }
    }
    #expect(hotels.count == 1001)

    var text = FullTextIndexConfiguration(["name", "reviews[].content"], ignoreAccents: true, language: "en")
    text.synonyms = [try SynonymRule("pub, tavern"), try SynonymRule("boat => ferry, ship")]
    text.analyzer.code = false
    try hotels.createIndex(withName: "text", config: text)
    print(try hotels.indexDescriptions().map(\.fields))  // [["name", "reviews[].content"]]

    var items = FullTextIndexConfiguration(["title", "beschreibung", "source"], ignoreAccents: true, language: "en")
    items.fieldAnalyzers["beschreibung"] = AnalyzerConfiguration(language: "de")
    items.fieldAnalyzers["source"] = AnalyzerConfiguration(code: true)
    try hotels.createIndex(withName: "items", config: items)
    try hotels.deleteIndex(forName: "items")

    var request = SearchRequest("ghia -closed")
    request.weights = ["name": 3]
    request.limit = 20
    let results = try hotels.search(request)
    for hit in results.hits {
      print(hit.rank, hit.id, hit.document.string(forKey: "name") ?? "")  // 1 hotel_1 Hotel Ghia
      for match in hit.matches { print(match.field, match.range) }  // name 6..<10: bytes of UTF-8
      for snippet in hit.snippets { print(snippet.html()) }  // Hotel <mark>Ghia</mark>
    }
    print(try hotels.count(matching: request))  // 1

    let relaxed = try hotels.search("hotle ghia")
    print(relaxed.didYouMean ?? "")  // hotel ghia
    for suggestion in try hotels.suggestions(for: "hotel gh") {
      print(suggestion.text, suggestion.documentCount)  // hotel ghia 1
    }

    do {
      _ = try hotels.search(SearchRequest("name: (", syntax: .fts5))
    } catch let error as CBLError where error.code == CBLError.invalidQuery {
      print(error.message)
    }
    #expect(
      output.lines.dropLast() == [
        "inventory.hotels", #"["_default", "inventory"]"#, "Hotel Ghia 4",
        #"{"name":"Hotel Ghia","stars":4,"geo":{"lat":48.2,"lon":16.4}}"#,
        #"[["name", "reviews[].content"]]"#, "1 hotel_1 Hotel Ghia", "name 6..<10", "Hotel <mark>Ghia</mark>",
        "1", "hotel ghia", "hotel ghia 1",
      ])
    #expect(output.lines.last?.contains("is never closed") == true)
  }

  @Test func refinedSearch() throws {
    let hotels = try database.createCollection(name: "hotels", scope: "inventory")
    try hotels.createIndex(withName: "text", config: FullTextIndexConfiguration(["name"], language: "en"))
    let texts = [
      #"{"name":"Hotel Ghia","type":"hotel","price":80,"tags":["new"]}"#,
      #"{"name":"Ghia's library","type":"bar","price":8}"#, #"{"name":"Grand Ghia","type":"hotel","price":300}"#,
    ]
    for text in texts { try hotels.save(document: MutableDocument(json: text)) }

    var request = SearchRequest("ghia OR library")
    request.where = SearchFilter("price < $most", parameters: Parameters().setInt(100, forName: "most"))
    request.sort = "price DESC"
    request.facets = ["type", FacetRequest("tags", limit: 20)]
    request.selections = ["type": ["hotel"]]
    request.explains = true
    let results = try hotels.search(request)
    print(results.total)  // 1, or 1+ if counting stopped early
    for facet in results.facets {
      for value in facet.values { print(facet.property, value.value, value.count) }  // type bar 1 …
    }
    print(results.hits.first?.explanation?.score ?? 0)
    #expect(output.lines.dropLast() == ["1", "type bar 1", "type hotel 1", "tags new 1"])
    #expect(output.lines.last == results.hits.first.map { "\($0.score)" })
  }

  @Test func importer() throws {
    let importer = try DocumentImporter(into: notes)
    for (id, json) in [("a", #"{"title":"One"}"#), ("b", #"{"title":"Two"}"#)] {
      try importer.add(id: id, json: Array(json.utf8))
    }
    let summary = try importer.finish()
    print(summary.savedCount)  // 2
    #expect(output.lines == ["2"])
  }

  @Test func analysis() throws {
    let analyzer = try Analyzer(AnalyzerConfiguration(language: "fr"))
    let terms = analyzer.makeTokenizer().queryTerms("L'Ardèche", prefix: false)
    print(terms.flatMap(\.forms).joined(separator: ", "))  // ardech, l'ardeche
    #expect(output.lines == ["ardech, l'ardeche"])
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  private final class Output {
    var lines: [String] = []
  }
}
