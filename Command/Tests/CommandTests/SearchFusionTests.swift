import Foundation
import Testing

/// `concord search --fuse` and `--model`.
@Suite struct SearchFusionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.txt", "green tea green tea leaves")
    try folder.write("b.txt", "coffee beans and a pot of tea")
    try folder.write("c.txt", "coffee coffee roasted beans")
    _ = try folder.concord("index", "-q", ".")
  }

  /// Returns the ids of the hits, best first.
  private func ids(_ arguments: String...) throws -> [String] {
    let result = try ConcordProcess.run(["search", "--json"] + arguments, in: folder)
    return try result.lines.map { try JSONText($0).string("id") ?? "" }
  }

  @Test func argumentsAreSeparateQueries() throws {
    #expect(Set(try ids("--fuse", "rrf", "tea", "coffee")) == ["a.txt", "b.txt", "c.txt"])
    // The only document in both rankings is first.
    #expect(try ids("--fuse", "rrf", "tea", "coffee").first == "b.txt")
    #expect(try ids("--fuse", "sum", "--fuse-weights", "0,1", "tea", "coffee").first == "c.txt")
    #expect(try ids("--fuse", "mnz", "-n", "1", "--offset", "1", "tea", "coffee").count == 1)
  }

  @Test func uniqueLeavesOutDuplicatesOfCombinedHits() throws {
    try folder.write("copy.txt", "Coffee, coffee: roasted beans")
    _ = try folder.concord("index", "-q", ".")
    #expect(try ids("--fuse", "rrf", "tea", "coffee").count == 4)
    let result = try folder.concord("search", "--json", "--unique", "--fuse", "rrf", "tea", "coffee")
    let hits = try result.lines.map { try JSONText($0) }
    #expect(hits.count == 3, "\(result.messages)")
    let copies = try #require(hits.first { $0.members["duplicates"] != nil })
    #expect(Set([copies.string("id")] + (copies.members["duplicates"] as? [String] ?? [])) == ["c.txt", "copy.txt"])
  }

  @Test func modelsAreCombinedForOneQuery() throws {
    #expect(try ids("--fuse", "rrf", "--fuse-models", "bm25,dirichlet,sdm", "green", "tea") == ["a.txt"])
  }

  @Test(arguments: ["bm25", "dirichlet", "jelinek-mercer", "dph", "pl2", "sdm"])
  func everyModelFindsTheSameDocuments(model: String) throws {
    #expect(Set(try ids("--model", model, "coffee")) == ["b.txt", "c.txt"])
    let json = try folder.concord("search", "--model", model, "--json", "--explain", "green tea")
    #expect(json.status == 0)
    #expect(json.output.contains(model == "bm25" ? "\"k1\":1.2" : "\"model\":\"\(model)\""))
  }

  @Test(arguments: [
    ["--fuse", "rrf", "tea"], ["--fuse", "best", "tea", "coffee"], ["--fuse", "rrf", "--count", "tea", "coffee"],
    ["--fuse", "rrf", "--fuse-weights", "1", "tea", "coffee"], ["--fuse-models", "bm25,dph", "tea"],
    ["--fuse", "rrf", "--fuse-models", "bm25,nosuch", "tea"], ["--model", "nosuch", "tea"], ["--mu", "3", "tea"],
    ["--model", "dph", "--mu", "3", "tea"], ["--model", "dirichlet", "--mu", "-1", "tea"],
  ])
  func badCombinationsAreErrors(arguments: [String]) throws {
    let result = try ConcordProcess.run(["search"] + arguments, in: folder)
    #expect(result.status == 2)
    #expect(!result.messages.isEmpty)
  }

  @Test func parametersAndModelsAreChecked() throws {
    let k1 = try folder.concord("search", "--fuse", "rrf", "--fuse-models", "dph,sdm", "--k1", "1", "tea")
    #expect(k1.status == 2 && k1.messages.contains("The parameters of sdm: mu."), "\(k1.messages)")
    let model = try folder.concord("search", "--fuse", "rrf", "--fuse-models", "bm25,foo", "tea")
    #expect(model.messages.contains("\"foo\" is not a ranking model") && model.messages.contains("jelinek-mercer"))
  }

  @Test func emptyResultsAndScoresOfCombinedSearchesArePrinted() throws {
    let empty = try folder.concord("search", "--fuse", "rrf", "--exact", "zebra", "giraffe")
    #expect(empty.status == 1 && empty.messages.contains("nothing found"))
    // 1 / 61 + 1 / 62.
    #expect(try folder.concord("search", "--fuse", "rrf", "tea", "coffee").output.contains("(0.03"))
    #expect(try folder.concord("search", "--fuse", "rrf", "coffee", "coffee").output.contains("(0.03279)"))
  }

  @Test func indexesHaveAModel() throws {
    #expect(try folder.concord("create-index", "dph", "--full-text", "text", "--model", "dph").status == 0)
    let result = try folder.concord("search", "--index", "dph", "--json", "--explain", "coffee")
    #expect(result.output.contains("\"model\":\"dph\""))
    #expect(try folder.concord("create-index", "x", "text", "--model", "dph").status == 2)
  }
}
