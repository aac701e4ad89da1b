import Foundation
import Testing

/// `get`, `indexes`, `stats`, `verify`, `optimize` and `analyze`.
struct InspectionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.json",
      #"[{"id":"r1", "name": "Apple  pie", "n": 1.50, "list": [], "o": {}}, {"id":"r2","name":"Pear"}]"#)
    #expect(try folder.concord("index", "r.json").status == 0)
  }

  @Test func getPrintsOneDocumentPerLine() throws {
    let result = try folder.concord("get", "r2", "r1")
    #expect(result.status == 0)
    #expect(
      result.output == """
        {"id":"r2","name":"Pear"}
        {"id":"r1","name":"Apple  pie","n":1.50,"list":[],"o":{}}

        """)
  }

  @Test func prettyIndentsDocuments() throws {
    #expect(
      try folder.concord("get", "--pretty", "r1").output == """
        {
          "id": "r1",
          "name": "Apple  pie",
          "n": 1.50,
          "list": [],
          "o": {}
        }

        """)
  }

  @Test func jsonWrapsDocuments() throws {
    let object = try JSONText(try folder.concord("get", "--json", "r1").lines[0])
    #expect(object.keys == ["id", "collection", "sequence", "revision", "document"])
    #expect(object.object("document")?["name"] as? String == "Apple  pie")
  }

  @Test func getReportsMissingDocumentsAndPrintsTheRest() throws {
    let result = try folder.concord("get", "nope", "r2")
    #expect(result.status == 1)
    #expect(result.lines.count == 1)
    #expect(result.messages == "concord: there is no document \"nope\" in _default._default\n")
  }

  @Test func indexesAreListed() throws {
    let object = try JSONText(try folder.concord("indexes", "--json").lines[0])
    #expect(
      object.keys == [
        "name", "kind", "collection", "fields", "expressions", "key", "value", "reduce", "where", "path", "language",
        "languageProperty",
        "accents", "code", "fieldAnalyzers", "documents", "size", "outdated",
      ])
    #expect(object.int("documents") == 2)
    let table = try folder.concord("indexes")
    #expect(table.status == 0)
    #expect(table.lines.count == 3)
    #expect(table.lines[1].hasPrefix("patterns  pattern    _default._default  *"))
    #expect(table.lines[2].hasPrefix("search    full text  _default._default  *"))
  }

  @Test func withoutIndexesListingReportsNothingFound() throws {
    try FileManager.default.createDirectory(atPath: folder.file("empty"), withIntermediateDirectories: true)
    _ = try folder.concord("index", "-d", "e.concord", "empty")
    #expect(try folder.concord("indexes", "-d", "e.concord").status == 1)
    let search = try folder.concord("search", "-d", "e.concord", "word")
    #expect(search.status == 2)
    #expect(search.messages.contains("create one with `concord index`"))
  }

  @Test func statsReportSizes() throws {
    let object = try JSONText(try folder.concord("stats", "--json").lines[0])
    #expect(object.keys == ["path", "size", "collections"])
    let collection = try #require(object.objects("collections")?.first)
    #expect(Set(collection.keys) == ["name", "documents", "textSize", "sources", "indexes"])
    #expect(collection["documents"] as? Int == 2)
    #expect(collection["sources"] as? Int == 1)
    #expect(collection["indexes"] as? [String] == ["patterns", "search"])
    #expect((collection["textSize"] as? Int ?? 0) > 40)
    #expect(try folder.concord("stats").lines.count == 3)
  }

  @Test func verifyReportsAnUndamagedDatabase() throws {
    let result = try folder.concord("verify")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.messages.contains("checking documents\n"))
    #expect(result.messages.hasSuffix("corpus.concord: no damage found\n"))
  }

  @Test func verifyFindsDamage() throws {
    let damage = try ConcordProcess.shell(
      #"sqlite3 corpus.concord 'UPDATE "_default._default" SET body = '"'{\"name\":\"Plum\"}'"' WHERE id = '"'r2'"''"#,
      in: folder)
    try #require(damage.status == 0, "\(damage.messages)")
    let result = try folder.concord("verify", "--json")
    #expect(result.status == 1)
    let finding = try JSONText(try #require(result.lines.first))
    #expect(finding.keys == ["location", "problem"])
    #expect(finding.string("location") == "index search of _default._default")
    #expect(try folder.concord("optimize", "--rebuild").status == 0)
    #expect(try folder.concord("verify").status == 0)
    #expect(try folder.search("plum") == ["r2"])
  }

  @Test func optimizeReportsTheLogThatAnotherProgramKeepsOpen() throws {
    let result = try ConcordProcess.shell(
      #"""
      mkfifo changes
      concord query --watch --json 'SELECT count(*) AS n FROM _' > changes &
      # The database is open as soon as the rows are printed.
      exec 3< changes
      read rows <&3
      concord optimize --compact 2>&1
      kill $!
      """#, in: folder)
    #expect(result.output.contains(" are a log that is kept until other programs close the database"), "\(result)")
  }

  @Test func optimizeReportsSizes() throws {
    let object = try JSONText(try folder.concord("optimize", "--json", "--compact").lines[0])
    #expect(object.keys == ["before", "after"])
    #expect(try folder.concord("optimize").messages.contains("after"))
    #expect(try folder.search("pear") == ["r2"])
  }
}

struct AnalyzeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func tokensArePrintedWithTheirByteRanges() throws {
    let tokens = try folder.concord("analyze", "--json", "--language", "en", "Running Cafés").lines.map {
      try JSONText($0)
    }
    #expect(tokens.allSatisfy { $0.keys == ["position", "term", "start", "end", "text"] })
    #expect(tokens.map { $0.int("position") } == [0, 0, 1, 1])
    #expect(tokens.map { $0.string("term") }.contains("run"))
    #expect(tokens.last?.int("end") == 14)
    #expect(tokens.last?.string("text") == "Cafés")
    #expect(try folder.concord("analyze", "Foo").output == "0\tfoo\t0-3\tFoo\n")
  }

  @Test func queryTermsArePrintedWithTheirForms() throws {
    let lines = try folder.concord(
      "analyze", "--json", "--query", "--language", "en", "--stop-words", "language", "the runn*"
    ).lines
    let terms = try lines.map { try JSONText($0) }
    #expect(
      terms.allSatisfy { $0.keys == ["position", "forms", "prefix", "stopWord", "start", "end", "text"] })
    #expect(terms.map { $0.bool("stopWord") } == [true, false])
    #expect(terms.map { $0.bool("prefix") } == [false, true])
  }

  @Test func analyzeUsesTheAnalyzerOfAField() throws {
    try folder.write("r.json", #"{"name":"Apple","n":1}"#)
    #expect(try folder.concord("index", "--fields", "name,n", "--field-language", "name=de", "r.json").status == 0)
    #expect(
      try folder.concord("analyze", "--field", "name", "Häuser").output
        == "0\thauser\t0-7\tHäuser\n0\thaus\t0-7\tHäuser\n")
    #expect(try folder.concord("analyze", "--field", "n", "Häuser").output == "0\thauser\t0-7\tHäuser\n")
    let unknown = try folder.concord("analyze", "--field", "nome", "Häuser")
    #expect(unknown.status == 2 && unknown.messages.contains("no field \"nome\"; it has name, n"))
    #expect(try folder.concord("analyze", "--field", "name", "--language", "en", "x").status == 2)
    let ignored = try folder.concord("analyze", "--index", "search", "--language", "en", "x")
    #expect(ignored.status == 2 && ignored.messages.contains("--index uses the analysis of the index"))
  }

  @Test func analyzeUsesTheAnalyzerOfTheIndexByDefault() throws {
    try folder.write("a.txt", "x")
    _ = try folder.concord("index", "--accents", "keep", "a.txt")
    #expect(try folder.concord("analyze", "é").output == "0\té\t0-2\té\n")
    #expect(try folder.concord("analyze", "--accents", "fold", "é").output == "0\te\t0-2\té\n")
  }

  @Test func textIsReadFromStandardInput() throws {
    #expect(try folder.concord("analyze", "-", input: "one two\n").lines.count == 2)
    #expect(try folder.concord("analyze", "...").status == 1)
    #expect(try folder.concord("analyze").status == 2)
  }

  @Test func languagesAreListed() throws {
    let result = try folder.concord("analyze", "--languages")
    #expect(result.lines.contains("en\tenglish"))
    let first = try JSONText(try folder.concord("analyze", "--languages", "--json").lines[0])
    #expect(first.keys == ["code", "name"])
  }

  @Test func analyzeReportsThatFieldsDiffer() throws {
    try folder.write("r.json", #"[{"id":"r1","name":"Apple pie","text":"Katzen"}]"#)
    #expect(
      try folder.concord("index", "r.json", "--fields", "name,text", "--field-language", "text=german").status == 0)
    #expect(try folder.concord("analyze", "--query", "die katze").messages.isEmpty)
    let all = try folder.concord("analyze", "-v", "--query", "die katze")
    #expect(
      all.messages
        == "the index \"search\" analyzes text differently; --field NAME shows the analysis of one field\n")
    #expect(try folder.concord("analyze", "--field", "text", "katze").messages.isEmpty)
    #expect(try folder.concord("indexes").output.contains("text=de"))
  }
}
