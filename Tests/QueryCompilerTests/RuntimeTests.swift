import Foundation
import GRDB
import JSONText
import TextAnalysis
import TestSupport
import Testing

@testable import QueryCompiler

@Suite struct RuntimeTests {
  @Test(arguments: [
    ("s", "\"é\\\"x\"", "\"é\\\"x\""), ("s", "\"\"", "\"\""), ("s", "12", "12"), ("s", "1.50", "1.5"),
    ("s", "true", "true"), ("s", "null", "null"), ("s", "[1, 2.0]", "[1, 2.0]"),
    ("s", "{\"b\":1, \"a\":2}", "{\"b\":1, \"a\":2}"),
    ("s.x", "1", "MISSING"), ("s", "18446744073709551615", "1.8446744073709552e+19"),
  ]) func valuesAreExact(path: String, json: String, expected: String) throws {
    let connection = try TestConnection()
    let value = try connection.value("concordance_value(?, ?)", ["{\"s\":\(json)}", path])
    #expect(value.exactText == expected)
  }

  @Test func sortKeysAreOrderedAsDocumented() throws {
    let ordered = ["false", "true", "1.5", "2", "\"\"", "\"A\"", "\"a\"", "[1]", "[]", "{\"a\":1}", "{}"]
    let connection = try TestConnection()
    for (index, one) in ordered.enumerated() {
      for (other, two) in ordered.enumerated() {
        let (left, right) = (QueryValue(test: one), QueryValue(test: two))
        let order = index == other ? 0 : index < other ? -1 : 1
        #expect(left.compare(right).signum() == order, "\(one) \(two)")
        let sql = "(SELECT (a > b) - (a < b) FROM (SELECT concordance_key(?, 'x') AS a, concordance_sort(?) AS b))"
        let arguments: StatementArguments = ["{\"x\":\(one)}", right.bound]
        #expect(try Int.fromDatabaseValue(connection.value(sql, arguments)) == order, "\(one) \(two) in SQL")
      }
    }
    for json in ["{\"x\":null}", "{}"] {
      #expect(try connection.value("concordance_key(?, 'x') IS NULL", [json]) == 1.databaseValue)
    }
  }

  @Test func orderOfRandomValuesIsTheSameInSQL() throws {
    let connection = try TestConnection()
    try connection.queue.read { db in
      let statement = try db.makeStatement(
        sql: "SELECT (a > b) - (a < b) FROM (SELECT concordance_sort(?1) AS a, concordance_sort(?2) AS b)")
      for seed in 0..<3000 {
        var generator = SeededGenerator(seed: UInt64(seed))
        let one = QueryValue(test: RandomJSON.value(&generator, 2))
        let other = QueryValue(test: RandomJSON.value(&generator, 2))
        let order = try Int.fetchOne(statement, arguments: [one.bound, other.bound])
        #expect(order == (one.isValued && other.isValued ? one.compare(other).signum() : nil), "seed \(seed)")
      }
    }
  }

  @Test func repeatedStringsContainEachCopy() throws {
    let connection = try TestConnection()
    for count in 0...20 {
      let value = try connection.value("concordance_repeat('é1\u{1F600}', \(count))")
      #expect(value == String(repeating: "é1\u{1F600}", count: count).databaseValue, "\(count)")
    }
  }

