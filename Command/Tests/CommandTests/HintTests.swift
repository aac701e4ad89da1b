import Foundation
import Testing

/// Hints for misspelt names of commands and properties.
struct HintTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.jsonl", #"{"_id":"a","name":"Anna","address":{"street":"Elm"}}"# + "\n" + #"{"_id":"b","size":2}"#)
    #expect(try folder.concord("index", "-q", "r.jsonl").status == 0)
  }

  @Test func helpOfAnUnknownCommandIsAnError() throws {
    let unknown = try folder.concord("help", "nosuch")
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.messages.hasPrefix("concord: there is no command \"nosuch\"\n"))
    let misspelled = try folder.concord("help", "serach")
    #expect(misspelled.status == 2)
    #expect(misspelled.messages.hasPrefix("concord: there is no command \"serach\"; did you mean search?\n"))
    let known = try folder.concord("help", "search")
    #expect(known.status == 0 && known.messages.isEmpty && known.output.contains("concord search"))
    #expect(try folder.concord("help").status == 0)
  }

  @Test func unreadableQueryFileIsReportedWithTheSystemsReason() throws {
    let result = try folder.concord("query", "--file", "nope.sql")
    #expect(result.status == 2 && result.messages == "concord: nope.sql: No such file or directory\n")
  }

  @Test func dotInATypeGetsAHint() throws {
    try folder.write("a.txt", "event")
    #expect(try folder.concord("index", "-q", "-d", "files.concord", "a.txt").status == 0)
    let result = try folder.concord("search", "-d", "files.concord", "type:.py", "event")
    #expect(result.messages.contains("type: takes a file name extension without a dot: type:py"))
  }

  @Test func otherCollectionsAreNamedIfTheSearchedOneIsEmpty() throws {
    try folder.write("h.jsonl", #"{"_id":"a","_collection":"hotels","name":"Grand"}"#)
    #expect(try folder.concord("import", "-d", "h.concord", "h.jsonl").status == 0)
    let hint =
      "the collection _default._default is empty; select one that has documents with --collection: _default.hotels\n"
    let found = try folder.concord("search", "-d", "h.concord", "grand")
    #expect(found.status == 2 && found.messages == "concord: h.concord: \(hint)")
    let grep = try folder.concord("grep", "-d", "h.concord", "Grand")
    #expect(grep.status == 1 && grep.messages == "concord: \(hint)")
    #expect(try folder.concord("grep", "-d", "h.concord", "--collection", "hotels", "Grand").status == 0)
  }

  @Test func emptyDatabaseFileIsReported() throws {
    try folder.write("empty.concord", "")
    let result = try folder.concord("put", "-d", "empty.concord", "a", "{}")
    #expect(result.status == 0)
    #expect(result.messages == "concord: empty.concord is an empty file; a new database is created in it\n")
  }

  @Test func searchUsesTheIndexOfTheCommandIndex() throws {
    try folder.write("tea.txt", "green tea")
    let file = "several.concord"
    #expect(try folder.concord("put", "-q", "-d", file, "a", "{}").status == 0)
    for name in ["names", "texts"] {
      #expect(try folder.concord("create-index", "-q", "-d", file, "--full-text", name, "name").status == 0)
    }
    let refused = try folder.concord("search", "-d", file, "tea")
    #expect(refused.status == 2)
    #expect(refused.messages.hasSuffix("with the name \"search\"; specify one of names, texts with --index\n"))
    #expect(try folder.concord("index", "-q", "-d", file, "tea.txt").status == 0)
    let found = try folder.concord("search", "-d", file, "tea")
    #expect(found.status == 0 && found.output.contains("tea.txt"), "\(found)")
    #expect(try folder.concord("search", "-d", file, "--files", "tea").output.contains("tea.txt"))
  }

  @Test func incompleteExpressionsAreNotNamesOfProperties() throws {
    let result = try folder.concord("create-index", "bad", "num +")
    #expect(result.status == 2 && result.messages.contains("num +"), "\(result)")
    #expect(try folder.concord("create-index", "good", "my name").status == 0)
  }

  @Test func valueIndexIsNotSearched() throws {
    #expect(try folder.concord("create-index", "-q", "by_name", "name").status == 0)
    let result = try folder.concord("search", "--index", "by_name", "Anna")
    #expect(result.messages.contains("\"by_name\" of the collection _default._default is not a full-text index"))
  }

  @Test(arguments: [
    ("SELECT nmae FROM _", "no document has a property nmae; did you mean name?"),
    ("SELECT x.nmae FROM _ AS x", "no document has a property nmae; did you mean name?"),
    ("SELECT COUNT(*) FROM _ WHERE syze > 1", "no document has a property syze; did you mean size?"),
    ("SELECT address.stret FROM _", "no document has a property address.stret; did you mean address.street?"),
    ("SELECT name FROM _ ORDER BY zzz", "no document has a property zzz"),
  ])
  func unknownPropertyGetsAHint(query: String, hint: String) throws {
    let result = try folder.concord("query", query)
    #expect(result.status == 0 && result.messages == "concord: \(hint)\n")
  }

  @Test(arguments: [
    "SELECT name, size FROM _", "SELECT name AS label FROM _ ORDER BY label", "SELECT META().id FROM _ AS x",
    "SELECT COUNT(*) FROM _ WHERE address.street = 'Elm'", "SELECT 1 + 1 AS two FROM _ LIMIT 1",
  ])
  func knownPropertiesGetNoHint(query: String) throws {
    #expect(try folder.concord("query", query).messages.isEmpty)
  }

  @Test func unknownCollectionGetsAHint() throws {
    let result = try folder.concord("query", "SELECT name FROM _defualt")
    #expect(result.status == 2 && result.messages.contains("did you mean \"_default\"?"))
  }

  @Test func unknownPropertyInASearchGetsAHint() throws {
    let result = try folder.concord("search", "anna", "--sort", "nmae")
    #expect(result.messages.contains("no document has a property nmae; did you mean name?"))
  }

  @Test func fileTypeNameGetsAHintWithItsExtensions() throws {
    try folder.write("d/a.py", "harbour = 1\n")
    try folder.write("d/b.txt", "harbour\n")
    #expect(try folder.concord("index", "-q", "-d", "files.concord", "d").status == 0)
    for query in ["type:python", "harbour type:Python", "-n 0 type:python"] {
      let arguments =
        ["search", "-d", "files.concord"] + (query.hasPrefix("-n 0") ? ["--count", "type:python"] : [query])
      let result = try ConcordProcess.run(arguments, in: folder)
      #expect(result.status == 1)
      #expect(
        result.messages.lowercased().contains(
          "type: takes a file name extension, or text, code, markdown or html; for python search for (type:py or type:pyi)"
        ),
        "\(result.messages)")
    }
    #expect(try folder.search("harbour (type:py OR type:pyi)", "-d", "files.concord") == ["d/a.py"])
    #expect(
      try !folder.concord("search", "-d", "files.concord", "type:py").messages.contains("takes a file name extension"))
    for type in ["nosuch", "mail"] {
      #expect(
        try !folder.concord("search", "-d", "files.concord", "type:\(type)").messages.contains(
          "takes a file name extension"))
    }
  }

  @Test func freshReportsThatNoFilesAreKnown() throws {
    #expect(try folder.concord("put", "-d", "saved.concord", "1", #"{"t":"apple"}"#).status == 0)
    #expect(try folder.concord("index", "-q", "-d", "saved.concord").status == 0)
    for command in ["search", "grep"] {
      let result = try folder.concord(command, "-d", "saved.concord", "--fresh", "apple")
      #expect(result.status == 0)
      #expect(
        result.messages.hasPrefix(
          "concord: --fresh has nothing to read: no document of _default._default was read from a file\n"),
        "\(result.messages)")
    }
    #expect(try !folder.concord("search", "--fresh", "Anna").messages.contains("--fresh"))
  }

  @Test(arguments: [["search", "--db", "x", "anna"], ["grep", "--db=x", "anna"], ["index", "--db", "x", "."]])
  func shortNameOfTheDatabaseGetsAHint(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    let message = "concord: unknown option '--db'. Did you mean '--database'?\n"
    #expect(result.messages.hasPrefix(message), "\(result.messages)")
  }
}
