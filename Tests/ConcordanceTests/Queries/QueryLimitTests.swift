import Concordance
import Foundation
import Testing

/// Large and deeply nested queries return a result or throw an error that names the exceeded limit. No query crashes
/// the process, even on a thread with a small stack.
@Suite struct QueryLimitTests {
  let test: TemporaryDatabase
  let database: Database

  init() throws {
    test = try TemporaryDatabase()
    database = test.database
    try test.save("a", #"{"n": 5, "s": "x", "list": [1, 2, 3]}"#)
  }

  // MARK: Depth

  /// SQLite's own parser, whose stack has 100 entries, fails at some depth of 15 levels or more.
  static let depths = [5, 15, 19, 20, 21, 22, 23, 24, 25, 26, 100, 256, 257, 1000]

  /// Ways to nest an expression, each with the value of the nested `n`, or nil if the value depends on the depth.
  static let nestings: [(before: String, after: String, value: String?)] = [
    ("(", ")", "5"), ("ABS(", ")", "5"), ("NOT (", ")", nil), ("-(", ")", nil), ("[", "]", nil),
    ("{'a': ", "}", nil), ("(1 + ", ")", nil), ("(n + ", ") - n", nil), ("GREATEST(1, ", ")", "5"),
    ("(n AND (n OR ", "))", nil), ("CASE WHEN n = 5 THEN ", " END", "5"), ("CASE n WHEN ", " THEN 5 END", nil),
    ("ANY x IN list SATISFIES ", " END", nil), ("EXISTS [", "]", nil), ("(n BETWEEN 0 AND ", ")", nil),
    ("(n IN [", "])", nil), ("(n LIKE ", ")", nil), ("((", ") COLLATE NOCASE)", "5"), ("(", " || '')", nil),
    ("[", "][0]", "5"), ("{'a': ", "}.a", "5"), ("(", " IS VALUED)", nil), ("IFNULL(NULL, ", ")", "5"),
  ]

  @Test(arguments: [nil, 512 << 10]) func nestingInSQL(stackSize: Int?) throws {
    for (before, after, value) in Self.nestings {
      for depth in stackSize == nil ? Self.depths : [20, 100, 256, 1000] {
        let text = String(repeating: before, count: depth) + "n" + String(repeating: after, count: depth)
        let found = outcome(stackSize) { try database.createQuery("SELECT \(text) AS v FROM _") }
        expect(found, #"{"v":\#(value ?? "?")}"#, isKnown: value != nil, depth, before)
        guard depth % 2 == 0 else { continue }
        let filtered = outcome(stackSize) { try database.createQuery("SELECT n FROM _ WHERE \(text)") }
        expect(filtered, #"{"n":5}"#, isKnown: value != nil, depth, before)
      }
    }
  }

  @Test(arguments: [nil, 512 << 10]) func nestingInJSON(stackSize: Int?) throws {
    let nestings = [
      (#"["abs()", "#, "]"), (#"["NOT", "#, "]"), (#"["[]", "#, "]"), (#"["+", 1, "#, "]"), (#"{"a": "#, "}"),
      (#"["ANY", "x", [".list"], "#, "]"), (#"["CASE", null, true, "#, "]"), (#"["OR", [".n"], "#, "]"),
      (#"["COLLATE", {"CASE": false}, "#, "]"), (#"["BETWEEN", [".n"], 1, "#, "]"), (#"["_.", "#, #", ".a"]"#),
    ]
    for (before, after) in nestings {
      for depth in [10, 20, 24, 30, 100, 256, 257, 1000] {
        let text = String(repeating: before, count: depth) + #"[".n"]"# + String(repeating: after, count: depth)
        let found = outcome(stackSize) { try database.createQuery(json: #"{"WHAT": [\#(text)]}"#) }
        expect(found, #"{"$1":5}"#, isKnown: before.hasPrefix(#"["abs"#), depth, before)
        let filtered = outcome(stackSize) { try database.createQuery(json: #"{"WHERE": \#(text)}"#) }
        expect(filtered, "", isKnown: false, depth, before)
      }
    }
  }

  @Test(arguments: [nil, 512 << 10]) func nestingInTheBuilder(stackSize: Int?) throws {
    let n = Expression.property("n")
    let variable = ArrayExpression.variable("x")
    let steps: [(name: String, step: (any ExpressionProtocol) -> any ExpressionProtocol)] = [
      ("abs", { Function.abs($0) }), ("not", { Expression.not($0) }), ("add", { Expression.int(1).add($0) }),
      ("sum", { $0.add(n) }), ("array", { Expression.array([$0]) }), ("in", { n.in([$0]) }),
      ("dictionary", { Expression.dictionary(["a": $0]) }), ("or", { n.or(n.and($0)) }),
      ("collate", { $0.collate(Collation.unicode()) }), ("between", { n.between(n, and: $0) }),
      ("any", { ArrayExpression.any(variable).in(Expression.property("list")).satisfies($0) }),
    ]
    let source = DataSource.collection(test.collection)
    for (name, step) in steps {
      for depth in [10, 20, 24, 30, 100, 255, 256, 1000] {
        let found = outcome(stackSize) {
          let nested = (0..<depth).reduce(n as any ExpressionProtocol) { expression, _ in step(expression) }
          return QueryBuilder.select(SelectResult.expression(nested).as("v")).from(source).where(nested)
        }
        expect(found, #"{"v":5}"#, isKnown: name == "abs", depth, name)
      }
    }
  }

  @Test func nestingInIndexesAndValues() throws {
    for depth in [10, 30, 300] {
      let text = String(repeating: "ABS(", count: depth) + "n" + String(repeating: ")", count: depth)
      do {
        try test.collection.createIndex(withName: "deep", config: ValueIndexConfiguration([text]))
        #expect(depth < 30)
      } catch let error as CBLError {
        #expect(depth >= 30 && error.code == CBLError.invalidQuery, "\(error.message)")
        #expect(error.message.contains("nested"), "\(error.message)")
      }
    }
    #expect(try test.collection.indexes() == ["deep"])
    var value: Any = 1
    for _ in 0..<2000 { value = [value] }
    let query = try database.createQuery("SELECT $v AS v FROM _")
    query.parameters = Parameters().setValue(value, forName: "v")
    if case .failure(let error) = outcome(nil, { query }) {
      #expect([CBLError.invalidQuery, CBLError.invalidQueryParam].contains(error.code), "\(error.message)")
    }
  }

  // MARK: Outcomes

  /// The first row of a query that is made and run on a new thread, or on this thread.
  private func outcome(_ stackSize: Int?, _ make: @escaping () throws -> Query) -> Swift.Result<String?, CBLError> {
    onThread(stackSize: stackSize) {
      do {
        return .success(try make().execute().next()?.toJSON())
      } catch let error as CBLError {
        return .failure(error)
      } catch {
        Issue.record("no CBLError: \(error)")
        return .success(nil)
      }
    }
  }

  private func expect(
    _ outcome: Swift.Result<String?, CBLError>, _ row: String, isKnown: Bool, _ depth: Int, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    switch outcome {
    case .success(let found):
      if isKnown { #expect(found == row, "\(depth) \(what)", sourceLocation: sourceLocation) }
      #expect(depth <= 256, "\(depth) \(what)", sourceLocation: sourceLocation)
    case .failure(let error):
      #expect(error.code == CBLError.invalidQuery, "\(depth) \(what): \(error)", sourceLocation: sourceLocation)
      #expect(error.message.contains("nested"), "\(depth) \(what): \(error)", sourceLocation: sourceLocation)
      #expect(depth > 5, "\(depth) \(what): \(error)", sourceLocation: sourceLocation)
    }
  }
}

/// Queries with many parts.
@Suite struct QuerySizeTests {
  let test: TemporaryDatabase
  let database: Database

  init() throws {
    test = try TemporaryDatabase()
    database = test.database
    try test.save("a", #"{"n": 5, "s": "x9999", "list": [1, 2, 3]}"#)
    try test.save("b", #"{"n": -5, "s": "y"}"#)
  }

  private func list(_ count: Int, _ separator: String = ", ", _ part: (Int) -> String) -> String {
    (0..<count).map(part).joined(separator: separator)
  }

  private func sql(_ condition: String) throws -> [String] {
    try column("id", of: try database.createQuery("SELECT META().id FROM _ WHERE \(condition)"))
  }

  private func built(_ condition: any ExpressionProtocol) throws -> [String] {
    let query = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(test.collection))
      .where(condition)
    return try column("id", of: query)
  }

  @Test(arguments: [false, true]) func tenThousandValuesInAList(indexed: Bool) throws {
    if indexed {
      try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
      try test.collection.createIndex(withName: "s", config: ValueIndexConfiguration(["s"]))
    }
    #expect(try sql("n IN (\(list(10_000) { "\($0)" }))") == ["a"])
    #expect(try sql("n IN [\(list(10_000) { "\($0)" })]") == ["a"])
    #expect(try sql("s IN (\(list(10_000) { "'x\($0)'" }))") == ["a"])
    #expect(try sql("n NOT IN (\(list(10_000) { "\($0)" }))") == ["b"])
    #expect(try sql("META().id IN (\(list(10_000) { "'b\($0)'" }), 'b')") == ["b"])
    let numbers = (0..<10_000).map { Expression.int($0) }
    #expect(try built(Expression.property("n").in(numbers)) == ["a"])
    #expect(try built(Expression.property("n").in(Expression.array(Array(0..<10_000)))) == ["a"])
    let query = try database.createQuery("SELECT META().id FROM _ WHERE n IN $list")
    query.parameters = Parameters().setValue(Array(0..<10_000), forName: "list")
    #expect(try column("id", of: query) == ["a"])
  }

  @Test func thousandsOfOperands() throws {
    #expect(try sql("META().id = 'a' AND (\(list(10_000, " OR ") { "n = \(9_999 - $0)" }))") == ["a"])
    #expect(try sql(list(1000, " AND ") { "n != \($0 + 6)" }).sorted() == ["a", "b"])
    let n = Expression.property("n")
    let anyOf = (0..<1000).reduce(Expression.boolean(false)) { $0.or(n.equalTo(Expression.int($1))) }
    #expect(try built(anyOf) == ["a"])
    let json = try database.createQuery(json: #"["OR", \#(list(10_000) { #"["=", [".n"], \#($0)]"# })]"#)
    #expect(
      try column("id", of: try database.createQuery(json: #"["OR", \#(list(1000) { #"["=", [".n"], \#($0)]"# })]"#))
        == ["a"])
    #expect(json.description.hasSuffix("OR n = 9999"))
  }

  /// When SQLite kept auxiliary data for each use of a property, one document took 15 s.
  @Test(.timeLimit(.minutes(10))) func timeIsLinearInTheUsesOfAProperty() throws {
    try test.database.inBatch { for n in 0..<8 { try test.save("d\(n)", #"{"n": \#(n)}"#) } }
    #expect(try sql(list(30_000, " AND ") { _ in "n" }).count == 9)
    #expect(try sql(list(2000, " AND ") { "s NOT LIKE '%\($0 + 10_000)%'" }).sorted() == ["a", "b"])
    #expect(try sql(list(2000, " OR ") { "REGEXP_CONTAINS(s, 'x\(11_998 - $0)')" }) == ["a"])
  }

  @Test func tooManyOperatorsAreRefused() throws {
    let error = #expect(throws: CBLError.self) { _ = try sql(list(33_000, " AND ") { "n != \($0 + 6)" }) }
    #expect(error?.code == CBLError.invalidQuery)
    #expect(
      error?.message.hasPrefix("the query has 33001 operators and function calls; the limit is 32768") == true)
  }

  /// A few kilobytes of text would otherwise become gigabytes of SQL.
  @Test func aliasesCountAsTheirColumns() throws {
    func message(_ column: String, _ condition: String) -> String {
      let error = #expect(throws: CBLError.self) {
        _ = try database.createQuery("SELECT \(column) AS a FROM _ WHERE \(condition)").execute()
      }
      #expect(error?.code == CBLError.invalidQuery)
      return error?.message ?? ""
    }
    let column = "ARRAY_LENGTH([\(list(2000) { "n + \($0)" })])"
    #expect(try rows(of: database.createQuery("SELECT \(column) AS a FROM _ WHERE a = 2000 OR a = 1")).count == 2)
    #expect(
      message(column, list(3000, " OR ") { _ in "a" })
        .hasPrefix("the query has more than 32768 operators and function calls when the alias \"a\" is replaced"))
    #expect(
      message("'\(String(repeating: "x", count: 100_000))'", list(500, " OR ") { "a = \($0)" })
        .hasPrefix("the query is longer than 16 MiB when the alias \"a\" is replaced"))
    let (before, after) = (String(repeating: "ABS(", count: 200), String(repeating: ")", count: 200))
    #expect(
      message("\(before)n\(after)", "\(before)a\(after) > 0")
        .hasPrefix("the query is nested more than 256 levels deep"))
  }

  @Test func lengthOfSQLIsLimited() throws {
    let long = String(repeating: "x", count: 17 << 20)
    let error = #expect(throws: CBLError.self) {
      _ = try built(Expression.property("s").equalTo(Expression.string(long)))
    }
    #expect(error?.code == CBLError.invalidQuery)
    #expect(error?.message.hasPrefix("the SQL of the query is 17 MiB long; the limit is 16 MiB") == true)
  }

  @Test func longText() throws {
    let long = String(repeating: "x'", count: 500_000)
    try test.collection.save(document: MutableDocument(id: "long", data: ["s": long]))
    let literal = long.replacingOccurrences(of: "'", with: "''")
    #expect(try sql("s = '\(literal)'") == ["long"])
    #expect(try sql("s = 'y' /* \(String(repeating: "* ", count: 500_000)) */") == ["b"])
    #expect(try sql("s = 'y'\(String(repeating: " ", count: 1_000_000))") == ["b"])
    #expect(try built(Expression.property("s").equalTo(Expression.string(long))) == ["long"])
    #expect(try sql("`\(String(repeating: "k", count: 1_000_000))` = 1").isEmpty)
  }

  /// Exceeding a limit of SQLite is a query error that names the limit, not a database error.
  @Test(arguments: [
    "SELECT n FROM _ ORDER BY \((0..<3000).map { "p\($0)" }.joined(separator: ", "))",
    "SELECT n FROM _ GROUP BY \((0..<3000).map { "p\($0)" }.joined(separator: ", "))",
  ])
  func limitsOfSQLite(text: String) throws {
    let error = #expect(throws: CBLError.self) { _ = try database.createQuery(text).execute() }
    #expect(error?.code == CBLError.invalidQuery)
    #expect(error?.message.hasPrefix("the query is too large for SQLite (") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("may have 2000 expressions each") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("nested") == false, "\(error?.message ?? "")")
  }

  /// Columns and sources are counted before the query is compiled, which would take long.
  @Test(arguments: [
    ("SELECT \((0..<3000).map { "n AS c\($0)" }.joined(separator: ", ")) FROM _", "the query has 3000 columns"),
    (
      "SELECT \((0..<40).map { _ in "*" }.joined(separator: ", ")) FROM _ \(QuerySizeTests.sources(63))",
      "the query has 2560 columns"
    ),
    (
      "SELECT \((0..<2000).map { "n AS c\($0)" }.joined(separator: ", ")) FROM _ HAVING TRUE",
      "needs one more for HAVING or an aggregate in ORDER BY; the limit is 2000: remove a column, or select an array"
    ),
    ("SELECT t.n FROM _ AS t \(QuerySizeTests.sources(64))", "the query has 65 sources; the limit is 64"),
  ])
  func columnsAndSourcesAreCounted(text: String, message: String) throws {
    expectError(CBLError.invalidQuery, message) { _ = try database.createQuery(text).execute() }
  }

  private static func sources(_ count: Int) -> String {
    (0..<count).map { "CROSS JOIN _ AS t\($0)" }.joined(separator: " ")
  }

  /// Columns without an alias are numbered in linear time.
  @Test func manyColumnsMayHaveTheSameName() throws {
    let query = try database.createQuery("SELECT \(list(2000) { _ in "n" }) FROM _")
    #expect(try query.columnNames().suffix(2) == ["n #1999", "n #2000"])
    #expect(try query.execute().next()?.int(at: 1999) == 5)
  }

  /// A left join without an index uses a second table for each source while SQLite's limit permits it.
  @Test func leftJoinsMayHave64Sources() throws {
    let joins = (0..<63).map { "LEFT JOIN _ AS t\($0) ON t\($0).n = t.n" }.joined(separator: " ")
    let query = try database.createQuery("SELECT t62.s AS s FROM _ AS t \(joins)")
    #expect(try rows(of: query) == [#"{"s":"x9999"}"#, #"{"s":"y"}"#])
  }

  /// The index would be the 65th table of the join.
  @Test func joinOf64SourcesUsesNoIndexForTheFirst() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let joins = (0..<63).map { "LEFT JOIN _ AS t\($0) ON META(t\($0)).id = META(t).id" }.joined(separator: " ")
    try test.collection.createIndex(withName: "s", config: ValueIndexConfiguration(["s"]))
    let query = try database.createQuery("SELECT t62.s AS s FROM _ AS t \(joins) WHERE t.n = 5")
    #expect(try rows(of: query) == [#"{"s":"x9999"}"#])
    let unused = try query.explanation().steps[0].unusedIndexes.map { "\($0.name): \($0.reason)" }
    #expect(unused == ["s: no condition compares s with a value", "n: the join has too many sources"])
  }

  @Test func manyArguments() throws {
    for (call, value) in [
      ("GREATEST(\(list(127) { "\($0)" }))", "126"), ("LENGTH(CONCAT(\(list(127) { _ in "s" })))", "127"),
      ("ARRAY_LENGTH([\(list(5000) { "p\($0)" }), 1])", "5001"), ("ARRAY_LENGTH([\(list(5000) { "\($0)" })])", "5000"),
    ] {
      let query = try database.createQuery("SELECT \(call) AS v FROM _ WHERE s = 'y'")
      #expect(try rows(of: query) == [#"{"v":\#(value)}"#], "\(call.prefix(30))")
    }
    for call in ["GREATEST(\(list(128) { "\($0)" }))", "CONCAT(\(list(1000) { _ in "s" }))"] {
      let error = #expect(throws: CBLError.self) { _ = try database.createQuery("SELECT \(call) FROM _").execute() }
      #expect(error?.message.contains("127 arguments") == true, "\(error?.message ?? "")")
    }
  }
}
