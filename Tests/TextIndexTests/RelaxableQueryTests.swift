import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct RelaxableQueryTests {
  private func index(_ texts: [String], _ analyzer: AnalyzerConfiguration = AnalyzerConfiguration()) throws -> TestIndex
  {
    let index = try TestIndex(["title", "text"], analyzer)
    for (number, text) in texts.enumerated() { try index.insert(Int64(number + 1), "{\"text\":\"\(text)\"}") }
    return index
  }

  private func query(_ box: String, in index: TestIndex, fields: [String]? = nil) throws -> RelaxableQuery {
    let parsed = SearchBoxParser(fields: ["title", "text"]).parse(box)
    return try RelaxableQuery(try #require(parsed.query), fields: fields, in: index.index)
  }

  private func found(
    _ box: String, in index: TestIndex, limit: Int = 100, offset: Int = 0
  ) throws -> (rows: [Int64], isRelaxed: Bool) {
    let query = try query(box, in: index)
    let hits = try index.queue.read { try query.ranked($0, limit: limit, offset: offset) }
    return (hits.rows.map(\.rowID), hits.isRelaxed)
  }

  @Test func allWordsAreAskedForWhileADocumentHasThem() throws {
    let index = try index(["red shoe", "red", "shoe"])
    let found = try found("red shoe", in: index)
    #expect(found.rows == [1] && !found.isRelaxed)
  }

  @Test func withoutSuchADocumentSomeAreEnough() throws {
    let index = try index(["red hat", "blue shoe", "red hat shoe", "green"])
    let found = try found("red shoe boat", in: index)
    #expect(found.rows.first == 3 && Set(found.rows) == [1, 2, 3] && found.isRelaxed)
  }

  @Test func ofASentenceDocumentsWithAllWordsComeFirst() throws {
    // The first document has all words, but is so long that the second has the higher score.
    let filler = (0..<300).map { "filler\($0)" }.joined(separator: " ")
    let index = try index(["one two three four five \(filler)", "two three four five", "six"])
    let found = try found("one two three four five", in: index)
    #expect(found.rows == [1, 2] && found.isRelaxed)
    #expect(try self.found("two three four five", in: index).rows == [2, 1])
  }

  @Test func enoughDocumentsWithAllWordsOfASentenceAreAll() throws {
    let all = Array(repeating: "one two three four five", count: RelaxableQuery.sufficientCount)
    let index = try index(all + ["one two"])
    let found = try found("one two three four five", in: index)
    #expect(found.rows.count == all.count && !found.isRelaxed)
  }

  @Test func pagesAndCountsAgree() throws {
    let index = try index(
      ["a b c d e"] + (0..<20).map { "a \($0 % 2 == 0 ? "b" : "c") x\($0)" } + ["d e f", "q"])
    let all = try found("a b c d e", in: index)
    #expect(all.rows.count == 22)
    var pages: [Int64] = []
    for offset in stride(from: 0, to: 30, by: 5) {
      let page = try found("a b c d e", in: index, limit: 5, offset: offset)
      pages += page.rows
      #expect(page.isRelaxed)
    }
    #expect(pages == all.rows)
    let query = try query("a b c d e", in: index)
    #expect(try index.queue.read { try query.count($0) } == 22)
    #expect(try index.queue.read { try query.count($0, excluding: "VALUES (1), (2)") } == 20)
  }

  @Test func excludedRowsAndWordsStayOut() throws {
    let index = try index(["red wide-open hat", "red wide hat open", "red hat", "wide"])
    #expect(Set(try found("red boat -wide-open", in: index).rows) == [2, 3])
    let query = try query("red boat", in: index)
    #expect(
      try index.queue.read { try query.ranked($0, limit: 9, excluding: "VALUES (1), (2)") }.rows.map(\.rowID) == [3])
  }

  @Test func wordsOfSeveralTermsFallApartAndPhrasesStay() throws {
    let index = try index(["layer of a boundary", "boundary-layer", "layer"])
    #expect(try found("boundary-layer", in: index).rows == [2])
    #expect(Set(try found("boundary-layer xyz", in: index).rows) == [1, 2, 3])
    #expect(try found("\"boundary layer\" xyz", in: index).rows == [2])
  }

  @Test func functionWordsAloneMakeNoHit() throws {
    let english = AnalyzerConfiguration(language: "en")
    let index = try index(["what are they", "the laws of nature", "to be or not to be"], english)
    #expect(try found("what are the laws here", in: index).rows == [2])
    #expect(try found("the and xyz", in: index).rows == [])
    #expect(try found("rules-of-the-laws", in: index).rows == [2])
    #expect(try found("end-of-the-world", in: index).rows == [])
    #expect(Set(try found("what of", in: index).rows) == [1, 2])
    #expect(try found("what are they", in: index).rows == [1])
    // Without a language there are none.
    let plain = try self.index(["what are they", "the laws of nature"])
    #expect(Set(try found("what are the laws here", in: plain).rows) == [1, 2])
  }

  @Test func aFieldAndSynonymsStayWhatTheyAre() throws {
    let index = try TestIndex(
      ["title", "text"], AnalyzerConfiguration(synonyms: [try SynonymRule("new york, big apple")]))
    try index.insert(1, #"{"text":"york castle"}"#)
    try index.insert(2, #"{"text":"the big apple"}"#)
    try index.insert(3, #"{"text":"a big dog"}"#)
    try index.insert(4, #"{"title":"zebra"}"#)
    try index.insert(5, #"{"text":"zebra"}"#)
    #expect(Set(try found("new york zeppelin", in: index).rows) == [1, 2])
    #expect(try found("title:zebra zeppelin", in: index).rows == [4])
    let inTitle = try query("zebra zeppelin", in: index, fields: ["title"])
    #expect(try index.queue.read { try inTitle.ranked($0, limit: 9) }.rows.map(\.rowID) == [4])
  }

  @Test func scoresAreThoseOfTheWordsJoinedByOR() throws {
    let index = try index(["red hat", "blue shoe", "red shoe hat", "green"])
    let relaxed = try query("red shoe boat", in: index)
    let stock = try FullTextQuery(MatchParser().parse("red OR shoe OR boat"), in: index.index)
    let (one, other) = try index.queue.read { (try relaxed.ranked($0, limit: 9).rows, try stock.ranked($0, limit: 9)) }
    #expect(one == other)
  }

  @Test func aSingleWordHasNoOtherForm() throws {
    let index = try index(["red"])
    #expect(try query("red", in: index).anyWord() == nil)
    #expect(try query("red -blue", in: index).anyWord() == nil)
    #expect(try query("red blue", in: index).anyWord() != nil)
  }
}
