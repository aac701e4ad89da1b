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

  private func query(
    _ box: String, in index: TestIndex, fields: [String]? = nil, _ db: Database
  ) throws -> RelaxableQuery {
    let parsed = SearchBoxParser(fields: ["title", "text"]).parse(box)
    return try RelaxableQuery(try #require(parsed.query), fields: fields, in: index.index, db)
  }

  private func found(
    _ box: String, in index: TestIndex, limit: Int = 100, offset: Int = 0
  ) throws -> (rows: [Int64], isRelaxed: Bool) {
    try index.queue.read { db in
      let query = try query(box, in: index, db)
      let chosen = try query.chosen(db)
      let rows = try chosen.ranked(db, limit: limit, offset: offset).map(\.rowID)
      return (rows, chosen.match != query.allWords.match)
    }
  }

  @Test func allWordsAreRequiredIfADocumentContainsThem() throws {
    let index = try index(["red shoe", "red", "shoe"])
    let found = try found("red shoe", in: index)
    #expect(found.rows == [1] && !found.isRelaxed)
  }

  @Test func queryIsRelaxedIfNoDocumentContainsAllWords() throws {
    let index = try index(["red hat", "blue shoe", "red hat shoe", "green"])
    let found = try found("red shoe boat", in: index)
    #expect(found.rows.first == 3 && Set(found.rows) == [1, 2, 3] && found.isRelaxed)
  }

  /// A condition on a field is never relaxed, no matter how few documents match.
  @Test(arguments: [
    ("title:nowhere red", [], false), ("title:nowhere red shoe", [], false), ("title:box red zeppelin", [4], true),
    ("title:box-zeppelin red", [], false), ("title:(box zeppelin) red", [], false),
    ("title:box -title:small red zeppelin", [], false), ("red zeppelin (title:box OR title:nowhere)", [4], true),
    ("title:box title:zeppelin", [], false), ("title:box-zeppelin", [], false), ("title:(box zeppelin)", [4, 5], true),
    ("title:box red zeppelin shoe hat boat", [4], true), ("title:nowhere OR zeppelin", [], false),
  ])
  func fieldConditionsAreNotRelaxed(box: String, rows: [Int64], isRelaxed: Bool) throws {
    let index = try index(["red hat", "red shoe", "shoe"])
    try index.insert(4, #"{"title":"small box","text":"red apple"}"#)
    try index.insert(5, #"{"title":"large box","text":"green"}"#)
    let found = try found(box, in: index)
    #expect(found.rows.sorted() == rows && found.isRelaxed == isRelaxed)
  }

  /// The fields of a request determine where words are searched for; they are not conditions on a field.
  @Test func wordsAreRelaxedWithinRequestedFields() throws {
    let index = try index([])
    try index.insert(1, #"{"title":"small box","text":"zeppelin"}"#)
    try index.queue.read { db in
      for box in ["box zeppelin", "box-zeppelin"] {
        let chosen = try query(box, in: index, fields: ["title"], db).chosen(db)
        #expect(try chosen.ranked(db, limit: 5).map(\.rowID) == [1], "\(box)")
      }
    }
  }

  @Test func sentencesAreRelaxed() throws {
    let index = try index(["one two three four five", "two three four five", "six"])
    let found = try found("one two three four five", in: index)
    #expect(found.rows == [1, 2] && found.isRelaxed)
    #expect(try self.found("two three four five", in: index).isRelaxed == false)
  }

  @Test func sentenceWithEnoughMatchesIsNotRelaxed() throws {
    let all = Array(repeating: "one two three four five", count: RelaxableQuery.sufficientRankedCount)
    let index = try index(all + ["one two"])
    let found = try found("one two three four five", in: index, limit: 2 * all.count)
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
    try index.queue.read { db in
      let query = try query("a b c d e", in: index, db)
      #expect(try query.chosen(db).count(db) == 22)
      #expect(try query.chosen(db).count(db, excluding: [1, 2]) == 20)
    }
  }

  @Test func exclusionsArePreserved() throws {
    let index = try index(["red wide-open hat", "red wide hat open", "red hat", "wide"])
    #expect(Set(try found("red boat -wide-open", in: index).rows) == [2, 3])
    try index.queue.read { db in
      let excluded: [Int64] = [1, 2]
      let query = try query("red boat", in: index, db).chosen(db, excluding: excluded)
      #expect(try query.ranked(db, limit: 9, excluding: excluded).map(\.rowID) == [3])
    }
  }

  @Test func relaxationSplitsCompoundWordsButNotPhrases() throws {
    let index = try index(["layer of a boundary", "boundary-layer", "layer"])
    #expect(try found("boundary-layer", in: index).rows == [2])
    #expect(Set(try found("boundary-layer xyz", in: index).rows) == [1, 2, 3])
    #expect(try found("\"boundary layer\" xyz", in: index).rows == [2])
  }

  @Test func functionWordsAloneDoNotMatch() throws {
    let english = AnalyzerConfiguration(language: "en")
    let index = try index(["what are they", "the laws of nature", "to be or not to be"], english)
    #expect(try found("what are the laws here", in: index).rows == [2])
    #expect(try found("the and xyz", in: index).rows == [])
    #expect(Set(try found("what of", in: index).rows) == [1, 2])
    #expect(try found("what are they", in: index).rows == [1])
    // Without a language, there are no function words.
    let plain = try self.index(["what are they", "the laws of nature"])
    #expect(Set(try found("what are the laws here", in: plain).rows) == [1, 2])
  }

  @Test func stopWordsCountTowardSentenceLength() throws {
    let index = try index(
      ["study of the creep", "study creep"], AnalyzerConfiguration(language: "en", stopWords: .language))
    #expect(Set(try found("a study of the creep", in: index).rows) == [1, 2])
    #expect(try found("study buckling creep", in: index).isRelaxed)
  }

  @Test func functionWordsInFieldsAloneDoNotMatch() throws {
    let index = try index(["what are they", "the laws of nature"], AnalyzerConfiguration(language: "en"))
    #expect(try found("text:the zebra", in: index).rows == [])
    #expect(try found("text:the text:laws laws xyz", in: index).rows == [2])
    #expect(try found("text:the", in: index).rows == [2])
  }

  @Test func relaxationKeepsFieldsAndSynonyms() throws {
    let index = try TestIndex(
      ["title", "text"], AnalyzerConfiguration(synonyms: [try SynonymRule("new york, big apple")]))
    try index.insert(1, #"{"text":"york castle"}"#)
    try index.insert(2, #"{"text":"the big apple"}"#)
    try index.insert(3, #"{"text":"a big dog"}"#)
    try index.insert(4, #"{"title":"zebra"}"#)
    try index.insert(5, #"{"text":"zebra"}"#)
    #expect(Set(try found("new york zeppelin", in: index).rows) == [1, 2])
    // The condition on the field alone is not enough: one of the other words must match.
    #expect(try found("title:zebra zeppelin", in: index).rows == [])
    try index.queue.read { db in
      let inTitle = try query("zebra zeppelin", in: index, fields: ["title"], db).chosen(db)
      #expect(try inTitle.ranked(db, limit: 9).map(\.rowID) == [4])
    }
  }

  @Test func relaxedScoresEqualThoseOfDisjunction() throws {
    let index = try index(["red hat", "blue shoe", "red shoe hat", "green"])
    try index.queue.read { db in
      let relaxed = try query("red shoe boat", in: index, db).chosen(db)
      let disjunction = try FullTextQuery(MatchParser().parse("red OR shoe OR boat"), in: index.index)
      #expect(try relaxed.ranked(db, limit: 9) == disjunction.ranked(db, limit: 9))
    }
  }

  @Test func singleWordCannotBeRelaxed() throws {
    let index = try index(["red"])
    func canBeRelaxed(_ box: String) throws -> Bool {
      try index.queue.read { try query(box, in: index, $0).anyWord() != nil }
    }
    #expect(try canBeRelaxed("red") == false)
    #expect(try canBeRelaxed("red -blue") == false)
    #expect(try canBeRelaxed("red blue"))
  }
}
