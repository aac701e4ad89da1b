import Concordance
import Testing

/// Whether a search is relaxed depends only on the documents that pass its filters.
@Suite struct NarrowedRelaxationTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.save("both", #"{"text":"memory barrier","kind":"hotel"}"#)
    try files.save("one", #"{"text":"memory of the sea","kind":"bar"}"#)
    try files.save("other", #"{"text":"barrier of stones","kind":"bar"}"#)
  }

  private static let narrowings: [@Sendable (inout SearchRequest) -> Void] = [
    { $0.where = "kind = 'bar'" },
    { $0.selections = ["kind": ["bar"]] },
    {
      $0.where = "kind <> 'hotel'"
      $0.facets = ["kind"]
    },
  ]

  @Test(arguments: narrowings.indices)
  func queryIsRelaxedIfNoFilteredDocumentHasAllWords(number: Int) throws {
    var request = SearchRequest("memory barrier")
    NarrowedRelaxationTests.narrowings[number](&request)
    let results = try files.collection.search(request)
    #expect(Set(results.hits.map(\.id)) == ["one", "other"])
    #expect(results.relaxation?.matchesAnyWord == true)
    #expect(try files.collection.count(matching: request) == 2)
  }

  @Test func queryIsNotRelaxedIfAFilteredDocumentHasAllWords() throws {
    var request = SearchRequest("memory barrier")
    request.where = "kind = 'hotel'"
    let results = try files.collection.search(request)
    #expect(results.hits.map(\.id) == ["both"] && !results.isRelaxed)
  }

  @Test func queryIsNotRelaxedIfNoFilteredDocumentHasAnyWord() throws {
    var request = SearchRequest("memory barrier")
    request.where = "kind = 'nowhere'"
    let results = try files.collection.search(request)
    #expect(results.hits.isEmpty && !results.isRelaxed)
  }

  @Test func sentenceIsRelaxedIfFewFilteredDocumentsHaveAllWords() throws {
    for number in 0..<20 {
      try files.save("all\(number)", #"{"text":"one two three four five","kind":"hotel"}"#)
    }
    try files.save("some", #"{"text":"one two three four","kind":"bar"}"#)
    try files.save("every", #"{"text":"one two three four five","kind":"bar"}"#)
    var request = SearchRequest("one two three four five")
    // The document with some of the words follows the others, which is not reported.
    let ranked = try files.collection.search(request)
    #expect(ranked.total.value == 22 && !ranked.isRelaxed)
    request.sort = "META().id"
    #expect(try files.collection.search(request).isRelaxed == false)
    request.sort = nil
    request.facets = ["kind"]
    #expect(try files.collection.search(request).isRelaxed == false)
    request.facets = []
    request.where = "kind = 'bar'"
    let results = try files.collection.search(request)
    #expect(results.hits.map(\.id) == ["every", "some"] && results.isRelaxed)
  }

  @Test func correctedWordsMustOccurInFilteredDocuments() throws {
    var request = SearchRequest("memroy barrier")
    request.where = "kind = 'bar'"
    let results = try files.collection.search(request)
    #expect(Set(results.hits.map(\.id)) == ["one", "other"])
    #expect(results.didYouMean == "memory barrier" && results.relaxation?.matchesAnyWord == true)
  }
}
