import JSONText
import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct HighlightTests {
  @Test func rangesCoverMatchingWords() throws {
    let index = try TestIndex(["title", "text"], AnalyzerConfiguration(language: "en"))
    let text = "Die Straße: memory “barriers” are for CPUs, a barrier-free MEMORY model."
    let (matches, _) = try index.highlight("memory barrier", "{\"title\":\"x\",\"text\":\"\(text)\"}")
    let words = matches.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    #expect(words == ["memory", "barriers", "barrier", "MEMORY"])
    #expect(matches.allSatisfy { $0.path == "text" })
  }

  @Test func pathsIdentifyMatchingStrings() throws {
    let index = try TestIndex(["reviews[].content", "*"])
    let (matches, _) = try index.highlight(
      "loud", #"{"reviews":[{"content":"fine"},{"content":["so loud"]}],"tags":["x","loud"]}"#)
    #expect(matches.map { "\($0.path) \($0.range)" } == ["reviews[1].content[0] 3..<7", "tags[1] 0..<4"])
  }

  @Test(arguments: [
    ("\"b c\"", "a b c b d c", ["b c"]),
    ("b*", "ab b bc", ["b", "bc"]),
    ("b NOT c", "b d", ["b"]),
    ("NEAR(a b, 1)", "a x b x x x a x x b", ["a", "b"]),
    ("^a", "a b a", ["a"]),
    ("\"a b\" OR b", "a b b", ["a b", "b"]),
    ("text: a", "a", ["a"]),
    ("title: a", "a", []),
  ])
  func matchesAreMarked(query: String, text: String, expected: [String]) throws {
    let index = try TestIndex(["title", "text"])
    let (matches, _) = try index.highlight(query, "{\"text\":\"\(text)\"}")
    #expect(matches.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == expected)
  }

  @Test func nearMatchesAcrossStringsAreMarked() throws {
    let index = try TestIndex(["tags"])
    let (matches, _) = try index.highlight("NEAR(b c, 1)", #"{"tags":["a b","c d"]}"#)
    #expect(matches.map { "\($0.path) \($0.range)" } == ["tags[0] 2..<3", "tags[1] 0..<1"])
  }

  @Test func identifiersAndTheirPartsAreMarked() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(code: true))
    let text = "call spin_lock_irqsave(flags)"
    func marked(_ query: String) throws -> [String] {
      try index.highlight(query, "{\"text\":\"\(text)\"}").matches
        .map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    }
    #expect(try marked("spin_lock_irqsave") == ["spin_lock_irqsave"])
    #expect(try marked("lock") == ["lock"])
    #expect(try marked("spin") == ["spin"])
    #expect(try marked("\"spin lock\"") == ["spin_lock"])
  }

  @Test func snippetShowsAdjacentOccurrencesOfWords() throws {
    let index = try TestIndex(["text"])
    let filler = String(repeating: "some other words that fill the page up. ", count: 20)
    let text = "memory first. " + filler + "Here a memory barrier\\n\\n  orders stores. " + filler + "barrier last."
    let snippets = try index.highlight("memory barrier", "{\"text\":\"\(text)\"}", length: 80).snippets
    let snippet = try #require(snippets.first)
    #expect(snippet.text.contains("memory barrier orders stores"))
    #expect(snippet.continuesBefore && snippet.continuesAfter)
    let marked = snippet.matches.map { String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self) }
    #expect(marked == ["memory", "barrier"])
  }

  @Test func snippetEndsAtWordBoundaries() throws {
    let index = try TestIndex(["text"])
    let snippets = try index.highlight(
      "needle OR pin", #"{"text":"something needle and a pin otherwise"}"#, length: 20
    ).snippets
    #expect(snippets.map(\.text) == ["needle and a pin"])
  }

  @Test func snippetShowsTheWholeWordThatContainsAMatch() throws {
    let index = try TestIndex(["text"])
    let text = #"{"text":"alpha beta signal-safety(7) for a list of functions that are safe"}"#
    #expect(try index.highlight("signal", text, length: 15).snippets.map(\.text) == ["signal-safety(7)"])
    let adjacent = try index.highlight("signal OR list", text, snippets: 2, length: 15).snippets
    #expect(adjacent.map(\.text) == ["signal-safety(7)", "a list of"])
    let start = #"{"text":"the functions async-signal are listed"}"#
    #expect(try index.highlight("signal", start, length: 12).snippets.map(\.text) == ["async-signal are"])
  }

  @Test func snippetComesFromFieldWithHigherWeight() throws {
    let index = try TestIndex(["title", "text"])
    let json = #"{"title":"a lamp","text":"a lamp, and a lamp, and more"}"#
    #expect(try index.highlight("lamp", json).snippets.map(\.path) == ["text"])
    #expect(try index.highlight("lamp", json, weights: ["title": 2]).snippets.map(\.path) == ["title"])
  }

  @Test func snippetsAreOrderedAndDoNotOverlap() throws {
    let index = try TestIndex(["text"])
    let filler = String(repeating: "lorem ipsum dolor sit amet ", count: 10)
    let text = "alpha " + filler + "beta " + filler + "alpha beta " + filler
    let snippets = try index.highlight("alpha OR beta", "{\"text\":\"\(text)\"}", snippets: 3, length: 60).snippets
    #expect(snippets.count == 3)
    #expect(snippets.map { $0.matches.count } == [1, 1, 2])
  }

  @Test func snippetWithoutMatchIsBeginningOfText() throws {
    let index = try TestIndex(["title", "text"])
    let snippets = try index.highlight("x", #"{"title":"t","text":"the beginning of it"}"#).snippets
    #expect(snippets.map(\.text) == ["the beginning of it"])
    #expect(try index.highlight("x", #"{}"#).snippets.isEmpty)
  }

  @Test(arguments: ["👩‍👩‍👧", "👍🏽", "u\u{301}", "ก\u{E33}", "ක\u{DD2}", "🇩🇪", "\u{1112}\u{1161}\u{11AB}"] as [Character])
  func snippetsBeginAndEndBetweenGraphemes(cluster: Character) throws {
    let index = try TestIndex(["text"])
    let side = String(repeating: cluster, count: 60)
    for length in 5...90 {
      let snippets = try index.highlight("pin", "{\"text\":\"\(side).pin.\(side)\"}", length: length).snippets
      let snippet = try #require(snippets.first)
      #expect(snippet.matches.count == 1)
      let others = snippet.text.filter { !".pin".contains($0) }
      #expect(others.allSatisfy { $0 == cluster }, "\(length)")
    }
  }

  @Test func linesOfSnippetsAreCountedInEachText() throws {
    let index = try TestIndex(["a", "b"])
    let filler = String(repeating: "some other words. ", count: 10)
    let text = "first \(filler)\\n\\nneedle \(filler)\\nneedle \(filler)\\n\\nneedle"
    let snippets = try index.highlight(
      "needle", "{\"a\":\"\(text)\",\"b\":\"\(text)\"}", snippets: 6, length: 20
    ).snippets
    #expect(snippets.map(\.path) == ["a", "a", "a", "b", "b", "b"])
    #expect(snippets.map(\.line) == [3, 4, 6, 3, 4, 6])
  }

  @Test func snippetsConsistOfWholeCharacters() throws {
    var random = SeededGenerator(seed: 9)
    let index = try TestIndex(["text"])
    let pieces = ["é", "東", "👩‍👩‍👧", " ", "\\n", "word", "Łódź", "\u{301}", ".", "ไทย", "needle", "א"]
    for _ in 0..<400 {
      let text = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let (matches, snippets) = try index.highlight(
        "needle OR 東", "{\"text\":\"\(text)\"}", snippets: 2, length: Int.random(in: 1...80, using: &random))
      for snippet in snippets {
        #expect(!snippet.text.unicodeScalars.contains("\u{FFFD}"))
        for range in snippet.matches {
          #expect(String(validating: Array(snippet.text.utf8)[range], as: UTF8.self) != nil)
          #expect(!range.isEmpty)
        }
      }
      if !matches.isEmpty { #expect(snippets.contains { !$0.matches.isEmpty }, "\(text)") }
    }
  }
}
