import Concordance
import Foundation
import GRDB
import Testing

/// User input is never parsed as part of a query or of its compiled SQL, wherever it occurs: the result is correct, and
/// the schema of the file is unchanged.
@Suite(.filesOnly("reads the schema of files")) struct QueryInjectionTests {
  let test: TemporaryDatabase
  let database: Concordance.Database
  let collection: Concordance.Collection

  /// Texts that end strings, names, comments and statements in some language.
  static let texts = [
    "'", "''", "'''", "\"", "\"\"", "`", "``", "\\", "\\'", "\\\"", "\\`", "' OR 1=1 --", "\" OR 1=1 --", "` OR 1=1 --",
    "'; DROP TABLE \"_default._default\"; --", "\"); DROP TABLE concordance_meta; --",
    "x' UNION SELECT sql FROM sqlite_master --",
    "--", "-- x\n", "/*", "*/", "/* */", ";", ";;", "\0", "a\0b", "\0'; DROP TABLE concordance_meta; --", "')", "))",
    "((", "]",
    "[", "[0]", "[]", "{", "}", "a.b", ".", "..", "*", "%", "_", "$1", "$x", "?1", "?", ":a", "@a", "#", "0", "-1",
    "1e5", "NULL",
    "MISSING", "TRUE", "SELECT", "FROM", "META()", "META().id", "body", "rowid", "t0", "t0.body", "i0.k0", "value",
    "\n", "\r\n",
    "\t", " ", "  a  ", "\u{1}", "\u{7F}", "\u{FEFF}", "\u{200E}", "\u{301}", "`\u{301}", "'\u{301}", "é", "e\u{301}",
    "😀",
    "\u{FFFD}", "日本", "X'00'", "x'", "\u{1}id", "sqlite_master",
  ]

  init() throws {
    test = try TemporaryDatabase()
    database = test.database
    collection = test.collection
    try database.inBatch {
      for (number, text) in Self.texts.enumerated() {
        try collection.save(
          document: MutableDocument(id: "d\(number)", data: ["v": text, text: number, "list": [text], "n": number]))
      }
    }
  }

  // MARK: Values

  @Test(arguments: [false, true]) func values(indexed: Bool) throws {
    if indexed {
      try collection.createIndex(withName: "v", config: ValueIndexConfiguration(["v"]))
      try collection.createIndex(withName: "list", config: ArrayIndexConfiguration(path: "list"))
    }
    let before = try schema()
    let v = Expression.property("v")
    for (number, text) in Self.texts.enumerated() {
      let (literal, json) = (sqlLiteral(text), try jsonLiteral(text))
      let like = text.unicodeScalars.map { "\\%_".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
      let conditions = [
        "v = \(literal)", "v IN ('none', \(literal))", "v LIKE \(sqlLiteral(like))",
        "v BETWEEN \(literal) AND \(literal)",
        "ANY x IN list SATISFIES x = \(literal) END", "ARRAY_CONTAINS(list, \(literal))",
        "v || 'x' = \(literal) || 'x'",
        "{\(literal): v}.`\(text.doublingBackticks)` = \(literal)", "REPLACE(v, \(literal), 'y') = 'y'",
        "CASE v WHEN \(literal) THEN TRUE END",
        "REGEXP_LIKE(v, \(sqlLiteral(NSRegularExpression.escapedPattern(for: text))))",
      ]
      for condition in conditions {
        try expect(number, database.createQuery("SELECT META().id FROM _ WHERE \(condition)"), condition)
      }
      try expect(number, database.createQuery(json: #"{"WHAT": [["._id"]], "WHERE": ["=", [".v"], \#(json)]}"#), json)
      try expect(
        number, database.createQuery(json: #"{"WHAT": [["._id"]], "WHERE": ["IN", [".v"], ["[]", \#(json)]]}"#), json)
      for condition in [
        ["=", [".v"], text], "v == \(predicateLiteral(text))", "'none' != \(predicateLiteral(text)) && v == $text",
      ]
        as [Any]
      {
        let query = try database.createQuery(where: condition, returning: [["._id"]])
        query.parameters = Parameters().setString(text, forName: "text")
        try expect(number, query, "\(condition)")
      }
      let macro = #Predicate<Document> { $0.v == text }
      try expect(number, collection.createQuery(where: macro, returning: [\.n]), "\(text)", key: "n")
      try expect(number, built(v.equalTo(Expression.string(text))), text)
      try expect(number, built(v.in([Expression.string(text)])), text)
      try expect(number, built(v.like(Expression.string(like))), text)
      try expect(
        number, built(ArrayFunction.contains(Expression.property("list"), value: Expression.string(text))), text)
      for condition in ["v = $text", "v IN $list", "v LIKE $like"] {
        let query = try database.createQuery("SELECT META().id FROM _ WHERE \(condition)")
        query.parameters = Parameters().setString(text, forName: "text").setValue([text], forName: "list")
          .setString(like, forName: "like")
        try expect(number, query, "\(condition) \(text)")
      }
    }
    #expect(try schema() == before)
  }

  @Test func valuesAreReturned() throws {
    for text in Self.texts {
      let literal = sqlLiteral(text)
      let row = try database.createQuery("SELECT \(literal), [\(literal)], {\(literal): \(literal)}").execute().next()
      #expect(row?.string(at: 0)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(text.debugDescription)")
      #expect(row?.array(at: 1)?.string(at: 0) == text, "\(text.debugDescription)")
      #expect(row?.dictionary(at: 2)?.toDictionary() as? [String: String] == [text: text], "\(text.debugDescription)")
    }
  }

  // MARK: Names

  @Test(arguments: [false, true]) func properties(indexed: Bool) throws {
    // In a query of `_`, a path that begins with `_` names the source.
    for (number, text) in Self.texts.enumerated() where text != "_" {
      let (name, json) = ("`\(text.doublingBackticks)`", try jsonLiteral(text))
      if indexed { try collection.createIndex(withName: "p", config: ValueIndexConfiguration([name])) }
      let before = try schema()
      try expect(number, database.createQuery("SELECT META().id FROM _ WHERE \(name) = \(number)"), name)
      try expect(number, database.createQuery("SELECT META(d).id FROM _ AS d WHERE d.\(name) = \(number)"), name)
      try expect(
        number, database.createQuery(json: #"{"WHAT": [["._id"]], "WHERE": ["=", [".", \#(json)], \#(number)]}"#), json)
      try expect(number, built(Expression.property(name).equalTo(Expression.int(number))), name)
      let ordered = try database.createQuery(
        "SELECT \(name) FROM _ WHERE \(name) = \(number) GROUP BY \(name) ORDER BY \(name)")
      let row = try ordered.execute().next()
      #expect(row?.int(at: 0) == number && row?.int(forKey: text) == number, "\(text.debugDescription)")
      #expect(try schema() == before)
    }
  }

  @Test func aliases() throws {
    let before = try schema()
    for (number, text) in Self.texts.enumerated() where text != "_" {
      let (name, json) = ("`\(text.doublingBackticks)`", try jsonLiteral(text))
      let source = DataSource.collection(collection).as(text)
      let queries = [
        try database.createQuery("SELECT n AS \(name) FROM _ WHERE n = \(number)"),
        try database.createQuery("SELECT n AS \(name) FROM _ WHERE \(name) = \(number) ORDER BY \(name)"),
        try database.createQuery("SELECT \(name).n AS \(name) FROM _ AS \(name) WHERE META(\(name)).id = 'd\(number)'"),
        try database.createQuery(
          "SELECT \(name).n AS \(name) FROM _ AS \(name) JOIN _ AS other ON other.n = \(name).n WHERE other.n = \(number)"
        ),
        try database.createQuery(
          "SELECT n AS \(name) FROM _ WHERE n = \(number) AND ANY \(name) IN list SATISFIES \(name) = v END"),
        try database.createQuery(json: #"{"WHAT": [["AS", [".n"], \#(json)]], "WHERE": ["=", [".n"], \#(number)]}"#),
        try database.createQuery(
          json:
            #"{"WHAT": [["AS", [".", \#(json), "n"], \#(json)]], "FROM": [{"AS": \#(json)}], "WHERE": ["=", [".", \#(json), "n"], \#(number)]}"#
        ),
        QueryBuilder.select(SelectResult.property("n").as(text)).from(DataSource.collection(collection))
          .where(Expression.property("n").equalTo(Expression.int(number))),
        QueryBuilder.select(SelectResult.expression(Expression.property("n").from(text)).as(text)).from(source)
          .where(Meta.id.from(text).equalTo(Expression.string("d\(number)"))),
      ]
      let elements = try database.createQuery(
        "SELECT \(name) FROM _ AS other UNNEST other.list AS \(name) WHERE other.n = \(number)")
      #expect(try column(text, of: elements) == [text], "\(elements)")
      for query in queries {
        do {
          let rows = try query.execute().map { [$0.keys, ["\($0.int(forKey: text))"]] }
          #expect(rows == [[[text], ["\(number)"]]], "\(query)")
        } catch let error as CBLError {
          Issue.record("\(query): \(error.message)")
        }
      }
    }
    #expect(try schema() == before)
  }

  @Test func collections() throws {
    let before = try schema()
    for text in Self.texts where text != "_" {
      let (name, json) = ("`\(text.doublingBackticks)`", try jsonLiteral(text))
      expectError(CBLError.invalidQuery) { _ = try database.createQuery("SELECT * FROM \(name)").execute() }
      expectError(CBLError.invalidQuery) { _ = try database.createQuery("SELECT * FROM \(name).\(name)").execute() }
      expectError(CBLError.invalidQuery) {
        _ = try database.createQuery(json: #"{"FROM": [{"COLLECTION": \#(json)}]}"#).execute()
      }
      expectError(CBLError.invalidQuery) {
        _ = try database.createQuery(json: #"{"FROM": [{"COLLECTION": "x", "SCOPE": \#(json)}]}"#).execute()
      }
      guard text.contains(/[^A-Za-z0-9_%-]|^[_%]/) else { continue }
      expectError(CBLError.invalidParameter) { _ = try database.createCollection(name: text) }
    }
    #expect(try schema() == before)
  }

  @Test func indexes() throws {
    try collection.save(document: MutableDocument(id: "found", data: ["t": "needle"]))
    let before = try schema()
    for text in Self.texts where !text.contains("\0") {
      try collection.createIndex(withName: text, config: ValueIndexConfiguration(["n"]))
      let query = try database.createQuery("SELECT META().id FROM _ WHERE n = 3")
      #expect(try column("id", of: query) == ["d3"])
      #expect(try query.explanation().steps.first?.index == text)
      try collection.createIndex(withName: text, config: FullTextIndexConfiguration(["t"]))
      let name = "`\(text.doublingBackticks)`"
      let matches = [
        try database.createQuery("SELECT META().id FROM _ WHERE MATCH(\(name), 'needle') ORDER BY RANK(\(name))"),
        try database.createQuery(
          json: #"{"WHAT": [["._id"]], "WHERE": ["MATCH()", \#(try jsonLiteral(text)), "needle"]}"#),
        built(FullTextFunction.match(Expression.fullTextIndex(text), query: "needle")),
      ]
      for match in matches {
        do {
          #expect(try column("id", of: match) == ["found"], "\(match)")
        } catch let error as CBLError {
          Issue.record("\(match): \(error.message)")
        }
      }
      try collection.deleteIndex(forName: text)
    }
    #expect(try collection.indexes().isEmpty)
    #expect(try schema() == before)
  }

  /// The names of parameters are letters, digits and `_` in SQL++; elsewhere any text.
  @Test func parameterNames() throws {
    let before = try schema()
    for (number, text) in Self.texts.enumerated() {
      let queries = [
        built(Expression.property("n").equalTo(Expression.parameter(text))),
        try database.createQuery(
          json: #"{"WHAT": [["._id"]], "WHERE": ["=", [".n"], ["$", \#(try jsonLiteral(text))]]}"#),
      ]
      for query in queries {
        query.parameters = Parameters().setInt(number, forName: text)
        try expect(number, query, text)
        query.parameters = nil
        expectError(CBLError.invalidQueryParam) { _ = try query.execute() }
      }
    }
    #expect(try schema() == before)
  }

  // MARK: Words of the language

  @Test func locales() throws {
    let before = try schema()
    for text in Self.texts {
      let queries = [
        {
          try self.database.createQuery(
            json:
              #"{"WHAT": [["._id"]], "WHERE": ["COLLATE", {"UNICODE": true, "LOCALE": \#(try self.jsonLiteral(text))}, ["=", [".v"], "日本"]]}"#
          )
        },
        {
          self.built(
            Expression.property("v").collate(Collation.unicode().locale(text)).equalTo(Expression.string("日本")))
        },
      ]
      for query in queries {
        do {
          #expect(
            try column("id", of: query()).contains("d\(Self.texts.firstIndex(of: "日本") ?? 0)"),
            "\(text.debugDescription)")
        } catch let error as CBLError {
          #expect([CBLError.invalidQuery, CBLError.invalidParameter].contains(error.code), "\(error.message)")
          #expect(error.message.contains("locale") || error.message.contains("COLLATE"), "\(error.message)")
        }
      }
    }
    #expect(try schema() == before)
  }

  @Test func functionsAndOperations() throws {
    let before = try schema()
    for text in Self.texts {
      let json = try jsonLiteral(text)
      let call = try jsonLiteral(text + "()")
      expectError(CBLError.invalidQuery) {
        _ = try database.createQuery(json: #"{"WHAT": [[\#(call), [".n"]]]}"#).execute()
      }
      expectError(CBLError.invalidQuery) {
        _ = try QueryBuilder.select(SelectResult.expression(Function.call(text, Expression.property("n"))))
          .from(DataSource.collection(collection)).execute()
      }
      // However SQL++ or the JSON form interprets such a text, the query returns a result or throws a query error.
      for make in [
        { try self.database.createQuery(text) },
        { try self.database.createQuery("SELECT n FROM _ WHERE v = '\(text)'") },
        { try self.database.createQuery("SELECT \(text) FROM _") },
        { try self.database.createQuery("SELECT n FROM _ WHERE \(text)") },
        { try self.database.createQuery("SELECT n FROM _ ORDER BY \(text)") },
        { try self.database.createQuery("SELECT n FROM _ LIMIT \(text)") },
        { try self.database.createQuery(where: text) },
        { try self.database.createQuery(where: nil, returning: [text]) },
        { try self.database.createQuery(where: nil, orderBy: [text]) },
        { try self.database.createQuery(where: nil, groupBy: [text], having: text) },
        { try self.database.createQuery(json: text) },
        { try self.database.createQuery(json: #"{"WHERE": [\#(json), [".n"]]}"#) },
      ] as [() throws -> Query] {
        do {
          _ = try make().execute()
        } catch let error as CBLError {
          #expect(
            [CBLError.invalidQuery, CBLError.invalidQueryParam].contains(error.code),
            "\(text.debugDescription): \(error.message)")
        }
      }
    }
    for text in Self.texts {
      for config in [
        ValueIndexConfiguration([text]), ValueIndexConfiguration(["n"], where: text),
        ArrayIndexConfiguration(path: text), ArrayIndexConfiguration(path: "list", expressions: [text]),
      ] as [any IndexConfiguration] {
        do {
          try collection.createIndex(withName: "index", config: config)
        } catch let error as CBLError {
          #expect(
            [CBLError.invalidQuery, CBLError.invalidParameter].contains(error.code), "\(config): \(error.message)")
        }
        try collection.deleteIndex(forName: "index")
      }
    }
    #expect(try schema() == before)
    #expect(collection.count == UInt64(Self.texts.count))
    #expect(try database.verify().isEmpty)
  }

  /// The text of a full-text query, which has a separate query language.
  @Test func fullTextQueries() throws {
    try collection.createIndex(withName: "t", config: FullTextIndexConfiguration(["v"]))
    let before = try schema()
    for text in Self.texts {
      let queries = [
        try database.createQuery("SELECT META().id FROM _ WHERE MATCH(t, \(sqlLiteral(text)))"),
        built(FullTextFunction.match(Expression.fullTextIndex("t"), query: text)),
        try database.createQuery("SELECT META().id FROM _ WHERE MATCH(t, $q)"),
      ]
      queries[2].parameters = Parameters().setString(text, forName: "q")
      for query in queries {
        do {
          _ = try query.execute()
        } catch let error as CBLError {
          #expect(error.code == CBLError.invalidQuery, "\(text.debugDescription): \(error.message)")
        }
      }
    }
    #expect(try schema() == before)
  }

  // MARK: Help

  struct Document: Codable {
    var v: String
    var n: Int
  }

  private func built(_ condition: any ExpressionProtocol) -> Query {
    QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection)).where(condition)
  }

  /// Expects the document with this number, and no other.
  private func expect(
    _ number: Int, _ query: Query, _ what: String, key: String = "id", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      let found = try query.execute().map { $0.string(forKey: key) ?? "\($0.int(forKey: key))" }
      #expect(
        found == [key == "id" ? "d\(number)" : "\(number)"], "\(what.debugDescription)", sourceLocation: sourceLocation)
    } catch let error as CBLError {
      Issue.record("\(what.debugDescription): \(error.message)", sourceLocation: sourceLocation)
    }
  }

  /// In predicates a backslash escapes the next character.
  private func predicateLiteral(_ text: String) -> String {
    "'" + text.unicodeScalars.map { "\\'".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
  }

  private func sqlLiteral(_ text: String) -> String { "'\(text.doubling("'"))'" }

  private func jsonLiteral(_ text: String) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: text, options: [.fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }

  /// The contents of `sqlite_master`, and the number of documents.
  private func schema() throws -> [String] {
    let queue = try DatabaseQueue(path: try #require(database.path))
    return try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1")
        + [String(try Int.fetchOne(db, sql: #"SELECT count(*) FROM "_default._default""#) ?? -1)]
    }
  }
}

extension String {
  /// The text with each occurrence of a scalar doubled, also before a combining accent, with which it forms one
  /// character.
  fileprivate func doubling(_ mark: Unicode.Scalar) -> String {
    unicodeScalars.map { $0 == mark ? "\($0)\($0)" : "\($0)" }.joined()
  }

  fileprivate var doublingBackticks: String { doubling("`") }
}
