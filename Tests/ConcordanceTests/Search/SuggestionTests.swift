@testable import Concordance
import Testing

@Suite struct SuggestionTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try files.save("a", #"{"title":"Memory barriers","text":"A barrier orders memory. Barriers are cheap."}"#)
    try files.save("b", #"{"title":"Bars","text":"A barkeeper works in a barn, near the barrier."}"#)
    try files.save("c", #"{"title":"Barn","text":"The barn has no memory of the café."}"#)
    try files.save("d", #"{"title":"Bars","text":"Bars and barns."}"#)
  }

  @Test func wordsInTheMostDocumentsComeFirst() throws {
    let suggestions = try files.collection.suggestions(for: "bar")
    #expect(suggestions.prefix(3).map(\.word) == ["barn", "barrier", "bars"])
    #expect(suggestions.map(\.documentCount) == [3, 2, 2, 1, 1, 1])
  }

  @Test(arguments: [
    // Only words that occur together with the preceding words.
    ("memory bar", ["memory barn", "memory barrier", "memory barriers"]),
    ("cheap -x \"memory bar", ["cheap -x \"memory barrier", "cheap -x \"memory barriers"]),
    ("title:bar", ["title:bars", "title:barn", "title:barrier", "title:barriers"]),
    ("CAF", ["cafe"]), ("(bark", ["(barkeeper"]),
    // Nothing to complete.
    ("memory ", []), ("", []), ("-bar", []), ("bar*", []), ("zzz", []), ("bar.", []),
    // A typo.
    ("memmory", ["memory"]),
  ])
  func suggestions(query: String, expected: [String]) throws {
    #expect(try files.collection.suggestions(for: query).map(\.text) == expected)
  }

  @Test func fieldRestrictsTheSuggestions() throws {
    #expect(
      try files.collection.suggestions(for: "bar", field: "title").map(\.word) == [
        "bars", "barn", "barrier", "barriers",
      ])
    expectError(CBLError.invalidQuery, "no field \"nope\"") {
      _ = try files.collection.suggestions(for: "bar", field: "nope")
    }
  }

  @Test func limitIsApplied() throws {
    #expect(try files.collection.suggestions(for: "b", limit: 2).count == 2)
    #expect(try files.collection.suggestions(for: "b", limit: 0).isEmpty)
    #expect(try files.collection.suggestions(for: "b", limit: .max).count == 6)
    expectError(CBLError.invalidParameter) { _ = try files.collection.suggestions(for: "b", limit: -1) }
  }

  @Test func deletedWordsAreNotSuggested() throws {
    let document = try #require(try files.collection.document(id: "b"))
    try files.collection.delete(document: document)
    #expect(try files.collection.suggestions(for: "bark").isEmpty)
  }

  @Test func termsHaveTheirFrequencies() throws {
    let terms = try files.collection.terms(beginningWith: "memor")
    #expect(terms == [SearchTerm(text: "memori", 2, 3), SearchTerm(text: "memory", 2, 3)])
    #expect(try files.collection.terms(order: .term, limit: 2).map(\.text) == ["a", "and"])
    #expect(try files.collection.terms(beginningWith: "zzz").isEmpty)
    expectError(CBLError.missingIndex) { _ = try files.collection.terms(index: "nope") }
    expectError(CBLError.invalidParameter) { _ = try files.collection.terms(limit: -1) }
  }
}

extension SearchTerm {
  fileprivate init(text: String, _ documents: Int, _ occurrences: Int) {
    self.init(text: text, documentFrequency: documents, occurrences: occurrences)
  }
}
