import Testing

/// Searches for names that source code defines.
struct DefinitionSearchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // The definition is one line of a long file with many other definitions; the uses are short.
    let others = (0..<300).map { "static int helper_\($0)(int a)\n{\n\treturn a + \($0);\n}\n" }.joined()
    try folder.write("lib/memory.c", others + "void *take_page(int size)\n{\n\treturn pool + size;\n}\n")
    try folder.write("net/user.c", "int x;\n" + String(repeating: "\tp = take_page(8);\n", count: 50))
    try folder.write("doc/take.md", "# Pages\n\ntake_page take_page: take a page, take a page\n")
    try folder.write("lib/Hub.java", "public class Hub {\n  public void clearHubFeature(int f) {\n  }\n}\n")
    try folder.write("lib/Other.java", "// clear the hub, clear a feature of the hub\nclass Other {}\n")
    try folder.write("lib/words.c", "/* drain the queue */\nvoid flushqueuenow(void)\n{\n}\n")
    #expect(try folder.concord("index", "-q", ".").status == 0)
  }

  private func ids(_ arguments: String...) throws -> [String] {
    let result = try ConcordProcess.run(["search", "--json"] + arguments, in: folder)
    return try result.lines.map { try JSONText($0).string("id") ?? "" }
  }

  @Test(arguments: [
    ("take_page", "lib/memory.c"), ("take page", "lib/memory.c"), ("TAKE_PAGE", "lib/memory.c"),
    ("helper_7", "lib/memory.c"), ("class Hub", "lib/Hub.java"), ("clear hub feature", "lib/Hub.java"),
    ("clearHubFeature", "lib/Hub.java"),
    ("flush queue now", "lib/words.c"), ("symbols:clearHubFeature", "lib/Hub.java"),
  ])
  func fileThatDefinesTheNameComesFirst(query: String, path: String) throws {
    #expect(try ids(query).first == path)
  }

  @Test func usesFollowTheDefinition() throws {
    #expect(try Set(ids("take page")) == ["lib/memory.c", "net/user.c", "doc/take.md"])
  }

  /// The joined form is added only if the query may be relaxed, and only to words without operators.
  @Test(arguments: [["--exact", "flush queue now"], ["flush AND queue AND now"], ["\"flush queue now\""]])
  func requiredWordsAreNotJoined(arguments: [String]) throws {
    let result = try ConcordProcess.run(["search", "--json"] + arguments, in: folder)
    #expect(!result.output.contains("lib/words.c"))
  }

  @Test func snippetsShowTheText() throws {
    let result = try folder.concord("search", "take_page", "-n", "1")
    #expect(result.output.contains("lib/memory.c:1201"))
    #expect(result.output.contains("void *take_page(int size)"))
  }

  /// Only the words as typed are parts of a name, even if the index has a language.
  @Test func namesAreNotStemmed() throws {
    try folder.write("lib/pack.c", "int packing(void)\n{\n}\n")
    try folder.write("lib/unpack.c", "int pack(void)\n{\n\treturn 1;\n}\n")
    #expect(try folder.concord("index", "-q", "--language", "en", ".").status == 0)
    #expect(try ids("packing").first == "lib/pack.c")
    #expect(try ids("pack").first == "lib/unpack.c")
    #expect(try ids("symbols:packing") == ["lib/pack.c"])
  }

  @Test func nameThatManyFilesDefineIsRankedByScore() throws {
    for number in 0..<120 { try folder.write("main/m\(number).c", "int entry(void)\n{\n\treturn \(number);\n}\n") }
    try folder.write("doc/entry.md", "# Entry\n\nentry entry entry entry\n")
    #expect(try folder.concord("index", "-q", ".").status == 0)
    #expect(try ids("entry").first == "doc/entry.md")
  }

  @Test func userChoosesTheAnalysisOfNames() throws {
    #expect(try folder.concord("index", "-q", "--field-code", "symbols=on", ".").status == 0)
    #expect(try folder.concord("index", "-q", ".").status == 0)
    #expect(try ids("symbols:feature") == ["lib/Hub.java"])
  }
}
