import Foundation
import Testing

struct SearchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "docs/harbour.md", "# The Harbour\n\nThe café by the harbour sells coffee. Long Street is near.\n")
    try folder.write(
      "docs/market.md", "# Market\n\nCoffee beans at the market, and `naïve` painters in Straße 4.\n")
    try folder.write("notes.txt", "plain notes about tea\n")
    #expect(try folder.concord("index", "docs", "notes.txt").status == 0)
  }

  @Test func hitsAsJSONHaveTheseKeysInThisOrder() throws {
    let result = try folder.concord("search", "--json", "coffee")
    #expect(result.status == 0)
    #expect(result.lines.count == 2)
    for (number, line) in result.lines.enumerated() {
      let hit = try JSONText(line)
      #expect(hit.keys == ["rank", "id", "collection", "score", "title", "snippet", "matches"])
      #expect(hit.int("rank") == number + 1)
      #expect(hit.string("collection") == "_default._default")
      let matches = try #require(hit.objects("matches"))
      #expect(matches.allSatisfy { Set($0.keys).subtracting(["line"]) == ["field", "start", "end"] })
    }
  }

  @Test func documentIsTheLastKeyOnRequest() throws {
    let hit = try JSONText(try folder.concord("search", "--json", "--document", "tea").lines[0])
    #expect(hit.keys.last == "document")
    #expect(hit.object("document")?["text"] as? String == "plain notes about tea\n")
  }

  @Test func missingTitleIsNull() throws {
    try folder.write("r.jsonl", #"{"_id":"r","body":"zebra crossing"}"#)
    _ = try folder.concord("index", "r.jsonl")
    let hit = try JSONText(try folder.concord("search", "--json", "zebra").lines[0])
    #expect(hit.members["title"] is NSNull)
  }

  @Test(arguments: [
    ("cafe", ["café"]), ("strasse", ["Straße"]), ("naive", ["naïve"]), ("long street", ["Long", "Street"]),
  ])
  func rangesAreBytesOfTheField(query: String, words: [String]) throws {
    let result = try folder.concord("search", "--json", "--document", query)
    let hit = try JSONText(try #require(result.lines.first))
    let document = try #require(hit.object("document"))
    let found = try #require(hit.objects("matches")).map { match -> String in
      let text = Array(((document[match["field"] as? String ?? ""] as? String) ?? "").utf8)
      let start = match["start"] as? Int ?? 0
      let end = match["end"] as? Int ?? 0
      return String(decoding: text[start..<end], as: UTF8.self)
    }
    #expect(found == words)
  }

  @Test func snippetIsPlainText() throws {
    let hit = try JSONText(try folder.concord("search", "--json", "--color", "always", "harbour").lines[0])
    let snippet = try #require(hit.string("snippet"))
    #expect(snippet.contains("harbour"))
    #expect(!snippet.contains("\u{1B}"))
  }

  @Test func textOutputShowsRankIDTitleScoreAndSnippet() throws {
    let result = try folder.concord("search", "street")
    #expect(result.lines[0].hasPrefix("1. docs/harbour.md:3  The Harbour  ("))
    #expect(result.lines[1].hasPrefix("    "))
    #expect(result.lines[1].contains("Long Street"))
    #expect(result.messages.hasPrefix("1 hit, "))
  }

  @Test func limitAndOffsetSelectPages() throws {
    let all = try folder.concord("search", "--json", "coffee").lines
    let second = try folder.concord("search", "--json", "coffee", "-n1", "--offset", "1")
    #expect(second.lines == [all[1]])
    #expect(second.messages.hasPrefix("1 of 2 hits"))
    #expect(try folder.concord("search", "coffee", "--offset", "9").status == 1)
  }

  @Test func countPrintsTheNumberOfMatches() throws {
    #expect(try folder.concord("search", "--count", "coffee").output == "2\n")
    #expect(try folder.concord("search", "--count", "--json", "coffee").output == "{\"count\":2}\n")
    let none = try folder.concord("search", "--count", "zebra")
    #expect(none.output == "0\n")
    #expect(none.status == 1)
  }

  @Test func fieldsAndWeightsChangeTheHits() throws {
    #expect(try folder.search("harbour", "--fields", "title") == ["docs/harbour.md"])
    #expect(try folder.search("coffee", "--fields", "title") == [])
    let unknown = try folder.concord("search", "--fields", "nope", "coffee")
    #expect(unknown.status == 2)
    #expect(unknown.messages.contains("no field \"nope\""))
    #expect(try folder.search("market OR harbour", "--weight", "title=50", "--weight", "text=0.5").count == 2)
    #expect(try folder.concord("search", "--weight", "title", "coffee").status == 2)
  }

  @Test func severalArgumentsAreOneQuery() throws {
    #expect(try folder.concord("search", "--json", "coffee", "beans").lines.count == 1)
    #expect(try folder.concord("search", "--json", "--", "coffee", "-beans").lines.count == 1)
  }

  @Test func nothingFoundIsStatus1() throws {
    for arguments in [["search", "zebra"], ["search", "--json", "zebra"]] {
      let result = try ConcordProcess.run(arguments, in: folder)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.messages.contains("nothing found"))
    }
  }

  @Test(arguments: ["...", "-", "\"", "()", "-!", "。、"])
  func punctuationIsNotAWord(query: String) throws {
    let result = try folder.concord("search", "--", query)
    #expect(result.status == 1)
    #expect(result.messages.contains("no word"))
  }

  @Test(arguments: ["", "  "])
  func emptyQueryIsAUsageError(query: String) throws {
    let result = try folder.concord("search", query)
    #expect(result.status == 2)
    #expect(result.messages.contains("the query is empty"))
  }

  @Test func syntaxErrorsOfFTS5ShowTheirPosition() throws {
    let result = try folder.concord("search", "--syntax", "fts5", "coffee AND (tea")
    #expect(result.status == 2)
    #expect(result.messages.contains("coffee AND (tea\n"))
    #expect(result.messages.contains("^"))
    #expect(try folder.search("coffee NOT beans", "--syntax", "fts5") == ["docs/harbour.md"])
  }
}
