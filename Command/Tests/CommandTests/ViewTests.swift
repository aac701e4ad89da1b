import Foundation
import Testing

/// `view create`, `query`, `list` and `drop`.
struct ViewTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.jsonl",
      #"""
      {"_id":"a","type":"hotel","city":"Lyon","price":80}
      {"_id":"b","type":"hotel","city":"Riga","price":50}
      {"_id":"c","type":"inn","city":"Riga","price":20}

      """#)
    #expect(try folder.concord("import", "r.jsonl").status == 0)
  }

  private func create(_ options: String...) throws -> CommandResult {
    try ConcordProcess.run(
      ["view", "create", "prices", "--key", "type, city", "--value", "price"] + options, in: folder)
  }

  @Test func viewsAreCreatedQueriedListedAndDropped() throws {
    let created = try create("--reduce", "_stats")
    #expect(created.status == 0)
    #expect(created.messages.contains("view prices: 3 rows"))
    let groups = try folder.concord("view", "query", "prices", "--group-level", "1", "--start-key", #"["hotel"]"#)
    #expect(
      groups.lines == [
        #"{"key":["hotel"],"value":{"sum":130,"count":2,"min":50,"max":80,"sumsqr":8900}}"#,
        #"{"key":["inn"],"value":{"sum":20,"count":1,"min":20,"max":20,"sumsqr":400}}"#,
      ])
    #expect(try folder.concord("put", "d", #"{"type":"inn","city":"Oslo","price":5}"#).status == 0)
    let rows = try folder.concord(
      "view", "query", "prices", "--map-only", "--start-key", #"["inn"]"#, "--end-key", #"["inn",{}]"#, "--docs")
    #expect(
      rows.lines.first == #"{"id":"d","key":["inn","Oslo"],"value":5,"doc":{"type":"inn","city":"Oslo","price":5}}"#)
    #expect(rows.lines.count == 2)
    let list = try folder.concord("view", "list", "--json")
    #expect(list.lines.count == 1)
    let entry = try JSONText(list.lines[0])
    #expect(
      entry.keys == ["name", "collection", "key", "value", "reduce", "where", "rows", "size", "stale", "outdated"])
    #expect(entry.string("key") == "type, city" && entry.string("value") == "price")
    #expect(entry.string("reduce") == "_stats" && list.output.contains(#""rows":4"#))
    #expect(list.output.contains(#""stale":false,"outdated":false"#))
    #expect(try folder.concord("view", "list").output.contains("KEY type, city VALUE price REDUCE _stats"))
    let index = try JSONText(try #require(try folder.concord("indexes", "--json").lines.first))
    #expect(index.string("key") == "type, city" && index.string("reduce") == "_stats")
    #expect(try folder.concord("put", "e", #"{"type":"inn"}"#).status == 0)
    #expect(try folder.concord("view", "list", "--json").output.contains(#""stale":true"#))
    #expect(try folder.concord("verify").status == 0)
    #expect(try folder.concord("view", "drop", "prices").status == 0)
    #expect(try folder.concord("view", "list").status == 1)
    #expect(try folder.concord("view", "drop", "prices").status == 1)
  }

  @Test func anotherViewWithTheNameIsKept() throws {
    #expect(try create().status == 0)
    #expect(try create().status == 0)
    let other = try create("--reduce", "_count")
    #expect(other.status == 2)
    #expect(other.messages.contains("choose another name"))
    #expect(
      try folder.concord("view", "query", "prices", "--limit", "1").lines == [
        #"{"id":"a","key":["hotel","Lyon"],"value":80}"#
      ])
  }

  @Test func rowsAreSortedByPathsWithAMinus() throws {
    #expect(try create().status == 0)
    func ids(_ options: String...) throws -> [String] {
      try ConcordProcess.run(["view", "query", "prices"] + options, in: folder).lines.map {
        try JSONText($0).string("id") ?? ""
      }
    }
    #expect(try ids("--sort", "-value") == ["a", "b", "c"] && ids("--sort=value") == ["c", "b", "a"])
    #expect(try ids("--sort", "-id", "--limit", "1") == ["c"])
    let missing = try folder.concord("view", "query", "prices", "--sort", "-value.x")
    #expect(missing.status == 0 && missing.messages.contains("none of the rows has value.x"))
    let misspelt = try folder.concord("view", "query", "prices", "--sort", "-valeu")
    #expect(misspelt.status == 2 && misspelt.messages.contains("did you mean value?"), "\(misspelt.messages)")
  }

  @Test(arguments: [
    (["--start-id", "b"], "--start-id requires --start-key."),
    (["--key", "1", "--end-id", "b"], "--end-id requires --end-key."),
    (["--exclusive-start"], "--exclusive-start requires --start-key."),
    (["--prefix-match", "1"], "--prefix-match requires --end-key."),
    (
      ["--prefix-match", "1", "--descending", "--end-key", "1"],
      "--prefix-match requires --start-key with --descending."
    ),
    (["--prefix-match", "3"], "--prefix-match takes 0, 1 or 2, not 3."),
    (["--start-key", "1", "--start-id", "b", "--exclusive-start"], "so --start-id has no effect"),
    (["--docs"], "add --map-only"), (["--group", "--group-level", "1"], "cannot be combined"),
    (["--map-only", "--group"], "--map-only does not group rows"),
    (["--key", "Riga"], "the value of --key is not JSON"),
  ])
  func optionsWithoutAnEffectAreRefused(options: [String], message: String) throws {
    #expect(try create("--reduce", "_sum").status == 0)
    let result = try ConcordProcess.run(["view", "query", "prices"] + options, in: folder)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.messages.contains(message), "\(result.messages)")
    #expect(result.messages.contains("\nUsage: concord view query "), "\(result.messages)")
  }

  @Test func errorsPointIntoTheKeyAsTyped() throws {
    let result = try folder.concord("view", "create", "x", "--key", "type, , city")
    #expect(result.status == 2)
    #expect(result.messages.contains("line 1, column 7: unexpected ','\n  type, , city\n"), "\(result.messages)")
  }

  @Test func misspeltSubcommandsAreReported() throws {
    let result = try folder.concord("view", "lsit")
    #expect(result.status == 2)
    #expect(
      result.messages.hasPrefix(
        "concord: there is no command \"view lsit\"; use create, query, list or drop\nUsage: concord view "))
  }

  @Test(arguments: [
    ["create", "x", "--key", "a +"], ["create", "x", "--key", "a", "--reduce", "sum"], ["query", "none"],
    ["query", "prices", "--start-key", "hotel"], ["query", "prices", "--limit", "-1"],
  ])
  func mistakesAreErrors(_ arguments: [String]) throws {
    #expect(try create().status == 0)
    #expect(try ConcordProcess.run(["view"] + arguments, in: folder).status == 2)
  }
}
