import Concordance
import Testing

@Suite struct RelaxationTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try files.save("a", #"{"title":"Memory","text":"A memory barrier orders writes of several processors."}"#)
    try files.save("b", #"{"title":"Locks","text":"A spinlock protects a queue. Version v10a of snake_case."}"#)
    try files.save("c", #"{"title":"Walls","text":"A barrier of stones."}"#)
  }

  @Test func matchingQueryIsNotRelaxed() throws {
    let results = try files.collection.search("memory barriers")
    #expect(!results.isRelaxed && results.relaxation == nil && results.didYouMean == nil)
  }

  /// The words of ``SearchRequest/Matching/any`` are alternatives without a message; operators and exclusions remain.
  @Test(arguments: [
    ("memory stones", ["a", "c"]), ("memory stones -barrier", []), ("memory AND stones", []),
    ("memory \"barrier of\"", ["a", "c"]), ("spinlock", ["b"]), ("barrier the", ["a", "c"]),
  ])
  func anyWordMatches(query: String, expected: [String]) throws {
    var request = SearchRequest(query)
    request.matching = .any
    for relaxes in [false, true] {
      request.relaxes = relaxes
      let results = try files.collection.search(request)
      #expect(Set(results.hits.map(\.id)) == Set(expected), "\(query)")
      #expect(expected.isEmpty || results.relaxation == nil)
      #expect(try files.collection.count(matching: request) == expected.count)
    }
  }

  /// Documents with some of the words follow at least ten documents with all of them, which is not a relaxation.
  @Test func documentsWithSomeOfTheWordsFollowTenWithAll() throws {
    for number in 0..<10 { try files.save("all\(number)", #"{"text":"green jasmine tea"}"#) }
    try files.save("some", #"{"text":"jasmine rice"}"#)
    var request = SearchRequest("green jasmine tea")
    request.limit = 20
    let results = try files.collection.search(request)
    #expect(results.relaxation == nil && results.matchesAnyWord)
    #expect(results.hits.count == 11 && results.hits.last?.id == "some")
    request.relaxes = false
    let exact = try files.collection.search(request)
    #expect(!exact.matchesAnyWord && exact.hits.count == 10)
    request.matching = .any
    #expect(try files.collection.search(request).matchesAnyWord)
    #expect(try !files.collection.search("jasmine").matchesAnyWord)
  }

  @Test func misspeltWordsAreCorrected() throws {
    let results = try files.collection.search("Memroy  \"barier\" -stone")
    #expect(results.hits.map(\.id) == ["a"])
    #expect(results.isRelaxed && results.didYouMean == "memory  \"barrier\" -stone")
    let relaxation = try #require(results.relaxation)
    #expect(!relaxation.matchesAnyWord)
    #expect(
      relaxation.corrections.map { "\($0.typed) \($0.word) \($0.range)" } == [
        "Memroy memory 0..<6", "barier barrier 9..<15",
      ])
  }

  @Test func queryIsRelaxedIfNoDocumentHasAllWords() throws {
    let results = try files.collection.search("memory barrier spinlock -stones")
    #expect(results.hits.map(\.id) == ["a", "b"])
    let relaxation = try #require(results.relaxation)
    #expect(relaxation.matchesAnyWord && relaxation.corrections.isEmpty && results.didYouMean == nil)
    #expect(relaxation.query == "memory barrier spinlock -stones")
  }

  /// A correction without matches is not used: the query is relaxed to any of the typed words.
  @Test func wordIsNotCorrectedIfNoDocumentContainsItWithTheOthers() throws {
    let results = try files.collection.search("memroy spinlock")
    #expect(results.hits.map(\.id) == ["b"])
    #expect(results.relaxation?.matchesAnyWord == true && results.didYouMean == nil)
  }

  @Test func correctableWordsAreCorrectedIfNoWordIsFoundAsTyped() throws {
    let results = try files.collection.search("memroy qqxyz spinlok")
    #expect(Set(results.hits.map(\.id)) == ["a", "b"])
    #expect(results.relaxation?.matchesAnyWord == true && results.didYouMean == "memory qqxyz spinlock")
  }

  @Test func correctionIsNotReportedIfNothingIsFoundWithIt() throws {
    let results = try files.collection.search("title:nowhere memroy qqxyz")
    #expect(results.hits.isEmpty && !results.isRelaxed)
  }

  @Test func fieldRestrictionIsKept() throws {
    let results = try files.collection.search("title:nowhere barrier")
    #expect(results.hits.isEmpty && !results.isRelaxed)
    let some = try files.collection.search("title:walls barrier zeppelin")
    #expect(some.hits.map(\.id) == ["c"] && some.relaxation?.matchesAnyWord == true)
  }

  @Test(arguments: [
    // Numbers, identifiers, words that are too short, and words without a similar word.
    "v10b", "123456", "snake_cast", "a.spinlok", "spinLok", "/spinlok", "#spinlok", "thw", "lok",
    "xylophone", "spinlok*", "-spinlok", "-memroy",
  ])
  func queryIsNotCorrected(query: String) throws {
    let results = try files.collection.search(query)
    #expect(results.didYouMean == nil)
    // A name of several words still finds documents with some of them.
    #expect(results.hits.isEmpty || results.isUnranked || results.relaxation?.matchesAnyWord == true)
  }

  /// A word is replaced by a word of the searched field, even if a word of another field is closer or more frequent.
  @Test func correctionsComeFromSearchedFields() throws {
    try files.save("d", #"{"title":"Barter","text":"Goods for goods."}"#)
    #expect(try files.collection.search("bartier").didYouMean == "barrier")
    let inTitle = try files.collection.search("title:bartier")
    #expect(inTitle.hits.map(\.id) == ["d"] && inTitle.didYouMean == "title:barter")
    var request = SearchRequest("bartier")
    request.fields = ["title"]
    #expect(try files.collection.search(request).didYouMean == "barter")
    request.fields = ["text"]
    #expect(try files.collection.search(request).didYouMean == "barrier")
    request.query = "title:bartier"
    #expect(try files.collection.search(request).hits.isEmpty)
  }

  /// A word that occurs in another field is not treated as misspelt.
  @Test func wordsOfOtherFieldsAreNotChanged() throws {
    try files.save("d", #"{"title":"Barrter","text":"Goods."}"#)
    #expect(try files.collection.search("title:barrier").didYouMean == nil)
  }

  @Test func unclosedPhraseIsRelaxedToWords() throws {
    let asPhrase = try files.collection.search("\"memory barrier")
    #expect(asPhrase.hits.map(\.id) == ["a"] && !asPhrase.isRelaxed)
    let asWords = try files.collection.search("\"barrier memory")
    #expect(asWords.hits.first?.id == "a" && asWords.relaxation?.matchesAnyWord == true)
    #expect(asWords.relaxation?.query == "barrier memory")
    #expect(try files.collection.search("\"memroy barrier").didYouMean == "\"memory barrier\"")
    #expect(try files.collection.search("\"barrier memory\"").hits.isEmpty)
    #expect(try files.collection.search("stones -\"barrier of").hits.isEmpty)
  }

  @Test func punctuationAroundWordIsIgnored() throws {
    for query in ["spinlok.", "(spinlok)", "spinlok, queue!", "SPINLOK"] {
      #expect(try files.collection.search(query).hits.map(\.id) == ["b"], "\(query)")
    }
  }

  @Test func relaxationCanBeTurnedOff() throws {
    var request = SearchRequest("memroy")
    request.relaxes = false
    #expect(try files.collection.search(request).hits.isEmpty)
    #expect(try files.collection.count(matching: request) == 0)
    request.relaxes = true
    #expect(try files.collection.count(matching: request) == 1)
  }

  @Test func fts5QueriesAreNeverRelaxed() throws {
    #expect(try files.collection.search(SearchRequest("memroy", syntax: .fts5)).hits.isEmpty)
  }

  @Test func pagesAfterLastHitAreEmpty() throws {
    var request = SearchRequest("barrier")
    request.offset = 5
    let after = try files.collection.search(request)
    #expect(after.hits.isEmpty && !after.isRelaxed)
    request.query = "bariers"
    request.offset = 1
    let second = try files.collection.search(request)
    #expect(second.hits.count == 1 && second.isRelaxed && second.hits.first?.rank == 2)
  }

  @Test(arguments: [
    ("barier~", ["a", "c"]), ("barier~ memory", ["a"]), ("title:wals~", ["c"]), ("lokcs~", ["b"]), ("ueue~", ["b"]),
    ("memory -barier~", []), ("stone -barier~", []), ("zzzzzz~", []),
  ])
  func wordsWithATildeMayBeMisspelt(query: String, expected: [String]) throws {
    var request = SearchRequest(query)
    request.relaxes = false
    #expect(try files.collection.search(request).hits.map(\.id).sorted() == expected)
  }

  @Test func exactMatchesComeFirst() throws {
    for number in 0..<6 { try files.save("m\(number)", #"{"text":"marble marble marble"}"#) }
    try files.save("right", #"{"title":"Long","text":"warble, and then a great many other words follow it here"}"#)
    #expect(try files.collection.search("warble~").hits.first?.id == "right")
    #expect(try files.collection.search("warble~").hits.count == 7)
  }
}
