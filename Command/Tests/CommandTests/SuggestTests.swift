import Foundation
import Testing

/// `suggest`, `terms`, and relaxed searches.
struct SuggestTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.md", "# Barriers\n\nA memory barrier orders memory.\n")
    try folder.write("b.txt", "The barn is a bar near the barrier.\n")
    #expect(try folder.concord("index", "a.md", "b.txt").status == 0)
  }

  @Test func suggestionsContainTheWholeQuery() throws {
    let result = try folder.concord("suggest", "memory", "bar")
    #expect(result.status == 0)
    #expect(result.lines == ["memory barrier", "memory barriers"])
    #expect(try folder.concord("suggest", "bar", "-n", "1").lines == ["barrier"])
    #expect(try folder.concord("suggest", "bar", "--field", "title").lines == ["barriers"])
  }

  @Test func suggestionsAsJSONHaveTheseKeys() throws {
    let line = try JSONText(try folder.concord("suggest", "--json", "memory bar").lines[0])
    #expect(line.keys == ["text", "word", "documents"])
    #expect(line.string("word") == "barrier" && line.int("documents") == 1)
  }

  @Test func noSuggestionsIsStatus1() throws {
    let result = try folder.concord("suggest", "zzz")
    #expect(result.status == 1 && result.output.isEmpty && result.messages.contains("nothing found"))
    #expect(try folder.concord("terms", "zzz").status == 1)
    #expect(try folder.concord("suggest", "bar", "--field", "nope").status == 2)
    #expect(try folder.concord("suggest", "bar", "-n", "0").status == 2)
  }

  @Test func termsAreListedWithTheirFrequencies() throws {
    #expect(
      try folder.concord("terms", "bar", "--sort", "term").output == """
        term      documents  occurrences
        bar               1            1
        barn              1            1
        barrier           2            2
        barriers          1            2

        """)
    let first = try JSONText(try folder.concord("terms", "mem", "--json").lines[0])
    #expect(first.keys == ["term", "documents", "occurrences"])
    #expect(first.string("term") == "memory" && first.int("documents") == 1 && first.int("occurrences") == 2)
    #expect(try folder.concord("terms", "-n", "2").lines.count == 3)
    #expect(try folder.concord("terms", "--all", "--json").lines.count > 8)
  }

  @Test func searchThatFindsNothingIsRelaxedWithAMessage() throws {
    let result = try folder.concord("search", "memroy")
    #expect(result.status == 0 && result.output.contains("a.md"))
    #expect(result.messages.contains("nothing found; showing results for memory (--exact: as typed)"))
    let any = try folder.concord("search", "memory", "barn")
    #expect(any.output.contains("a.md") && any.output.contains("b.txt"))
    #expect(any.messages.contains("too few documents have all of the words; showing documents with any of the words"))
  }

  @Test func relaxationIsReportedInJSON() throws {
    let hit = try JSONText(try folder.concord("search", "--json", "memroy").lines[0])
    #expect(
      hit.keys == [
        "rank", "id", "collection", "score", "title", "snippet", "matches", "relaxed", "didYouMean",
      ])
    #expect(hit.members["relaxed"] as? [String] == ["spelling"])
    #expect(hit.string("didYouMean") == "memory")
    let any = try JSONText(try folder.concord("search", "--json", "memroy", "barn").lines[0])
    #expect(any.members["relaxed"] as? [String] == ["anyWord"] && !any.keys.contains("didYouMean"))
    #expect(try !JSONText(folder.concord("search", "--json", "memory").lines[0]).keys.contains("relaxed"))
  }

  @Test func exactSearchesAndCountsAreNotRelaxed() throws {
    #expect(try folder.concord("search", "--exact", "memroy").status == 1)
    #expect(try folder.concord("search", "--count", "memroy").output == "0\n")
  }
}
