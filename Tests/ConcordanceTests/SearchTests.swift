import Concordance
import Testing

@Suite struct SearchTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try files.save("a", #"{"title":"Memory barriers","text":"A barrier orders <memory> & more."}"#)
    try files.save("b", #"{"title":"Locks","text":"A lock is a memory barrier too."}"#)
    try files.save("c", #"{"title":"Queues","text":"First in, first out."}"#)
  }

  @Test func hitHasAllProperties() throws {
    let hit = try #require(try files.collection.search("memory barrier").hits.first)
    #expect(hit.id == "a" && hit.rank == 1 && hit.title == "Memory barriers" && hit.score > 0)
    #expect(
      hit.matches.map { "\($0.field) \($0.range)" } == [
        "title 0..<6", "title 7..<15", "text 2..<9", "text 18..<24",
      ])
    #expect(hit.snippets.map(\.text) == ["A barrier orders <memory> & more."])
    #expect(hit.snippets.first?.html() == "A <mark>barrier</mark> orders &lt;<mark>memory</mark>&gt; &amp; more.")
    #expect(hit.snippets.first?.html(tag: "b onclick=x").contains("<mark>") == true)
    #expect(hit.snippets.first?.highlighted { "[\($0)]" } == "A [barrier] orders <[memory]> & more.")
  }

  @Test(arguments: [
    ("memory -lock", ["a"]), ("\"memory barrier\"", ["a", "b"]), ("queues OR lock", ["b", "c"]),
    ("title:memory", ["a"]), ("que*", ["c"]), ("first out!!", ["c"]), ("lock ???", ["b"]), ("nothing:here", []),
    ("don't (panic", []),
  ])
  func searchBoxQueries(query: String, expected: [String]) throws {
    #expect(try files.found(query).sorted() == expected)
  }

  @Test func fts5Queries() throws {
    let request = SearchRequest("title: (memory OR queues) NOT text: barrier", syntax: .fts5)
    #expect(try files.collection.search(request).hits.map(\.id) == ["c"])
    expectError(CBLError.invalidQuery) { _ = try files.collection.search(SearchRequest("a AND", syntax: .fts5)) }
    expectError(CBLError.invalidQuery) { _ = try files.collection.search(SearchRequest("nofield: a", syntax: .fts5)) }
  }

  @Test(arguments: [
    ("?!...", "there is no word to search for in the query"), ("", "there is no word to search for in the query"),
    ("-!", "there is no word to search for in the query"),
  ])
  func queryWithoutWordsHasNotice(query: String, notice: String) throws {
    let results = try files.collection.search(query)
    #expect(results.hits.isEmpty)
    #expect(results.notice == notice)
  }

  @Test(arguments: [(-1, 240), (101, 240), (1, -1), (1, SearchRequest.maximumSnippetLength + 1)])
  func invalidNumbersOfSnippetsAreErrors(count: Int, length: Int) {
    var request = SearchRequest("memory")
    (request.snippetCount, request.snippetLength) = (count, length)
    expectError(CBLError.invalidParameter, "snippets") { _ = try files.collection.search(request) }
  }

  @Test func fieldsWeightsLimitAndOffset() throws {
    var request = SearchRequest("memory")
    request.fields = ["title"]
    #expect(try files.collection.search(request).hits.map(\.id) == ["a"])
    request.fields = nil
    request.offset = 1
    let second = try files.collection.search(request).hits
    #expect(second.map(\.id) == ["b"] && second.map(\.rank) == [2])
    request.weights = ["body": 2]
    expectError(CBLError.invalidQuery) { _ = try files.collection.search(request) }
    request.weights = ["title": -2]
    expectError(CBLError.invalidParameter) { _ = try files.collection.search(request) }
    #expect(try files.collection.count(matching: SearchRequest("memory")) == 2)
  }

  @Test func missingOrAmbiguousIndexIsAnError() throws {
    let other = try files.database.createCollection(name: "other")
    expectError(CBLError.missingIndex) { _ = try other.search("x") }
    for name in ["first", "second"] {
      try other.createIndex(withName: name, config: FullTextIndexConfiguration(["title"]))
    }
    expectError(CBLError.missingIndex) { _ = try other.search("x") }
    let found = try files.found("memory")
    try files.collection.createIndex(withName: "titles", config: FullTextIndexConfiguration(["title"]))
    // The index with the default name.
    #expect(try files.found("memory") == found)
    var request = SearchRequest("memory")
    request.index = "titles"
    #expect(try files.collection.search(request).hits.map(\.id) == ["a"])
  }
}
