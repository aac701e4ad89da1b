@testable import Concordance
import Foundation
import Testing

/// Queries with the API names of the first developer builds of Couchbase Lite 2.
@Suite struct QueryDeveloperBuildTests {
  let files: TemporaryDatabase
  let database: Database

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
  }

  @Test func exampleOfTheGuide() throws {
    let query =
      Query
      .select()
      .from(DataSource.database(database))
      .where(
        Expression.property("type").equalTo("user")
          .and(Expression.property("admin").equalTo(false))
      )
    try expect(
      query, is: "SELECT META().id, META().sequence FROM _default WHERE type = 'user' AND admin = FALSE")
    #expect(query.database === database)
  }

  @Test func fullTextSearch() throws {
    try database.createIndex(["name"], options: .fullTextIndex(language: nil, ignoreDiacritics: false))
    try database.createIndex(["name", "text"], options: .fullTextIndex(language: "en", ignoreDiacritics: true))
    let indexes = try database.defaultCollection().indexDescriptions().sorted { $0.name < $1.name }
    #expect(indexes.map(\.name) == ["name", "name,text"])
    #expect(indexes[0].configuration == FullTextIndexConfiguration(["name"]))
    #expect(
      indexes[1].configuration == FullTextIndexConfiguration(["name", "text"], ignoreAccents: true, language: "en"))
    try database.deleteIndex(["name", "text"])
    #expect(try database.defaultCollection().indexes() == ["name"])

    let whereClause = Expression.property("name").match("'buy'")
    let ftsQuery = Query.select().from(DataSource.database(database)).where(whereClause)
    try expect(ftsQuery, is: "SELECT META().id, META().sequence FROM _default WHERE MATCH(name, '''buy''')")
  }

  @Test func indexesOfTheDefaultCollectionHaveNames() throws {
    let index = IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name"))
    try database.createIndex(index, withName: "text")
    #expect(try database.defaultCollection().indexes() == ["text"])
    try database.deleteIndex(forName: "text")
    #expect(try database.defaultCollection().indexes().isEmpty)
  }

  @Test func propertiesAreMatched() throws {
    try expect(Expression.property("geo.`odd.key`").match("x"), is: "MATCH(`geo.``odd.key```, 'x')")
    let query = Query.select(SelectResult.all()).from(DataSource.database(database).as("d"))
      .where(Expression.property("name").from("d").match("x"))
    try expect(query, is: "SELECT * FROM _default AS d WHERE MATCH(d.name, 'x')")
    expectFault(
      Function.lower(Expression.property("name")).match("x"), "only a property can be matched, not LOWER(name)")
    expectFault(Expression.property("a..").match("x"), "a key is missing")
  }

  @Test func wholeDocumentHasTheNameOfTheDatabase() throws {
    try files.save("a", #"{"name": "Ghia", "test": {"name": "inner"}}"#)
    let row = try #require(
      try Query.select(SelectResult.all(), SelectResult.property("name")).from(DataSource.database(database)).execute()
        .next())
    #expect(row.dictionary(forKey: "test")?.string(forKey: "name") == "Ghia")
    #expect(row.string(forKey: "name") == "Ghia")
  }

  @Test func selects() throws {
    let source = DataSource.database(database)
    let name = SelectResult.property("name")
    try expect(Query.select(name).from(source), is: "SELECT name FROM _default")
    try expect(Query.select([name]).from(source), is: "SELECT name FROM _default")
    try expect(Query.selectDistinct(name).from(source), is: "SELECT DISTINCT name FROM _default")
    try expect(
      Query.selectDistinct([name]).from(source).limit(5), is: "SELECT DISTINCT name FROM _default LIMIT 5")
    try expect(
      Query.select(name).from(source).limit(5, offset: 2), is: "SELECT name FROM _default LIMIT 5 OFFSET 2")
  }

  @Test func plainValues() throws {
    let a = Expression.property("a")
    try expect(a.equalTo(1), is: "a = 1")
    try expect(a.notEqualTo("x"), is: "a != 'x'")
    try expect(a.lessThan(1.5), is: "a < 1.5")
    try expect(a.lessThanOrEqualTo(-1), is: "a <= -1")
    try expect(a.greaterThan(3), is: "a > 3")
    try expect(a.greaterThanOrEqualTo(3), is: "a >= 3")
    try expect(a.is(nil), is: "a IS NULL")
    try expect(a.is(true), is: "a = TRUE")
    try expect(a.isNot(nil), is: "a IS NOT NULL")
    try expect(a.equalTo(nil), is: "a = NULL")
    try expect(a.like("x%"), is: "a LIKE 'x%'")
    try expect(a.regex("^x"), is: "REGEXP_CONTAINS(a, '^x')")
    try expect(a.multiply(2), is: "a * 2")
    try expect(a.divide(2), is: "a / 2")
    try expect(a.modulo(2), is: "a % 2")
    try expect(a.add(2), is: "a + 2")
    try expect(a.subtract(2), is: "a - 2")
    try expect(a.between(1, and: 5), is: "a BETWEEN 1 AND 5")
    try expect(a.between(Expression.int(1), and: 5), is: "a BETWEEN 1 AND 5")
    try expect(a.in([1, "x", nil]), is: "a IN (1, 'x', NULL)")
    try expect(a.equalTo(["k": [1]]), is: "a = {'k': [1]}")
    try expect(a.isNullOrMissing(), is: "a IS NOT VALUED")
    try expect(a.notNullOrMissing(), is: "a IS VALUED")
    // An expression is not treated as a plain value, even if its variable has the type `Any`.
    let b: Any = Expression.property("b")
    try expect(a.equalTo(b), is: "a = b")
    try expect(a.in([b, 1]), is: "a IN (b, 1)")
  }

  @Test func valueIndexesAreNamedAfterTheirExpressions() throws {
    try database.createIndex(["name", "stars"])
    #expect(try database.defaultCollection().indexes() == ["value:name,stars"])
    try database.deleteIndex(["name", "stars"])
    #expect(try database.defaultCollection().indexes() == [])
  }

  @Test func indexesAreCreatedFromExpressionsOfTheBuilder() throws {
    let collection = try database.defaultCollection()
    try database.createIndex([Expression.property("type"), Function.lower(Expression.property("name"))])
    #expect(try collection.indexes() == ["value:type,LOWER(name)"])
    #expect(try collection.valueIndexDescriptions()[0].expressions == ["type", "LOWER(name)"])
    let query = try database.createQuery("SELECT name FROM _ WHERE type = 'task' AND LOWER(name) = 'x'")
    #expect(try query.explanation().steps[0].index == "value:type,LOWER(name)")
    try database.deleteIndex([Expression.property("type"), Function.lower(Expression.property("name"))])
    #expect(try collection.indexes().isEmpty)
  }

  @Test func indexesAreCreatedFromTheJSONForm() throws {
    let collection = try database.defaultCollection()
    let lower: [Any] = ["LOWER()", [".", "name"]]
    try collection.createIndex([lower, [".age"], "type"])
    #expect(try collection.indexes() == ["value:LOWER(name),age,type"])
    #expect(try collection.valueIndexDescriptions()[0].expressions == ["LOWER(name)", "age", "type"])
    // A path as a string and the same path in JSON identify the same index.
    try collection.deleteIndex([lower, "age", "type"])
    #expect(try collection.indexes().isEmpty)
  }

  /// `database.createIndex(expressions, IndexType.FullText, …)` with a list of expressions.
  @Test func fullTextIndexesAreCreatedFromPropertyExpressions() throws {
    let collection = try database.defaultCollection()
    let options = IndexOptions.fullTextIndex(language: nil, ignoreDiacritics: false)
    try database.createIndex([Expression.property("name")], options: options)
    #expect(try collection.indexDescriptions()[0].configuration == FullTextIndexConfiguration(["name"]))
    try database.deleteIndex(["name"])
    try database.createIndex([[".", "geo", "name"]], options: options)
    #expect(try collection.indexDescriptions()[0].configuration == FullTextIndexConfiguration(["geo.name"]))
    expectError(CBLError.invalidQuery, "can only contain properties, not LOWER(name)") {
      try database.createIndex([Function.lower(Expression.property("name"))], options: options)
    }
  }

  @Test func indexesOfBothKindsExistOnTheSameProperties() throws {
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", json: #"{"name":"green tea"}"#))
    let options = IndexOptions.fullTextIndex(language: nil, ignoreDiacritics: false)
    try database.createIndex(["name"], options: options)
    try database.createIndex(["name"])
    #expect(try collection.indexes() == ["name", "value:name"])
    let query = Query.select().from(DataSource.database(database)).where(Expression.property("name").match("tea"))
    #expect(try query.run().count == 1)
    try database.deleteIndex(["name"])
    #expect(try collection.indexes().isEmpty)
  }

  @Test func nonExpressionIsNotIndexed() throws {
    for (expressions, message) in [
      ([5], "not a value of type Int"), ([["NO SUCH OPERATION", 1]], "NO SUCH OPERATION"),
      ([Expression.property("a..")], "a key is missing"), ([], "an index needs at least one expression"),
      (["LOWER("], "LOWER("), ([["rank()", "x"]], "RANK(x) cannot be indexed"),
    ] as [([Any], String)] {
      expectError(CBLError.invalidQuery, message) { try database.createIndex(expressions) }
    }
    #expect(try database.defaultCollection().indexes().isEmpty)
  }
}
