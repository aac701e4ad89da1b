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
    ["--fuse", "sum", "--fuse-weights", "1,1000001", "tea", "coffee"],
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

  /// A parameter must belong to one of the models, and applies to it.
  @Test func parametersApplyToTheModelsThatHaveThem() throws {
    func scores(_ arguments: String...) throws -> [Double] {
      let fixed = ["search", "--json", "--explain", "--fuse", "rrf", "--fuse-models", "bm25,dirichlet"]
      let result = try ConcordProcess.run(fixed + arguments + ["coffee"], in: folder)
      #expect(result.status == 0, "\(result.messages)")
      return try result.lines.flatMap { line -> [Double] in
        let searches = try JSONText(line).object("explanation")?["searches"] as? [[String: Any]] ?? []
        return searches.compactMap { $0["score"] as? Double }
      }
    }
    let defaults = try scores()
    let (mu, k1) = (try scores("--mu", "5"), try scores("--k1", "2"))
    #expect(defaults.count == 4 && mu.count == 4 && k1.count == 4)
    let (sameWithMu, sameWithK1) = (zip(defaults, mu).map(==), zip(defaults, k1).map(==))
    #expect(sameWithMu == [true, false, true, false])
    #expect(sameWithK1 == [false, true, false, true])
    let refused = try folder.concord("search", "--fuse", "rrf", "--fuse-models", "bm25,dph", "--mu", "5", "tea")
    #expect(
      refused.status == 2
        && refused.messages.contains(
          "--mu is a parameter of dirichlet and sdm. The parameters of bm25: k1, b. The model dph has no parameters."),
      "\(refused.messages)")
  }

  /// Without --model, the model is that of the index.
  @Test func parametersMustBelongToTheModelOfTheIndex() throws {
    #expect(try folder.concord("create-index", "dph", "--full-text", "text", "--model", "dph").status == 0)
    #expect(try folder.concord("create-index", "lm", "--full-text", "text", "--model", "dirichlet").status == 0)
    try folder.write("q.tsv", "1\tcoffee\n")
    try folder.write("qrels", "1 0 b.txt 1\n")
    let commands = [["search", "coffee"], ["eval", "--queries", "q.tsv", "--qrels", "qrels"]]
    for command in commands {
      for option in ["--k1", "--b"] {
        let result = try ConcordProcess.run(command + ["--index", "dph", option, "0.5"], in: folder)
        let message = "\(option) is a parameter of bm25. The model dph has no parameters."
        #expect(result.status == 2 && result.messages.contains(message), "\(result.messages)")
        #expect(
          try ConcordProcess.run(command + ["--model", "dph", option, "0.5"], in: folder).messages.contains(message))
        #expect(try ConcordProcess.run(command + ["--index", "search", option, "0.5"], in: folder).status == 0)
      }
      #expect(try ConcordProcess.run(command + ["--index", "lm", "--mu", "5"], in: folder).status == 0)
      #expect(try ConcordProcess.run(command + ["--index", "search", "--mu", "5"], in: folder).status == 2)
    }
    let scores = try [[], ["--mu", "5"]].map {
      try ConcordProcess.run(["search", "--json", "--index", "lm", "coffee"] + $0, in: folder).output
    }
    #expect(scores[0] != scores[1])
    let sweep = try ConcordProcess.run(commands[1] + ["--index", "dph", "--sweep", "k1=1:2"], in: folder)
    #expect(sweep.status == 2 && sweep.messages.contains("--sweep of k1 requires --model bm25. The model dph has no"))
    let swept = try ConcordProcess.run(commands[1] + ["--index", "lm", "--sweep", "mu=5:50", "--json"], in: folder)
    #expect(swept.status == 0 && swept.lines.count == 3, "\(swept.messages)")
    #expect(try folder.concord("create-index", "x", "--full-text", "text", "--mu", "5").messages.contains("--mu is a"))
  }

  @Test func explanationsNameEachSearch() throws {
    let text = try folder.concord(
      "search", "--fuse", "sum", "--fuse-weights", "1,0.5", "--explain", "tea", "roasted coffee"
    ).output
    #expect(text.contains("sum: sum of\n"))
    #expect(text.contains("search 1  rank 1, score 0.8041, ") && text.contains("search 2  rank 1, score "), "\(text)")
    #expect(text.contains("normalized 1.00000 × weight 0.5000") && text.contains("roasted  idf"), "\(text)")
    let line = try JSONText(
      try #require(
        try folder.concord("search", "--json", "--fuse", "rrf", "--explain", "tea", "coffee").lines.first))
    let explanation = try #require(line.object("explanation"))
    let searches = try #require(explanation["searches"] as? [[String: Any]])
    #expect(
      explanation["method"] as? String == "rrf" && explanation["score"] as? Double == line.members["score"] as? Double)
    #expect(searches.map { $0["search"] as? Int } == [1, 2])
    #expect(
      searches.allSatisfy { ($0["explanation"] as? [String: Any])?["score"] as? Double == $0["score"] as? Double })
  }

  /// The messages are those of each search.
  @Test func combinedSearchesReportWhatSingleSearchesReport() throws {
    let relaxed = try folder.concord("search", "--fuse", "rrf", "coffe roastd", "tea")
    let single = try #require(try folder.concord("search", "coffe roastd").messages.split(separator: "\n").first)
    #expect(relaxed.status == 0 && relaxed.messages.hasPrefix(single + "\n"), "\(relaxed.messages)")
    #expect(single.contains("coffee roasted"))
    for query in ["zebra", "type:nosuch tea", "-"] {
      let single = try folder.concord("search", "--", query)
      let fused = try folder.concord("search", "--fuse", "rrf", "--", query, query)
      #expect(single.status == 1 && fused.status == 1 && fused.messages == single.messages, "\(fused.messages)")
    }
    let property = try folder.concord("search", "--fuse", "rrf", "--where", "colour = 1", "tea", "coffee")
    #expect(property.messages.contains("no document has a property colour"), "\(property.messages)")
  }

  @Test func anyWordOfAQueryMatches() throws {
    #expect(try Set(ids("--match", "any", "green", "roasted")) == ["a.txt", "c.txt"])
    #expect(try ids("--match", "all", "green", "tea") == ["a.txt"])
    #expect(try folder.concord("search", "--count", "--match", "any", "green", "roasted").output == "2\n")
    for arguments in [
      ["--match", "some", "tea"], ["--match", "any", "--syntax", "fts5", "tea"],
      ["--match", "any", "--like", "a.txt"],
    ] {
      #expect(try ConcordProcess.run(["search"] + arguments, in: folder).status == 2)
    }
  }

  @Test func indexesHaveAModel() throws {
    #expect(try folder.concord("create-index", "dph", "--full-text", "text", "--model", "dph").status == 0)
    let result = try folder.concord("search", "--index", "dph", "--json", "--explain", "coffee")
    #expect(result.output.contains("\"model\":\"dph\""))
    #expect(try folder.concord("create-index", "x", "text", "--model", "dph").status == 2)
  }
}
