import Concordance
import Testing

/// Words that occur in documents but are probably misspelt.
@Suite struct DoubtfulWordTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.database.inBatch {
      for number in 0..<120 { try files.save("d\(number)", #"{"text":"the temperature at this point of the stream"}"#) }
    }
  }

  @Test func commonWordIsSuggestedButNotUsed() throws {
    try files.save("typo", #"{"text":"the temprature rises"}"#)
    let results = try files.collection.search("temprature")
    #expect(results.hits.map(\.id) == ["typo"])
    #expect(results.didYouMean == nil && results.relaxation == nil)
    #expect(results.suggestedQuery == "temperature")
    // There is no suggestion if no document contains the common word together with the others.
    let relaxed = try files.collection.search("Temprature, of zeppelins -rises")
    #expect(relaxed.suggestedQuery == nil && relaxed.didYouMean == nil)
  }

  @Test func nothingIsSuggestedIfWordsMustNotBeChanged() throws {
    try files.save("typo", #"{"text":"the temprature rises"}"#)
    var request = SearchRequest("temprature")
    request.relaxes = false
    #expect(try files.collection.search(request).suggestedQuery == nil)
    #expect(try files.collection.search(SearchRequest("temprature", syntax: .fts5)).suggestedQuery == nil)
    #expect(try files.collection.search("temprature~").suggestedQuery == nil)
  }

  @Test(arguments: [
    // A different letter in a short word, at the end or at the beginning, and inflected words.
    "paint", "temperaturf", "semperature", "temperatures", "temperatur", "streaming", "xtemperature", "TEMPERATURE",
  ])
  func correctWordsAreNotDoubted(word: String) throws {
    try files.save("rare", "{\"text\":\"\(word)\"}")
    #expect(try files.collection.search(word).suggestedQuery == nil)
  }

  @Test func wordInTwoDocumentsIsNotDoubted() throws {
    for number in 0..<2 { try files.save("typo\(number)", #"{"text":"temprature"}"#) }
    #expect(try files.collection.search("temprature").suggestedQuery == nil)
  }
}
