import Concordance
import Foundation
import Testing

/// The examples in the chapters on queries, indexes and full-text search of the guide to the first developer builds of
/// Couchbase Lite 2. Swift examples are unchanged; other examples are translated to Swift.
@Suite struct DeveloperBuildQueryTests {
  private let files: TemporaryDatabase
  private let database: Database
  private let output = GuideOutput()

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
  }

  // MARK: The query API

  private func saveUsers() throws {
    try files.save("u1", #"{"type": "user", "admin": false, "name": "Ada", "age": 36}"#)
    try files.save("u2", #"{"type": "user", "admin": true, "name": "Bob", "age": 61}"#)
    try files.save("u3", #"{"type": "user", "name": "Cy", "age": 7}"#)
    try files.save("t1", #"{"type": "task", "admin": false}"#)
    try files.save("u4", #"{"type": "user", "admin": false, "name": "Di", "age": 36}"#)
  }

  @Test func usersWithoutAdministrators() throws {
    try saveUsers()
    let query =
      Query
      .select()
      .from(DataSource.database(database))
      .where(
        Expression.property("type").equalTo("user")
          .and(Expression.property("admin").equalTo(false))
      )

    do {
      let rows = try query.run()
      for row in rows {
        print("doc ID :: \(row.documentID)")
      }
    } catch let error {
      print(error.localizedDescription)
    }

    #expect(output.lines.sorted() == ["doc ID :: u1", "doc ID :: u4"])
    // The same with the current names.
    #expect(try column("id", of: query).sorted() == ["u1", "u4"])
  }

  /// "If you don't specify criteria, all documents are returned; if you don't specify properties to return, you just
  /// get the document ID and sequence number."
  @Test func defaults() throws {
    try saveUsers()
    let query = Query.select().from(DataSource.database(database))
    let found = try query.run()
    #expect(found.map(\.documentID).sorted() == ["t1", "u1", "u2", "u3", "u4"])
    #expect(found.map(\.sequence).sorted() == [1, 2, 3, 4, 5])
    #expect(found.first { $0.documentID == "u2" }?.document.string(forKey: "name") == "Bob")
    #expect(found.first?.count == 2)
    #expect(try rows(of: query).contains(#"{"id":"u2","sequence":2}"#))
  }

  @Test func valuesAreReturnedByRows() throws {
    try saveUsers()
    let query = Query.select(SelectResult.property("name"), SelectResult.property("age"))
      .from(DataSource.database(database))
      .where(Expression.property("type").equalTo("user"))
      .orderBy(Ordering.property("age").descending(), Ordering.property("name").ascending())
    let rows = try query.run()
    #expect(rows.map { $0.value(at: 0) as? String } == ["Bob", "Ada", "Di", "Cy"])
    #expect(rows.map { $0.value(forKey: "age") as? Int } == [61, 36, 36, 7])
    #expect(rows.map(\.documentID) == ["u2", "u1", "u4", "u3"])
  }

  @Test func parameters() throws {
    try saveUsers()
    let query = Query.select(SelectResult.property("name")).from(DataSource.database(database))
      .where(Expression.property("age").greaterThanOrEqualTo(Expression.parameter("MinAge")))
      .orderBy(Ordering.property("name").ascending())
    expectError(CBLError.invalidQueryParam) { _ = try query.run() }
    query.parameters = Parameters().setInt(36, forName: "MinAge")
    #expect(try query.run().map(\.documentID) == ["u1", "u2", "u4"])
    query.parameters = Parameters().setInt(40, forName: "MinAge")
    #expect(try query.run().map(\.documentID) == ["u2"])
  }

  /// "All of its rows will be combined together into one", and with grouping one for each group.
  @Test func aggregates() throws {
    try saveUsers()
    let all = try database.createQuery(
      json:
        #"{"WHAT": [["count()", ["."]], ["min()", [".age"]], ["max()", [".age"]]], "WHERE": ["=", [".type"], "user"]}"#)
    #expect(try rows(of: all) == [#"{"$1":4,"$2":7,"$3":61}"#])
    let grouped = try database.createQuery(
      json: #"{"WHAT": [[".age"], ["count()", ["."]]], "GROUP_BY": [[".age"]], "ORDER_BY": [[".age"]]}"#)
    #expect(
      try rows(of: grouped) == [
        #"{"$1":1}"#, #"{"age":7,"$1":1}"#, #"{"age":36,"$1":2}"#, #"{"age":61,"$1":1}"#,
      ])
  }

  // MARK: Indexing

  @Test func indexesByExpressions() throws {
    try saveUsers()
    let query = try database.createQuery("SELECT META().id FROM _ WHERE type = 'user' AND age > 30 ORDER BY META().id")
    let before = try rows(of: query)
    #expect(before.count == 3)
    try database.createIndex(["type", "age"])
    #expect(try database.defaultCollection().indexes() == ["value:type,age"])
    #expect(try rows(of: query) == before)
    #expect(try query.explanation().steps.first?.index == "value:type,age")
    try database.deleteIndex(["type", "age"])
    #expect(try database.defaultCollection().indexes().isEmpty)
    #expect(try rows(of: query) == before)
  }

  // MARK: Full-text search

  private func saveTasks() {
    // Insert documents
    let tasks = ["buy groceries", "play chess", "book travels", "buy museum tickets"]
    for task in tasks {
      let doc = database.document()
      doc.properties = ["type": "task", "name": task]
      do {
        try doc.save()
      } catch let error {
        print(error.localizedDescription)
      }
    }

    // Create index
    do {
      try database.createIndex(["name"], options: .fullTextIndex(language: nil, ignoreDiacritics: false))
    } catch let error {
      print(error.localizedDescription)
    }
  }

  @Test func fullTextSearch() throws {
    saveTasks()

    let whereClause = Expression.property("name").match("'buy'")
    let ftsQuery = Query.select().from(DataSource.database(database)).where(whereClause)

    do {
      let ftsQueryResult = try ftsQuery.run()
      for row in ftsQueryResult {
        print("document properties \(row.document.properties["name"] ?? "")")
      }
    } catch let error {
      print(error.localizedDescription)
    }

    #expect(output.lines.sorted() == ["document properties buy groceries", "document properties buy museum tickets"])
  }

  @Test func fullTextRowsHaveTheMatchedString() throws {
    saveTasks()
    let query = Query.select().from(DataSource.database(database))
      .where(Expression.property("name").match("tickets OR museum"))
    let row = try #require(try query.run().first as? FullTextQueryRow)
    let text = try #require(row.fullTextMatched)
    #expect(text == "buy museum tickets")
    #expect((0..<row.matchCount).compactMap { row.textRange(ofMatch: $0).map { text[$0] } } == ["museum", "tickets"])
  }

  @Test func fullTextResultsByRank() throws {
    saveTasks()
    try files.save("long", #"{"name": "buy a ticket, and then look at the museum in the town by the sea for a day"}"#)
    try files.save("short", #"{"name": "museum, museum"}"#)
    let query = try database.createQuery(
      json:
        #"{"WHAT": [[".name"]], "WHERE": ["MATCH()", "name", "museum"], "ORDER_BY": [["DESC", ["rank()", "name"]]]}"#)
    let names = try column("name", of: query)
    #expect(names.count == 3 && names.first == "museum, museum")
    #expect(names.last?.hasPrefix("buy a ticket") == true)
  }

  // MARK: Predicates

  @Test func predicates() throws {
    try saveUsers()
    let query = try database.createQuery(where: "type == 'user' AND admin == false")
    #expect(try query.run().map(\.documentID).sorted() == ["u1", "u4"])
    #expect(try database.createQuery(where: nil).run().count == 5)
  }

  /// "They're written as "$"-prefixed identifiers. All parameters need to be given values before running the query."
  @Test func predicateParameters() throws {
    try saveUsers()
    let query = try database.createQuery(where: "age >= $MinAge", returning: ["name"], orderBy: ["name"])
    expectError(CBLError.invalidQueryParam) { _ = try query.run() }
    query.parameters = Parameters().setInt(36, forName: "MinAge")
    #expect(try query.run().map { $0.value(at: 0) as? String } == ["Ada", "Bob", "Di"])
  }

  @Test func predicateColumnsAndOrder() throws {
    try saveUsers()
    let query = try database.createQuery(
      where: "type == 'user'", returning: ["name", "age * 2"], orderBy: ["-age", "name"])
    #expect(
      try rows(of: query) == [
        #"{"name":"Bob","$1":122}"#, #"{"name":"Ada","$1":72}"#, #"{"name":"Di","$1":72}"#, #"{"name":"Cy","$1":14}"#,
      ])
  }

  @Test func predicateGroups() throws {
    try saveUsers()
    let all = try database.createQuery(where: "type == 'user'", returning: ["count(age)", "min(age)", "max(age)"])
    #expect(try rows(of: all) == [#"{"$1":4,"$2":7,"$3":61}"#])
    let grouped = try database.createQuery(
      where: "type == 'user'", groupBy: ["age"], having: "count(age) > 1", returning: ["age", "count(age)"],
      orderBy: ["age"])
    #expect(try rows(of: grouped) == [#"{"age":36,"$1":2}"#])
    let distinct = try database.createQuery(where: nil, returning: ["type"], distinct: true, orderBy: ["-type"])
    #expect(try rows(of: distinct) == [#"{"type":"user"}"#, #"{"type":"task"}"#])
  }

  @Test func predicatesByRank() throws {
    saveTasks()
    try files.save("long", #"{"name": "buy a ticket, and then look at the museum in the town by the sea for a day"}"#)
    try files.save("short", #"{"name": "museum, museum"}"#)
    let query = try database.createQuery(
      where: ["MATCH()", "name", "museum"], returning: ["name"], orderBy: ["-rank(name)"])
    let names = try column("name", of: query)
    #expect(names.count == 3 && names.first == "museum, museum")
    #expect(names.last?.hasPrefix("buy a ticket") == true)
  }

  // MARK: Under the hood

  /// "A JSON NSArray (interpreted as a WHERE clause), or NSDictionary (interpreted as an entire SELECT query.)"
  @Test func jsonInsteadOfAPredicate() throws {
    try saveUsers()
    let array: [Any] = ["AND", ["=", [".type"], "user"], ["=", [".admin"], false]]
    #expect(try database.createQuery(where: array).run().map(\.documentID).sorted() == ["u1", "u4"])
    let dictionary: [String: Any] = [
      "WHAT": [[".name"]], "WHERE": [">", [".age"], 40], "ORDER_BY": [["DESC", [".name"]]],
    ]
    #expect(try rows(of: database.createQuery(where: dictionary)) == [#"{"name":"Bob"}"#])
    let columns = try database.createQuery(where: "age > 40", returning: [[".", "name"]])
    #expect(try rows(of: columns) == [#"{"name":"Bob"}"#])
    expectError(CBLError.invalidQuery) { _ = try database.createQuery(where: "age > 40", returning: [".", "name"]) }
  }

  @Test func queriesInJSON() throws {
    try saveUsers()
    let condition = try database.createQuery(json: #"["AND", ["=", [".type"], "user"], ["=", [".admin"], false]]"#)
    #expect(try condition.run().map(\.documentID).sorted() == ["u1", "u4"])
    let whole = try database.createQuery(
      json:
        #"{"WHAT": [["._id"], [".name"]], "WHERE": [">", [".age"], ["$", "MinAge"]], "ORDER_BY": [["DESC", [".name"]]]}"#
    )
    whole.parameters = Parameters().setInt(30, forName: "MinAge")
    #expect(
      try rows(of: whole)
        == [#"{"id":"u4","name":"Di"}"#, #"{"id":"u2","name":"Bob"}"#, #"{"id":"u1","name":"Ada"}"#])
  }

  /// "A common mistake is to pass an expression where an array of expressions is expected."
  @Test func mistakesInJSONAreExplained() throws {
    let error = #expect(throws: CBLError.self) { _ = try database.createQuery(json: #"{"WHAT": [".", "x"]}"#) }
    #expect(error?.code == CBLError.invalidQuery)
    #expect(error?.message.contains("WHAT") == true, "\(error?.message ?? "")")
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.print(items) }
}
