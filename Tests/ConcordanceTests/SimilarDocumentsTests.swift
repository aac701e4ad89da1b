import Concordance
import Testing

/// Similar documents, and pseudo-relevance feedback.
@Suite struct SimilarDocumentsTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try files.save("boil", #"{"title":"Kettles","text":"A kettle boils water; boiling makes steam."}"#)
    try files.save("steam", #"{"title":"Steam","text":"Steam from boiling water drives engines."}"#)
    try files.save("tea", #"{"title":"Tea","text":"Tea needs a kettle."}"#)
    try files.save("engine", #"{"title":"Engines","text":"Engines of trains."}"#)
    for number in 0..<10 { try files.save("other\(number)", "{\"text\":\"nothing of note \(number)\"}") }
  }

  @Test func documentsThatShareDistinctiveWordsAreFoundWithoutTheDocumentItself() throws {
    let ids = try files.collection.search(like: "steam").hits.map(\.id)
    #expect(ids.first == "boil" && Set(ids) == ["boil", "engine"])
    #expect(try files.collection.count(matching: SearchRequest(like: "steam")) == 2)
    #expect(try files.collection.search(like: "steam", limit: 1).hits.map(\.id) == ["boil"])
  }

  @Test func hitsHaveTheirMatchesMarked() throws {
    let hit = try #require(try files.collection.search(like: "steam").hits.first)
    #expect(hit.snippets.first?.highlighted { "[\($0)]" }.contains("[boils] [water]") == true)
  }

  /// An index without a language has no list of function words.
  @Test func wordsInManyDocumentsAreIgnored() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    for number in 0..<40 {
      try files.save("the\(number)", "{\"text\":\"the end of the day the of the\",\"n\":\(number)}")
    }
    for number in 0..<60 { try files.save("no\(number)", "{\"text\":\"nothing here\",\"n\":\(number)}") }
    try files.save("boil", #"{"text":"the kettle of the cook and the steam of the kettle"}"#)
    try files.save("steam", #"{"text":"the steam of the engine"}"#)
    #expect(try files.collection.search(like: "boil").hits.map(\.id) == ["steam"])
    var request = SearchRequest("kettle")
    request.feedback = RelevanceFeedback()
    #expect(try files.collection.search(request).hits.map(\.id) == ["boil", "steam"])
  }

  @Test func onlyTheBestMatchesAreSorted() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    for number in 0..<300 {
      let text = number % 2 == 0 ? "kettle w\(number)" : "kettle steam steam w\(number)"
      try files.save("d\(number)", "{\"text\":\"\(text)\",\"n\":\(number)}")
    }
    for number in 0..<3000 { try files.save("o\(number)", #"{"text":"other","n":-1}"#) }
    for (request, count) in [(SearchRequest(like: "d1"), 299), (SearchRequest("steam kettle zeppelin"), 300)] {
      var request = request
      request.sort = "n"
      request.limit = 1000
      let results = try files.collection.search(request)
      #expect(results.hits.count == SearchRequest.sortedCount && results.total == .exact(count))
      // The best matches contain both words. Matches with only one of them are not sorted, whatever their `n` is.
      let numbers = results.hits.compactMap { Int($0.id.dropFirst()) }
      #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 % 2 == 1 })
      #expect(try files.collection.count(matching: request) == count)
      request.facets = ["n"]
      #expect(try files.collection.search(request).facets.first?.documentCount == count)
      #expect(try files.collection.search(request).total == .exact(count))
      request.offset = SearchRequest.sortedCount
      #expect(try files.collection.search(request).hits.isEmpty)
      request.offset = 0
      request.where = "n > 200"
      #expect(try files.collection.search(request).hits.first?.id == "d201")
    }
  }

  @Test func similarityInSelectedFields() throws {
    var request = SearchRequest(like: "steam")
    request.fields = ["title"]
    #expect(try files.collection.search(request).hits.isEmpty)
  }

  @Test func documentWithUniqueWordsHasNoSimilarDocuments() throws {
    try files.save("alone", #"{"text":"xylophone"}"#)
    let results = try files.collection.search(like: "alone")
    #expect(results.hits.isEmpty)
    #expect(results.notice == "no distinctive word of the document \"alone\" occurs in another document")
  }

  @Test func expiredAndDeletedDocumentsAreNotSimilarToOthers() throws {
    let boil = try #require(try files.collection.document(id: "boil"))
    try files.collection.delete(document: boil)
    #expect(try files.collection.search(like: "steam").hits.map(\.id) == ["engine"])
    expectError(CBLError.notFound, "there is no document \"boil\"") { _ = try files.collection.search(like: "boil") }
    expectError(CBLError.notFound) { _ = try files.collection.search(like: "") }
  }

  @Test func feedbackFindsDocumentsWithOtherWords() throws {
    var request = SearchRequest("kettle")
    #expect(Set(try files.collection.search(request).hits.map(\.id)) == ["boil", "tea"])
    request.feedback = RelevanceFeedback()
    let ids = try files.collection.search(request).hits.map(\.id)
    #expect(Set(ids.prefix(2)) == ["boil", "tea"] && ids.contains("steam"))
    #expect(try files.collection.count(matching: request) == ids.count)
  }

  @Test func feedbackWithoutTermsToAddKeepsTheOrder() throws {
    var request = SearchRequest("kettle water")
    let before = try files.collection.search(request).hits.map(\.id)
    request.feedback = RelevanceFeedback()
    request.feedback?.termCount = 0
    #expect(try files.collection.search(request).hits.map(\.id).prefix(1) == before.prefix(1))
  }

  /// Words of documents that do not pass the filter are not added, so the document with "steam" is not found.
  @Test func feedbackRespectsFilters() throws {
    var request = SearchRequest("kettle")
    request.feedback = RelevanceFeedback()
    request.where = "title != 'Kettles'"
    #expect(try files.collection.search(request).hits.map(\.id) == ["tea"])
  }

  @Test func feedbackDoesNotLimitAQueryWithoutWords() throws {
    try files.database.inBatch {
      for number in 0..<SearchRequest.sortedCount { try files.save("more\(number)", #"{"text":"more"}"#) }
    }
    var request = SearchRequest("*")
    request.feedback = RelevanceFeedback()
    request.limit = 1000
    let results = try files.collection.search(request)
    #expect(results.hits.count == SearchRequest.sortedCount + 14 && results.total == .exact(results.hits.count))
  }

  @Test func feedbackRespectsExcludedWords() throws {
    var request = SearchRequest("kettle -tea")
    request.feedback = RelevanceFeedback()
    let ids = try files.collection.search(request).hits.map(\.id)
    #expect(ids.first == "boil" && !ids.contains("tea"))
  }

  @Test func numbersOutOfRangeAreReported() throws {
    var request = SearchRequest("kettle")
    request.feedback = RelevanceFeedback()
    request.feedback?.originalWeight = 1.5
    expectError(CBLError.invalidParameter, "1.5") { _ = try files.collection.search(request) }
    request.feedback = RelevanceFeedback()
    request.feedback?.documentCount = 0
    expectError(CBLError.invalidParameter, "1 to 100 documents") { _ = try files.collection.search(request) }
  }

  @Test func relaxedSearchIsReported() throws {
    let strict = try files.collection.search("kettle water")
    #expect(strict.hits.map(\.id) == ["boil"] && !strict.isRelaxed)
    let relaxed = try files.collection.search("kettle zeppelin")
    #expect(Set(relaxed.hits.map(\.id)) == ["boil", "tea"] && relaxed.isRelaxed)
    #expect(try files.collection.count(matching: SearchRequest("kettle zeppelin")) == 2)
  }
}
