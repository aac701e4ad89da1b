import Foundation
import Testing

/// `explain`, `create-index`, `drop-index`, and value indexes in `indexes` and `optimize`.
struct ValueIndexTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.jsonl",
      #"""
      {"_id":"h1","type":"hotel","name":"Ghia","city":"Lyon","rooms":[{"beds":2},{"beds":3}]}
      {"_id":"h2","type":"hotel","name":"Arc","city":"Riga"}
      {"_id":"l1","type":"landmark","name":"Tower","city":"Lyon"}

      """#)
    #expect(try folder.concord("index", "--no-patterns", "r.jsonl").status == 0)
  }

  private static let query = #"SELECT name FROM _ WHERE city = "Lyon""#

  @Test func explanationsAreTextOrJSON() throws {
    let text = try folder.concord("explain", ValueIndexTests.query)
    #expect(text.status == 0)
    #expect(text.messages.isEmpty)
    #expect(text.lines[0] == "SELECT name FROM _ WHERE city = 'Lyon'")
    #expect(text.output.contains("every document of _default._default is read"))
    #expect(try folder.concord("query", "--explain", ValueIndexTests.query).output == text.output)

    let json = try folder.concord("explain", "--json", ValueIndexTests.query)
    #expect(json.lines.count == 1)
    #expect(try JSONText(json.output).objects("steps")?.first?["access"] as? String == "scan")
    for option in [["--json"], ["--format", "json"], ["--format", "jsonl"]] {
      let same = try ConcordProcess.run(["query", "--explain", ValueIndexTests.query] + option, in: folder)
      #expect(same.output == json.output)
    }
  }

  @Test func explanationsNeedNoParametersAndNoRows() throws {
    #expect(try folder.concord("explain", "SELECT name FROM _ WHERE city = $city").status == 0)
    #expect(try folder.concord("explain", "SELECT name FROM _ WHERE city = 'nowhere'").status == 0)
    let wrong = try folder.concord("explain", "SELECT name FROM _ WHERE")
    #expect(wrong.status == 2)
    #expect(wrong.messages.contains("\n                          ^\n"), "\(wrong.messages)")
  }

  @Test(arguments: ["LOWER(name)", "name,city", "'name'"]) func patternIndexesAcceptOnlyProperties(expression: String)
    throws
  {
    let refused = try folder.concord("create-index", "p", "--patterns", expression)
    #expect(refused.status == 2)
    #expect(refused.messages.contains("backticks"), "\(refused.messages)")
    #expect(try folder.concord("index", "--fields", "LOWER(name)", "r.jsonl").status == 2)
  }

  @Test func indexIsCreatedAndUsed() throws {
    let made = try folder.concord("create-index", "by_city", "city", "name")
    #expect(made.status == 0)
    #expect(made.output.isEmpty)
    #expect(made.messages.hasPrefix("index by_city: 3 documents, "))
    #expect(try folder.concord("explain", ValueIndexTests.query).output.contains("value index \"by_city\" is searched"))
    #expect(try folder.concord("query", "--json", ValueIndexTests.query).lines.count == 2)
    _ = try folder.concord("put", "h3", #"{"city":"Lyon","name":"New"}"#)
    #expect(try folder.concord("query", "--json", ValueIndexTests.query).lines.count == 3)
    #expect(try folder.concord("optimize", "--rebuild").status == 0)
    #expect(try folder.concord("verify").status == 0)
    #expect(try folder.concord("query", "--json", ValueIndexTests.query).lines.count == 3)
  }

  /// The size does not depend on whether the index was created by this process.
  @Test func theSizeOfANewPatternIndexIsComplete() throws {
    try folder.write("a.json", #"{"name": "a name with some trigrams"}"#)
    _ = try folder.concord("index", "a.json")
    let new = try folder.concord("create-index", "p", "name", "--patterns", "--json").output
    let listed = try folder.concord("indexes", "--json").output
    #expect(!new.isEmpty && listed.contains(new))
  }

  @Test func indexesOfEveryKindAreListed() throws {
    _ = try folder.concord("create-index", "by_name", "LOWER(name)", "--where", #"type = "hotel""#)
    let made = try folder.concord("create-index", "by_beds", "beds", "--array", "rooms", "--json")
    _ = try folder.concord("create-index", "in_name", "name", "--patterns")
    let lines = try folder.concord("indexes", "--json").lines
    #expect(made.lines == [lines[0]])
    let objects = try lines.map { try JSONText($0) }
    #expect(objects.map { $0.string("name") } == ["by_beds", "by_name", "in_name", "search"])
    #expect(objects.map { $0.string("kind") } == ["array", "value", "pattern", "full-text"])
    #expect(Set(objects.map(\.keys)).count == 1)
    #expect(objects[0].string("path") == "rooms")
    #expect(objects[0].members["expressions"] as? [String] == ["beds"])
    #expect(objects[0].int("documents") == 1)
    #expect(objects[1].members["expressions"] as? [String] == ["LOWER(name)"])
    #expect(objects[1].string("where") == "type = 'hotel'")
    #expect(objects[1].int("documents") == 2)
    #expect(objects[1].members["fields"] as? [String] == [])
    #expect(objects[1].members["accents"] is NSNull)
    #expect(objects[2].members["fields"] as? [String] == ["name"])
    #expect(objects[3].members["where"] is NSNull)

    let table = try folder.concord("indexes").lines
    #expect(table[0].hasPrefix("name     kind       collection         fields "))
    #expect(table[1].hasPrefix("by_beds  array      _default._default  rooms[]: beds "))
    #expect(table[2].hasPrefix("by_name  value      _default._default  LOWER(name) WHERE type = 'hotel' "))
    #expect(table[3].hasPrefix("in_name  pattern    _default._default  name "))
    #expect(table[4].hasPrefix("search   full text  _default._default  * "))
  }

  @Test func sameIndexAgainDoesNothing() throws {
    _ = try folder.concord("create-index", "by_city", "city")
    let again = try folder.concord("create-index", "by_city", "`city`")
    #expect(again.status == 0)
    #expect(again.messages == "index by_city: already exists\n")
  }

  @Test func fullTextIndexMayBePartial() throws {
    let made = try folder.concord(
      "create-index", "inns", "--full-text", "name", "--where", #"type = "hotel""#, "--language", "en", "--json")
    #expect(made.status == 0, "\(made.messages)")
    #expect(made.output.contains(#""kind":"full-text""#) && made.output.contains(#""language":"en""#))
    #expect(made.output.contains(#""where":"type = 'hotel'""#))
    let again = try folder.concord(
      "create-index", "inns", "--full-text", "name", "--where", "type = 'hotel'", "--language", "en")
    #expect(again.status == 0 && again.messages == "index inns: already exists\n")
    #expect(try folder.concord("indexes", "--json").output.contains(#""accents":"fold""#))
    let other = try folder.concord("create-index", "inns", "--full-text", "name")
    #expect(other.status == 2 && other.messages.contains("there is another index \"inns\""))
    #expect(try folder.concord("verify").status == 0)
  }

  @Test(arguments: [
    (["x", "name", "--language", "en"], "--language, --accents, --code and --stop-words need --full-text"),
    (["x", "name", "--full-text", "--patterns"], "--patterns and --full-text cannot be combined"),
    (["x", "name", "--full-text", "--array", "rooms"], "--full-text cannot be combined with --array"),
    (["x", "LOWER(name)", "--full-text"], "an index with --full-text takes only properties"),
    (["x", "name", "--full-text", "--stop-words", "language"], "give one with --language"),
    (["x", "name", "--full-text", "--where", "type ="], "type ="),
  ])
  func invalidFullTextIndexesAreRejected(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(["create-index"] + arguments, in: folder)
    #expect(result.status == 2 && result.messages.contains(message), "\(result.messages)")
  }

  @Test(arguments: [
    ["by_city", "name"], ["by_city", "--array", "rooms"], ["by_city", "city", "--where", "name = 'x'"],
  ])
  func differentIndexWithTheSameNameIsKept(arguments: [String]) throws {
    _ = try folder.concord("create-index", "by_city", "city")
    let before = try folder.concord("indexes", "--json").output
    let result = try ConcordProcess.run(["create-index"] + arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("there is another index \"by_city\" in _default._default: city; "))
    #expect(try folder.concord("indexes", "--json").output == before)
    #expect(try folder.concord("verify").status == 0)
  }

  @Test(arguments: [
    ["by_city"], ["search", "city"], ["by_city", "city", "--array", "rooms", "--where", "a = 1"],
    ["by_city", "LOWER(city"],
    ["by_city", "city", "--where", "type ="], ["by_city", "city", "-c", "nowhere"],
    ["by_city", "city", "-d", "none.concord"],
    ["by_city", "--array", "rooms["], [],
  ])
  func invalidCombinationsAreStatus2(arguments: [String]) throws {
    let result = try ConcordProcess.run(["create-index"] + arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: "))
    #expect(result.output.isEmpty)
    #expect(try folder.concord("indexes", "--json").lines.count == 1)
  }

  @Test func errorsInExpressionsShowTheirPosition() throws {
    let result = try folder.concord("create-index", "x", "LOWER(city")
    #expect(result.messages.hasPrefix("concord: line 1, column 6: '(' is never closed\n  LOWER(city\n       ^\n"))
  }

  @Test func indexesAreDropped() throws {
    _ = try folder.concord("create-index", "by_city", "city")
    let result = try folder.concord("drop-index", "by_city", "nope", "--json")
    #expect(result.status == 1)
    #expect(result.output == "{\"deleted\":[\"by_city\"],\"missing\":[\"nope\"]}\n")
    #expect(result.messages.contains("there is no index \"nope\" in _default._default\n"))
    #expect(result.messages.contains("index by_city deleted\n"))
    #expect(try folder.concord("drop-index", "search").status == 0)
    #expect(try folder.concord("indexes").status == 1)
    #expect(try folder.concord("query", "--json", ValueIndexTests.query).lines.count == 2)
  }
}
