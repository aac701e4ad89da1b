import Foundation
import Testing

/// `query`: queries, parameters, and the machine-readable output of rows.
struct QueryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.jsonl",
      #"""
      {"_id":"h1","type":"hotel","name":"Ghia","stars":4,"alias":null,"geo":{"lat": 1.50, "lon": -2}}
      {"_id":"h2","type":"hotel","name":"Arc, \"the\"\nblue","stars":3,"tags":["a", "b"],"open":true}
      {"_id":"l1","type":"landmark","name":"","stars":2.5}

      """#)
    #expect(try folder.concord("import", "r.jsonl").status == 0)
  }

  private static let all = "SELECT META().id, name, stars, alias, geo, tags, open FROM _ ORDER BY META().id"

  @Test(arguments: [["--json"], ["--format", "jsonl"], ["--format", "jsonl", "--json"]])
  func jsonLinesHaveOneRowPerLine(options: [String]) throws {
    let result = try ConcordProcess.run(["query", QueryTests.all] + options, in: folder)
    #expect(result.status == 0)
    #expect(result.messages.isEmpty)
    #expect(
      result.output == #"""
        {"id":"h1","name":"Ghia","stars":4,"alias":null,"geo":{"lat":1.50,"lon":-2}}
        {"id":"h2","name":"Arc, \"the\"\nblue","stars":3,"tags":["a","b"],"open":true}
        {"id":"l1","name":"","stars":2.5}

        """#)
  }

  @Test func jsonIsAnArrayWithOneRowPerLine() throws {
    let result = try folder.concord("query", "--format", "json", "SELECT stars FROM _ ORDER BY stars")
    #expect(result.output == "[{\"stars\":2.5},\n{\"stars\":3},\n{\"stars\":4}]\n")
  }

  @Test func csvFollowsRFC4180() throws {
    let result = try folder.concord("query", "--format", "csv", QueryTests.all)
    #expect(result.status == 0)
    let lines = [
      "id,name,stars,alias,geo,tags,open", "h1,Ghia,4,,\"{\"\"lat\"\":1.50,\"\"lon\"\":-2}\",,",
      "h2,\"Arc, \"\"the\"\"\nblue\",3,,,\"[\"\"a\"\",\"\"b\"\"]\",true", "l1,\"\",2.5,,,,",
    ]
    #expect(result.output == lines.map { $0 + "\r\n" }.joined())
  }

  @Test func csvDoublesEveryQuotationMark() throws {
    _ = try folder.concord("put", "q", "{\"q\":\"\\\"\u{301}x\"}")
    let result = try folder.concord("query", "--format", "csv", "SELECT q FROM _ WHERE META().id = 'q'")
    #expect(Array(result.output.utf8) == Array("q\r\n\"\"\"\u{301}x\"\r\n".utf8))
  }

  @Test func csvContainsNoEmptyLine() throws {
    let result = try folder.concord("query", "--format", "csv", "SELECT alias FROM _ LIMIT 2")
    #expect(result.output == "alias\r\n\"\"\r\n\"\"\r\n")
  }

  @Test(arguments: [("table", ""), ("json", "[]\n"), ("jsonl", ""), ("csv", "name\r\n")])
  func statusIs1WithoutRows(format: String, output: String) throws {
    let result = try folder.concord("query", "--format", format, "SELECT name FROM _ WHERE stars > 9")
    #expect(result.status == 1)
    #expect(result.output == output)
    #expect(result.messages == "concord: nothing found\n")
    #expect(try folder.concord("query", "-q", "SELECT name FROM _ WHERE stars > 9").messages.isEmpty)
  }

  @Test func countOfNothingIsARow() throws {
    let result = try folder.concord("query", "--json", "SELECT COUNT(*) AS n FROM _ WHERE stars > 9")
    #expect(result.status == 0)
    #expect(result.output == "{\"n\":0}\n")
  }

  @Test(arguments: [
    ("v=1", "1"), ("v=1.5", "1.5"), ("v=\"1\"", "\"1\""), ("v=Lyon", "\"Lyon\""), ("v=", "\"\""), ("v=true", "true"),
    ("v=null", "null"), ("v=[1,\"a\"]", "[1,\"a\"]"), ("v={\"a\":1}", "{\"a\":1}"), ("v=1,2", "\"1,2\""),
    ("v=1],[2", "\"1],[2\""), ("v=01234", "\"01234\""), ("v=a=b", "\"a=b\""), ("v= 7 ", "7"), ("$v=1", "1"),
  ])
  func parametersAreJSONOrStrings(argument: String, value: String) throws {
    let result = try folder.concord("query", "--json", "SELECT $v AS v", "--param", argument)
    #expect(result.output == "{\"v\":\(value)}\n", "\(result.messages)")
  }

  @Test func parametersAreCompared() throws {
    let query = "SELECT META().id FROM _ WHERE type = $type AND stars < $stars"
    let result = try folder.concord("query", "--json", query, "--param", "type=hotel", "--param=stars=4")
    #expect(result.output == "{\"id\":\"h2\"}\n")
    let unset = try folder.concord("query", "--format", "json", query, "--param", "type=hotel")
    #expect(unset.status == 2)
    #expect(unset.output.isEmpty)
    #expect(unset.messages.contains("$stars"))
    #expect(unset.messages.contains("--param NAME=VALUE"))
  }

  @Test func queriesAreReadFromFilesAndPipes() throws {
    try folder.write("q.sql", "-- the best\nSELECT name\nFROM _\nWHERE stars = 4;\n")
    #expect(try folder.concord("query", "--json", "--file", "q.sql").output == "{\"name\":\"Ghia\"}\n")
    let piped = try folder.concord("query", "--json", "-", input: "SELECT name FROM _ WHERE stars = 4")
    #expect(piped.output == "{\"name\":\"Ghia\"}\n")
    let missing = try folder.concord("query", "--file", "none.sql")
    #expect(missing.status == 2)
    #expect(missing.messages == "concord: none.sql: No such file or directory\n")
  }

  @Test(arguments: [
    #"{"WHAT": [[".name"]], "WHERE": ["=", [".stars"], 4]}"#,
    #" ["SELECT", {"WHAT": [[".name"]], "WHERE": ["=", [".stars"], 4]}]"#,
  ])
  func queriesMayBeJSON(query: String) throws {
    #expect(try folder.concord("query", "--json", query).output == "{\"name\":\"Ghia\"}\n")
  }

  @Test func syntaxErrorsShowTheirPosition() throws {
    let result = try folder.concord("query", "SELECT name, FROM _")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(
      result.messages.hasPrefix(
        """
        concord: line 1, column 14: unexpected 'FROM'
          SELECT name, FROM _
                       ^^^^
        expected an expression

        """))
    try folder.write("q.sql", "SELECT name\nFROM _ WHERE (stars\n")
    let file = try folder.concord("query", "--file", "q.sql", "--color", "always")
    #expect(file.messages.contains("q.sql: line 2, column 14: "))
    #expect(file.messages.contains("\n               \u{1B}[1;31m^\u{1B}[0m\n"))
  }

  @Test(arguments: [
    ("SELECT * FROM nowhere", "there is no collection \"nowhere\""), ("SELECT NOPE(1)", "there is no function 'NOPE'"),
    ("SELECT name FROM _ WHERE MATCH(text, \"x\")", "text"), ("{\"WHAT\": 1}", "WHAT"), ("", "the query is empty"),
  ])
  func errorsAreStatus2(query: String, message: String) throws {
    let result = try folder.concord("query", query)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.messages.hasPrefix("concord: "))
    #expect(result.messages.contains(message), "\(result.messages)")
  }

  @Test(arguments: [
    ["query"], ["explain"], ["query", "SELECT", "1"], ["query", "SELECT 1", "--file", "q.sql"],
    ["query", "SELECT 1", "--format", "xml"], ["query", "SELECT 1", "--json", "--format", "csv"],
    ["query", "SELECT 1", "--explain", "--format", "csv"], ["query", "SELECT 1", "--param", "x"],
    ["query", "SELECT 1", "--param", "=1"], ["query", "SELECT 1", "-c", "hotels"],
  ])
  func usageErrorsAreStatus2(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: "))
    #expect(result.output.isEmpty)
  }

  @Test func missingDatabaseIsNotCreated() throws {
    let result = try folder.concord("query", "-d", "none.concord", "SELECT 1")
    #expect(result.status == 2)
    #expect(result.messages.contains("none.concord: there is no such database"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.concord")))
  }

  @Test func rowCountAndTimeArePrintedOnRequest() throws {
    #expect(try folder.concord("query", "SELECT name FROM _").messages.isEmpty)
    let result = try folder.concord("query", "-v", "SELECT name FROM _")
    #expect(result.messages.hasPrefix("3 rows, "))
    #expect(result.messages.hasSuffix("s\n"))
  }

  @Test func collectionsAreNamedInTheQuery() throws {
    #expect(try folder.concord("put", "-c", "inventory.rooms", "r1", #"{"beds":2}"#).status == 0)
    let result = try folder.concord("query", "--json", "SELECT beds FROM inventory.rooms")
    #expect(result.output == "{\"beds\":2}\n")
  }
}

/// Rows of an endless result are printed immediately.
struct QueryStreamTests {
  private let folder: TemporaryFolder

  /// One billion rows.
  private static let query = "SELECT a.n AS a, b.n AS b FROM _ AS a CROSS JOIN _ AS b CROSS JOIN _ AS c"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("r.jsonl", (0..<1000).map { "{\"_id\":\"r\($0)\",\"n\":\($0)}\n" }.joined())
    #expect(try folder.concord("import", "r.jsonl").status == 0)
  }

  @Test(arguments: ["table", "json", "jsonl", "csv"])
  func closedPipeEndsTheCommandSilently(format: String) throws {
    let result = try ConcordProcess.shell(
      "concord query --format \(format) '\(QueryStreamTests.query)' | head -1; echo ${PIPESTATUS[0]}", in: folder)
    let lines = result.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2)
    #expect(lines.last == "0")
    #expect(result.messages.isEmpty)
  }

  @Test func interruptsEndWith130() throws {
    let process = ConcordProcess.prepare(
      ConcordProcess.path, ["query", "--json", QueryStreamTests.query], in: folder, environment: [:])
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // The first rows show that the query is running.
    let rows = output.fileHandleForReading.availableData
    #expect(String(decoding: rows, as: UTF8.self).hasPrefix("{\"a\":0,\"b\":0}\n"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
  }
}
