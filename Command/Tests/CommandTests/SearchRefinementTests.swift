import Foundation
import Testing

/// `concord search` with conditions, orders, facets and explanations.
struct SearchRefinementTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let records = [
      #"{"_id":"a","text":"coffee coffee by the sea","type":"bar","price":4,"tags":["old","new","old"]}"#,
      #"{"_id":"b","text":"coffee","type":"hotel","price":2.5,"tags":["new"]}"#,
      #"{"_id":"c","text":"coffee beans and tea","type":"bar","price":true,"tags":[]}"#,
      #"{"_id":"d","text":"tea","type":"bar","price":1}"#,
    ]
    try folder.write("r.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("index", "r.jsonl", "--fields", "text").status == 0)
  }

  @Test func conditionsFilterHits() throws {
    #expect(try folder.search("coffee", "--where", "type = 'bar'").sorted() == ["a", "c"])
    #expect(
      try folder.search(
        "coffee", "--where", "price < $most AND type = $type", "--param", "most=3", "--param", "type=hotel")
        == ["b"])
    #expect(try folder.concord("search", "--count", "coffee", "--where", "type = 'bar'").output == "2\n")
    #expect(try folder.search("coffee", "--select", "type=hotel", "--select", "type=nothing") == ["b"])
    #expect(try folder.search("coffee", "--select", "price=true") == ["c"])
    #expect(try folder.concord("search", "coffee", "--where", "type = 'x'").status == 1)
  }

  @Test func errorsInConditionsShowTheirPosition() throws {
    let result = try folder.concord("search", "coffee", "--where", "price < < 3")
    #expect(result.status == 2)
    #expect(result.messages.contains("where: line 1, column 9"))
    #expect(result.messages.contains("\n  price < < 3\n          ^\n"))
    let sort = try folder.concord("search", "coffee", "--sort", "price DESK")
    #expect(sort.status == 2 && sort.messages.contains("sort: ") && sort.messages.contains("^"))
    let unset = try folder.concord("search", "coffee", "--where", "price < $most")
    #expect(unset.status == 2 && unset.messages.contains("--param NAME=VALUE"))
    #expect(try folder.concord("search", "coffee", "--param", "a=1").status == 2)
    #expect(try folder.concord("search", "coffee", "--facet", "a..b").status == 2)
    #expect(try folder.concord("search", "coffee", "--facet", "type:-1").status == 2)
  }

  @Test func hitsAreSortedByTheGivenOrder() throws {
    #expect(try folder.search("coffee", "--sort", "META().id DESC") == ["c", "b", "a"])
    #expect(try folder.search("coffee", "--sort", "type, price DESC") == ["a", "c", "b"])
  }

  @Test func facetsFollowTheHits() throws {
    let result = try folder.concord(
      "search", "coffee", "-n1", "--facet", "type", "--facet", "tags:1", "--facet", "price")
    #expect(
      result.output.hasSuffix(
        """

        type  (3 documents)
            2  bar
            1  hotel

        tags  (2 documents)
            2  new
            and 1 other value

        price  (3 documents, 2.5 to 4)
            1  true
            1  2.5
            1  4

        """), "\(result.output)")
    #expect(result.messages.hasPrefix("1 of 3 hits"))
  }

  @Test func valuesOfDifferentTypesAreDistinguished() throws {
    let records = [
      #"{"_id":"e","text":"pear","cat":"7","tags":["true"," x","a b"]}"#,
      #"{"_id":"f","text":"pear","cat":8,"tags":["null","",true]}"#,
    ]
    try folder.write("likes.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("index", "likes.jsonl", "--fields", "text").status == 0)
    let facets = try folder.concord("search", "pear", "--facet", "cat", "--facet", "tags")
    #expect(facets.output.contains("    1  8\n    1  \"7\"\n"), "\(facets.output)")
    for name in ["true", "\"\"", "\" x\"", "a b", "\"null\"", "\"true\""] {
      #expect(facets.output.contains("    1  \(name)\n"), "\(name): \(facets.output)")
    }
    let number = try folder.concord("search", "pear", "--select", "cat=7")
    #expect(
      number.status == 1
        && number.messages.contains(
          "no matching document has the number 7 in cat, but some have the string \"7\": --select 'cat=\"7\"'\n")
    )
    let string = try folder.concord("search", "pear", "--select", "cat=\"8\"", "--select", "cat=\"7\"")
    #expect(string.status == 0 && string.messages.contains("has the string \"8\" in cat, but some have the number 8"))
    #expect(!string.messages.contains("string \"7\""))
    #expect(try folder.concord("search", "pear", "--select", "cat=\"7\"").messages.hasPrefix("1 hit"))
    #expect(!(try folder.concord("search", "pear", "--select", "cat=9").messages.contains("but some")))
  }

  @Test func facetsAreTheLastLineOfJSON() throws {
    let result = try folder.concord(
      "search", "--json", "coffee", "--facet", "type", "--select", "type=hotel", "--facet", "price")
    #expect(result.lines.count == 2)
    #expect(
      result.lines.last == """
        {"total":1,"facets":[{"property":"type","values":[{"value":"bar","count":2},{"value":"hotel","count":1}],\
        "others":0,"documents":3,"min":null,"max":null},{"property":"price","values":[{"value":2.5,"count":1}],\
        "others":0,"documents":1,"min":2.5,"max":2.5}]}
        """)
  }

  @Test func scoresAreExplained() throws {
    let people = try folder.concord("search", "coffee OR tea", "--explain").lines
    #expect(people.contains { $0.hasSuffix("  any of") })
    #expect(people.contains { $0.contains("coffee  idf ") && $0.contains("(in 3 of 4 documents) × frequency ") })
    #expect(people.contains { $0.contains("text: 2 times in 5 terms, mean ") })
    let hit = try JSONText(try folder.concord("search", "--json", "--explain", "coffee tea").lines[0])
    #expect(hit.keys.last == "explanation")
    let explanation = try #require(hit.object("explanation"))
    #expect(explanation["score"] as? Double == hit.members["score"] as? Double)
    let parts = try #require(explanation["all"] as? [[String: Any]])
    let scores = parts.compactMap { $0["score"] as? Double }
    // Foundation does not parse every double exactly.
    let sum = scores.dropFirst().reduce(scores[0], +)
    #expect(scores.count == 2 && abs(sum - (hit.members["score"] as? Double ?? 0)) < 1e-12)
    #expect(
      Set(parts[0].keys) == ["score", "term", "documents", "of", "idf", "saturation", "k1", "b", "weight", "fields"])
    let field = try #require((parts[0]["fields"] as? [[String: Any]])?.first)
    #expect(
      Set(field.keys) == ["field", "frequency", "length", "averageLength", "weight", "weightedFrequency"])
  }
}