  @Test func conversions() throws {
    let connection = try TestConnection()
    #expect(
      try connection.value("hex(concordance_value(?, 'a'))", [#"{"a":"x\u0000\"y"}"#]) == "78002279".databaseValue)
    #expect(try connection.value("concordance_truth(x'74727565')") == 1.databaseValue)
    #expect(try connection.value("concordance_truth(0.0)") == 0.databaseValue)
    #expect(try connection.value("concordance_truth(x'6e756c6c')") == .null)
    #expect(try connection.value("concordance_boolean(1 < 2)").exactText == "true")
    #expect(try connection.value("concordance_boolean(1 > 2)").exactText == "false")
    #expect(try connection.value("concordance_boolean(NULL)").exactText == "MISSING")
    #expect(
      try connection.value("concordance_member(concordance_value('{\"a\":{\"b\":5}}', 'a'), 'b')").exactText == "5")
    #expect(try connection.value("concordance_member('{\"a\":1}', 'a')") == .null)
    #expect(try connection.value("concordance_value(NULL, 'a')") == .null)
  }

  @Test(arguments: [
    ("concordance_regexp_contains('a', '(')", "missing closing parenthesis"),
    ("concordance_value('{}', 'a[')", "property path"),
    ("concordance_value('{}', 5)", "a property path must be a string"),
    ("concordance_greatest(1)", "GREATEST takes at least 2 arguments, not 1"),
    ("concordance_contains('a', 'b', 'nonsense')", "there is no collation \"nonsense\""),
    ("concordance_repeat('abc', 1000000000)", "larger than"),
    ("concordance_array_range(0, 1e18)", "larger than"),
  ]) func errorMessagesPassThroughSQLite(sql: String, message: String) throws {
    let connection = try TestConnection()
    let error = try #require(throws: DatabaseError.self) { try connection.value(sql) }
    #expect(error.message?.contains(message) == true, "\(error)")
  }

  @Test func limitsOfPatternsAreErrors() throws {
    let connection = try TestConnection()
    let text = String(repeating: "a", count: 64) + "b"
    let error = try #require(throws: DatabaseError.self) {
      try connection.value("concordance_regexp_contains(?, '^(a|aa|a?)+$')", [text])
    }
    #expect(error.message?.contains("steps") == true, "\(error)")
  }

  @Test func aggregates() throws {
    let connection = try TestConnection()
    func run(_ name: String, _ values: [String]) throws -> String {
      try connection.queue.write { db in
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS v(x); DELETE FROM v")
        for value in values {
          try db.execute(sql: "INSERT INTO v VALUES (?)", arguments: [QueryValue(test: value).bound])
        }
        let value = try DatabaseValue.fetchOne(db, sql: "SELECT concordance_aggregate_\(name)(x) FROM v")
        return (value ?? .null).exactText
      }
    }
    let mixed = ["3", "MISSING", "null", "\"a\"", "1.5", "true", "[1]"]
    #expect(try run("count", mixed) == "5")
    #expect(try run("sum", mixed) == "4.5")
    #expect(try run("avg", mixed) == "2.25")
    #expect(try run("max", mixed) == "[1]")
    #expect(try run("min", mixed) == "true")
    #expect(try run("array_agg", mixed) == "[3,null,\"a\",1.5,true,[1]]")
    #expect(try run("sum", ["9223372036854775807", "1"]) == "9.223372036854776e+18")
    #expect(try run("sum", ["0.1", "0.2", "0.3"]) == "0.6")
    // Sums of integers do not depend on the order, even if a part of them exceeds 64 bits.
    for numbers in [["9223372036854775807", "1", "-1"], ["1", "-1", "9223372036854775807"]] {
      #expect(try run("sum", numbers) == "9223372036854775807")
      #expect(try run("avg", numbers) == "3.0744573456182584e+18")
    }
    for (name, expected) in [("count", "0"), ("sum", "null"), ("avg", "null"), ("max", "null"), ("array_agg", "null")] {
      #expect(try run(name, []) == expected)
      #expect(try run(name, ["MISSING"]) == expected)
    }
  }

  @Test(arguments: [
    ("[1, \"a\\n\", true, null, [2], {}]", "0=1 1=\"a\\n\" 2=true 3=null 4=[2] 5={}"), ("[]", ""), ("\"[1]\"", ""),
    ("5", ""), ("{\"k\\\"\": 1.0, \"l\": {\"m\": []}}", "k\"=1.0 l={\"m\": []}"), ("null", ""),
  ]) func eachReturnsOneRowPerElement(json: String, expected: String) throws {
    let connection = try TestConnection()
    try connection.queue.read { db in
      let sql = "SELECT key, value FROM concordance_each(concordance_value(?, 'x'))"
      let rows = try Row.fetchAll(db, sql: sql, arguments: ["{\"x\":\(json)}"])
      let text = rows.map { row -> String in
        let (key, value): (DatabaseValue, DatabaseValue) = (row[0], row[1])
        return "\(String.fromDatabaseValue(key) ?? key.description)=\(value.exactText)"
      }
      #expect(text.joined(separator: " ") == expected)
    }
  }

