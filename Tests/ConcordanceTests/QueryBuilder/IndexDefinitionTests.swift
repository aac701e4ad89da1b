@testable import Concordance
import Foundation
import JSONText
import QueryModel
import Testing

/// Definitions of value and array indexes.
@Suite struct IndexDefinitionTests {
  @Test func valueIndexesOfTheBuilder() throws {
    let index = IndexBuilder.valueIndex(
      items: ValueIndexItem.property("type"), ValueIndexItem.property("geo.alt"),
      ValueIndexItem.expression(Function.lower(property("name"))))
    #expect(index.fault == nil)
    #expect(index.condition == nil)
    #expect(index.items == (try ["type", "geo.alt", "LOWER(name)"].map { try SQLParser().parseExpression($0) }))
    let partial = IndexBuilder.valueIndex(items: [ValueIndexItem.property("name")])
      .where(property("type").equalTo(string("hotel")))
    #expect(partial.condition == (try SQLParser().parseExpression("type = 'hotel'")))
    #expect(IndexBuilder.valueIndex(items: ValueIndexItem.property("a..b")).fault?.message.contains("a..b") == true)
    #expect(partial.where(property("c..")).fault?.message.contains("c..") == true)
  }

  @Test func configurationsAreReadAsSQL() throws {
    let config = ValueIndexConfiguration(
      ["type", "geo.alt", "LOWER(name)", "first name", "select", "`odd.key`.x"], where: "stars > 3 AND type = 'hotel'")
    #expect(config.expressions.count == 6)
    #expect(
      try config.items()
        == ["type", "geo.alt", "LOWER(name)", "`first name`", "`select`", "`odd.key`.x"].map {
          try SQLParser().parseExpression($0)
        })
    #expect(try config.condition() == SQLParser().parseExpression("stars > 3 AND type = 'hotel'"))
    #expect(try ValueIndexConfiguration(["a"]).condition() == nil)
    #expect(try ValueIndexConfiguration(["a"], where: "").condition() == nil)
  }

  /// A backslash escapes a dot in the paths of the query builder only.
  @Test func backslashesInPathsOfDefinitions() throws {
    let key = try SQLParser().parseExpression("`a.b`")
    #expect(IndexBuilder.valueIndex(items: ValueIndexItem.property(#"a\.b"#)).items == [key])
    let literal = try SQLParser().parseExpression(#"`a\`.b"#)
    #expect(try ValueIndexConfiguration([#"a\.b"#]).items() == [literal])
    #expect(try ArrayIndexConfiguration(path: #"a\.b"#).arrayPath() == PropertyPath([.key(#"a\"#), .key("b")]))
  }

  @Test(arguments: ["", "a..b", "LOWER(name", "name, type", "'x", "LOWERR(name)", "a = ;"])
  func nonExpressionIsRejected(text: String) throws {
    expectError(CBLError.invalidQuery) { _ = try ValueIndexConfiguration(["type", text]).items() }
    if !text.isEmpty {
      expectError(CBLError.invalidQuery) { _ = try ValueIndexConfiguration(["type"], where: text).condition() }
    }
    // A list that holds only an empty expression counts as an empty list.
    expectError(text.isEmpty ? CBLError.invalidParameter : CBLError.invalidQuery) {
      _ = try ArrayIndexConfiguration(path: "a", expressions: [text]).items()
    }
  }

  @Test func arrayIndexes() throws {
    let config = ArrayIndexConfiguration(path: "contacts[].phones", expressions: ["type", "LOWER(number)"])
    #expect(try config.arrayPath() == PropertyPath([.key("contacts"), .each, .key("phones")]))
    #expect(try config.items() == ["type", "LOWER(number)"].map { try SQLParser().parseExpression($0) })
    #expect(try ArrayIndexConfiguration(path: "likes").items().isEmpty)
    #expect(try ArrayIndexConfiguration(path: "likes[]").arrayPath() == PropertyPath([.key("likes")]))
    for path in ["", "a..b", "[]", "[].a", "a[x]"] {
      expectError(CBLError.invalidParameter) { _ = try ArrayIndexConfiguration(path: path).arrayPath() }
    }
  }

  @Test func indexesAreFoundByName() throws {
    let files = try TemporaryDatabase()
    let indexable: any Indexable = files.collection
    try indexable.createIndex(IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name")), name: "text")
    let index = try #require(try indexable.index(withName: "text"))
    #expect(index.name == "text")
    #expect(index.collection == files.collection)
    #expect(try indexable.index(withName: "other") == nil)
    try indexable.deleteIndex(forName: "text")
    #expect(try indexable.indexes().isEmpty)
  }

  @Test func everyKindOfIndexIsFoundByName() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(
      IndexBuilder.valueIndex(items: ValueIndexItem.property("name")).where(Expression.property("name").isValued()),
      name: "built")
    try files.collection.createIndex(withName: "value", config: ValueIndexConfiguration(["name", "LOWER(name)"]))
    try files.collection.createIndex(withName: "array", config: ArrayIndexConfiguration(path: "names"))
    #expect(try files.collection.indexes() == ["array", "built", "value"])
    #expect(try files.collection.index(withName: "built")?.name == "built")
    let descriptions = try files.collection.valueIndexDescriptions()
    #expect(descriptions.map(\.path) == ["names", nil, nil])
    #expect(descriptions.map(\.where) == [nil, "name IS VALUED", nil])
    #expect(descriptions.map(\.expressions) == [[], ["name"], ["name", "LOWER(name)"]])
  }

  @Test(arguments: ["$p", "COUNT(name)", "RANK(i)", "META().sequence", "MILLIS_TO_STR(n)", "LOWER(name"])
  func unindexableExpressionIsRejected(expression: String) throws {
    let files = try TemporaryDatabase()
    expectError(CBLError.invalidQuery) {
      try files.collection.createIndex(withName: "i", config: ValueIndexConfiguration([expression]))
    }
    #expect(try files.collection.indexes().isEmpty)
  }
}
