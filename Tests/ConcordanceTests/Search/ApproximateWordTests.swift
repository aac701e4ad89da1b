import Concordance
import Testing

/// `word~` in the search box.
@Suite struct ApproximateWordTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title", "text"]))
  }

  private func found(_ query: String, _ change: (inout SearchRequest) -> Void = { _ in }) throws -> [String] {
    var request = SearchRequest(query)
    request.relaxes = false
    change(&request)
    return try files.collection.search(request).hits.map(\.id)
  }

  /// Saves documents that score higher for the other word: they are short and contain it several times in each field.
  private func saveRivals() throws {
    let filling = Array(repeating: "many other words", count: 200).joined(separator: " ")
    for number in 0..<3 {
      try files.save("near\(number)", #"{"title":"harbour","text":"harbour harbour harbour town town"}"#)
    }
    try files.save("exact", "{\"text\":\"harbor \(filling) town\"}")
    for number in 0..<40 { try files.save("rest\(number)", "{\"text\":\"harbor\(number) city \(number)\"}") }
  }

  @Test(arguments: ["harbor~", "harbor~ town", "town harbor~", "harbor~ town~", "harbor~ (town OR city)"])
  func exactMatchesComeFirst(query: String) throws {
    try saveRivals()
    #expect(try found(query).first == "exact")
    #expect(try found(query) { $0.weights = ["title": 50] }.first == "exact")
    #expect(try found(query) { $0.where = "META().id LIKE '%a%'" }.first == "exact")
    #expect(try found(query).contains("near0"))
  }

  @Test func precedenceIsExplained() throws {
    try saveRivals()
    var request = SearchRequest("harbor~ town")
    request.explains = true
    let hits = try files.collection.search(request).hits
    for hit in hits { #expect(hit.explanation?.score == hit.score) }
    #expect(hits.first.map { precedence($0.explanation) > 0 } == true)
    #expect(hits.last.map { precedence($0.explanation) == 0 } == true)
  }

  private func precedence(_ explanation: ScoreExplanation?) -> Double {
    switch explanation?.content {
    case .all(let parts), .any(let parts), .sum(let parts): parts.reduce(0) { $0 + precedence($1) }
    case .term(let term): term.precedence
    case .length, nil: 0
    }
  }

  @Test(arguments: ["spin_lok~", "config_preemptx~", "v10b~", "SPIN_LOK~", "spin_lok~ return", "spinLokc~"])
  func identifiersAndNumbersMayBeMisspelt(query: String) throws {
    try files.save("a", #"{"text":"spin_lock config_preempt v10a spinLock return"}"#)
    #expect(try found(query) == ["a"])
    #expect(try found(query.replacing("~", with: "")) == [])
    // Without a tilde, they are not corrected.
    #expect(try files.collection.search(query.replacing("~", with: "")).didYouMean == nil)
  }

  /// One edit can change almost any short word to any other.
  @Test(arguments: [
    ("a~", ["a"]), ("ab~", ["ab"]), ("abc~", ["ab", "abc", "abx", "abxc"]), ("abcd~", ["abcd", "xbcd"]),
  ])
  func shortWordsHaveFewSimilarWords(query: String, expected: [String]) throws {
    for word in ["a", "b", "ab", "xb", "abc", "abx", "xbc", "abxc", "abcd", "xbcd"] {
      // "abc" and "abcd" also have an edit distance of 1.
      if query == "abc~" && word == "abcd" || query == "abcd~" && word == "abc" { continue }
      try files.save(word, "{\"text\":\"\(word)\"}")
    }
    #expect(try found(query).sorted() == expected)
  }

  @Test func identifiersOfSeveralPartsMayBeMisspelt() throws {
    var code = FullTextIndexConfiguration(["text"])
    code.analyzer.code = true
    try files.collection.createIndex(withName: "search", config: code)
    try files.save("a", #"{"text":"spin_lock_irq(camelCaseName)"}"#)
    #expect(try found("spin_lokc_irq~") == ["a"])
    #expect(try found("camelCaseNmae~") == ["a"])
  }

  @Test func numberOfExpandedWordsIsLimited() throws {
    for number in 0..<100 { try files.save("d\(number)", #"{"text":"word\#(number)x common"}"#) }
    let misspelled = (0..<100).map { "word\($0)~" }
    func search(_ words: [String]) throws -> SearchResults {
      var request = SearchRequest(words.joined(separator: " OR "))
      request.limit = 200
      request.relaxes = false
      return try files.collection.search(request)
    }
    let few = try search(Array(misspelled.prefix(64)))
    #expect(few.notice == nil)
    #expect(Set((0..<64).map { "d\($0)" }).isSubset(of: few.hits.map(\.id)))
    // The last word is not among the first 64, so it is not expanded.
    let many = try search(misspelled)
    #expect(many.notice?.contains("first 64 different words") == true)
    #expect(!many.hits.map(\.id).contains("d99"))
    // A repeated word counts once.
    let same = try search(Array(repeating: "word7~", count: 3000) + ["word99~"])
    #expect(same.notice == nil && same.hits.map(\.id).contains("d99"))
  }

  /// The limit on similar words does not hide that an operator was treated as text.
  @Test(arguments: [false, true])
  func noticesAboutOperatorsAndLimitedWordsAreJoined(relaxes: Bool) throws {
    for number in 0..<100 { try files.save("d\(number)", #"{"text":"word\#(number)x and common"}"#) }
    var request = SearchRequest((0..<100).map { "word\($0)~" }.joined(separator: " OR ") + " AND")
    request.relaxes = relaxes
    #expect(
      try files.collection.search(request).notice
        == "\"AND\" was treated as text, because it does not join two terms; similar words are found only for the "
        + "first 64 different words with ~; the others are searched for as typed")
  }

  /// The limit on similar words does not hide that a field was treated as text.
  @Test func noticesAboutFieldsAndLimitedWordsAreJoined() throws {
    for number in 0..<100 { try files.save("d\(number)", #"{"text":"word\#(number)x and common"}"#) }
    let words = (0..<100).map { "word\($0)~" } + ["auther:smith"]
    let notice = try files.collection.search(SearchRequest(words.joined(separator: " "))).notice
    #expect(
      notice?.hasPrefix("the index \"search\" has no field \"auther\", so auther: is treated as text;") == true,
      "\(notice ?? "")")
    #expect(notice?.contains("; similar words are found only for the first 64 different words with ~;") == true)
  }
}
