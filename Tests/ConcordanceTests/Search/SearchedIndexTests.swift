import Concordance
import Testing

/// The full-text index that a search uses if the collection has several.
@Suite struct SearchedIndexTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func createIndexes(_ names: String...) throws {
    for name in names { try files.collection.createIndex(withName: name, config: FullTextIndexConfiguration(["text"])) }
  }

  @Test func onlyIndexIsSearched() throws {
    try createIndexes("one")
    try files.collection.createIndex(withName: "byText", config: ValueIndexConfiguration(["text"]))
    #expect(try files.collection.searchedIndexDescription().name == "one")
  }

  @Test func defaultNameIsSearchedAmongSeveral() throws {
    try createIndexes("a", Collection.defaultFullTextIndexName)
    #expect(try files.collection.searchedIndexDescription().name == Collection.defaultFullTextIndexName)
    #expect(try files.collection.searchedIndexDescription(named: "a").name == "a")
  }

  @Test func severalWithoutTheDefaultNameAreAnError() throws {
    try createIndexes("a", "b")
    expectError(CBLError.missingIndex) { _ = try files.collection.searchedIndexDescription() }
  }

  @Test(arguments: ["nope", "byText"]) func otherNamesAreErrors(name: String) throws {
    try createIndexes("a")
    try files.collection.createIndex(withName: "byText", config: ValueIndexConfiguration(["text"]))
    expectError(CBLError.missingIndex) { _ = try files.collection.searchedIndexDescription(named: name) }
  }
}