  /// Each row of the outer table has different input, for which SQLite reuses the cursor.
  @Test func eachWorksInJoinsAndSubqueries() throws {
    let connection = try TestConnection()
    try connection.queue.write { db in
      try db.execute(
        sql: #"CREATE TABLE d(body); INSERT INTO d VALUES ('{"a":[1,2]}'), ('{}'), ('{"a":[2,3,true]}')"#)
      let joined = "SELECT count(*) FROM d, concordance_each(concordance_value(body, 'a'))"
      #expect(try Int.fetchOne(db, sql: joined) == 5)
      let any = """
        SELECT count(*) FROM d WHERE EXISTS (
          SELECT 1 FROM concordance_each(concordance_value(body, 'a')) AS e WHERE concordance_sort(e.value) = 2)
        """
      #expect(try Int.fetchOne(db, sql: any) == 2)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM concordance_each") == 0)
    }
  }

  @Test func preparedPatternsFollowArguments() throws {
    let connection = try TestConnection()
    try connection.queue.read { db in
      let sql = """
        SELECT count(*) FROM json_each('["abc","abd","x"]')
        WHERE concordance_regexp_contains_condition(value, ?1) AND concordance_op_like_condition(value, ?2)
        """
      let statement = try db.makeStatement(sql: sql)
      #expect(try Int.fetchOne(statement, arguments: ["ab", "%c"]) == 1)
      #expect(try Int.fetchOne(statement, arguments: ["x", "%"]) == 1)
      // A pattern from a column changes with each row.
      let sum = """
        SELECT sum(concordance_regexp_like_condition(value, value)) FROM json_each('["a","b","c"]')
        """
      #expect(try Int.fetchOne(db, sql: sum) == 3)
    }
  }

  @Test func schemaCannotNameFunctions() throws {
    let connection = try TestConnection()
    #expect(throws: DatabaseError.self) {
      try connection.queue.write { db in
        try db.execute(sql: "CREATE TABLE t(body); CREATE INDEX i ON t(concordance_key(body, 'a'))")
      }
    }
  }

  @Test(arguments: [
    (CollationOptions(), "b A a", "A a b"), (CollationOptions(ignoresCase: true), "b A a", "A a b"),
    (CollationOptions(isUnicode: true), "z Ä B a A ä", "a A ä Ä B z"),
    (CollationOptions(isUnicode: true, locale: "sv"), "z ä a", "a z ä"),
    (CollationOptions(isUnicode: true, locale: "de-AT"), "z ä a", "a ä z"),
  ]) func collationsAreRegisteredOnFirstUse(options: CollationOptions, words: String, expected: String) throws {
    let connection = try TestConnection()
    try connection.queue.read { db in
      let json = JSONValue.array(words.split(separator: " ").map { .string(String($0)) }).text
      let sorted = try String.fetchAll(
        db, sql: "SELECT value FROM json_each(?) ORDER BY value COLLATE \(options.name), key", arguments: [json])
      #expect(sorted.joined(separator: " ") == expected)
    }
  }

  @Test(arguments: [
    (false, false, "e", "E", false), (false, false, "e", "é", false), (true, false, "e", "E", true),
    (true, false, "e", "é", false), (false, true, "e", "é", true), (false, true, "e", "E", false),
    (true, true, "e", "É", true),
  ])
  func optionsDecideEquality(ignoresCase: Bool, ignoresAccents: Bool, one: String, other: String, areEqual: Bool) throws
  {
    let options = CollationOptions(isUnicode: true, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents)
    let collator = try Collator(options)
    #expect((collator.compare(one, other) == 0) == areEqual)
    #expect((collator.sortKey(one) == collator.sortKey(other)) == areEqual)
    #expect(CollationOptions(name: options.name) == options)
  }

  @Test func collationNamesCannotInject() {
    let options = CollationOptions(isUnicode: true, locale: "sv\"; DROP TABLE t")
    #expect(!options.isWellFormed)
    #expect(options.name == "concordance_unicode")
    #expect(CollationOptions(name: "concordance_unicode_;") == nil)
    #expect(CollationOptions(name: "concordance_unicodex") == nil)
    #expect(CollationOptions(name: "CONCORDANCE_UNICODE_NODIAC_SE")?.locale == "se")
  }
}
