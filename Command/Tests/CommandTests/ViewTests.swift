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
    #expect(list.output.contains(#""rows":4"#))
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

  @Test(arguments: [
    ["create", "x", "--key", "a +"], ["create", "x", "--key", "a", "--reduce", "sum"], ["query", "none"],
    ["query", "prices", "--start-key", "hotel"], ["query", "prices", "--limit", "-1"],
  ])
  func mistakesAreErrors(_ arguments: [String]) throws {
    #expect(try create().status == 0)
    #expect(try ConcordProcess.run(["view"] + arguments, in: folder).status == 2)
  }
}
