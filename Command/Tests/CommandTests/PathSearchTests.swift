import Foundation
import Testing

/// Searches for files by their paths and types.
struct PathSearchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let filler = String(repeating: "int scheduler_tick(void) { return sched(core); }\n", count: 300)
    try folder.write("kernel/sched/core.c", filler)
    try folder.write("kernel/sched/core_sched.c", "core sched core sched\n")
    try folder.write("include/sched/core.h", "struct core;\n")
    try folder.write("kernel/fork.c", filler)
    try folder.write("kernel/vfork.c", "fork.c fork.c fork.c\n")
    // Short texts that mention the paths score higher than the files themselves.
    try folder.write(
      "docs/files.md", "# Files\nkernel/sched/core.c, kernel/sched/core.c and fork.c: sched core, sched core\n")
    try folder.write("docs/more.md", "# More\nfork.c fork.c fork.c; sched core\n")
    try folder.write("docs/page.html", "<title>Page</title><p>the sched core</p>")
    #expect(try folder.concord("index", "-q", "kernel", "include", "docs").status == 0)
  }

  private func ids(_ arguments: String...) throws -> [String] {
    let result = try ConcordProcess.run(["search", "--json"] + arguments, in: folder)
    return try result.lines.map { try JSONText($0).string("id") ?? "" }
  }

  @Test(arguments: [
    ("kernel/sched/core.c", "kernel/sched/core.c"), ("sched/core.c", "kernel/sched/core.c"),
    ("core.c", "kernel/sched/core.c"),
    ("sched core", "kernel/sched/core.c"), ("Sched Core", "kernel/sched/core.c"), ("fork.c", "kernel/fork.c"),
    ("core.h", "include/sched/core.h"), ("core_sched.c", "kernel/sched/core_sched.c"),
    ("path:sched/core.h", "include/sched/core.h"),
  ])
  func fileNamedByTheQueryComesFirst(query: String, path: String) throws {
    #expect(try ids(query, "-n", "1") == [path])
  }

  /// Regardless of the order of the files in the database and of their texts.
  @Test func exactNameComesFirstThenTheShorterPath() throws {
    let paths = [
      "lib/Utils.py", "my_lib_for_all/utils.py", "x/y/utils.py", "lib/_utils.py", "z/my_utils.py", "z/a-utils.py",
      "lib/utils.pyc/x.txt",
    ]
    let text = "utils.py utils.py utils.py my_utils.py\n"
    for path in paths { try folder.write("src/\(path)", text) }
    for number in 0..<600 { try folder.write("pack/p\(number)/__init__.py", "") }
    try folder.write("pack/__init__.py", "")
    try folder.write("pack/names.txt", "__init__.py __init__.py __init__.py\n")
    #expect(try folder.concord("index", "-q", "src", "pack", "kernel").status == 0)
    let expected = ["src/my_lib_for_all/utils.py", "src/x/y/utils.py", "src/lib/Utils.py"]
    #expect(try Array(ids("utils.py").prefix(3)) == expected)
    #expect(try Array(ids("path:utils.py").prefix(3)) == expected)
    #expect(try ids("Utils.py").first == "src/lib/Utils.py")
    #expect(try ids("y/utils.py").first == "src/x/y/utils.py")
    #expect(try ids("_utils.py").first == "src/lib/_utils.py")
    #expect(try Array(ids("__init__.py").prefix(2)) == ["pack/__init__.py", "pack/p0/__init__.py"])
  }

  @Test func namedFilesComeFirstWithOffsetsAndFilters() throws {
    let all = try ids("sched core")
    #expect(Set(all).count == all.count && all.first == "kernel/sched/core.c")
    #expect(
      try ids("sched core", "-n", "1", "--offset", "1") + ids("sched core", "--offset", "2") == Array(all.dropFirst()))
    #expect(try ids("sched core", "--where", "type = 'markdown'").first?.hasPrefix("docs/") == true)
    #expect(try ids("sched core", "--where", "type = 'code'").first == "kernel/sched/core.c")
    #expect(try ids("sched core", "--select", "type=code").first == "kernel/sched/core.c")
    #expect(try ids("sched core", "--sort", "META().id").first == "docs/files.md")
    #expect(try !ids("sched core -tick -scheduler_tick").contains("kernel/sched/core.c"))
  }

  @Test func pathIsAField() throws {
    #expect(try Set(ids("core path:include")) == ["include/sched/core.h"])
    #expect(try Set(ids("path:sched")) == ["kernel/sched/core.c", "kernel/sched/core_sched.c", "include/sched/core.h"])
    #expect(try !ids("core -path:kernel").contains { $0.hasPrefix("kernel/") })
  }

  @Test func typeIsAField() throws {
    #expect(try Set(ids("sched type:markdown")) == ["docs/files.md", "docs/more.md"])
    #expect(try Set(ids("sched type:md")) == ["docs/files.md", "docs/more.md"])
    #expect(try ids("core type:h") == ["include/sched/core.h"])
    #expect(try Set(ids("sched (type:md OR type:html)")) == ["docs/files.md", "docs/more.md", "docs/page.html"])
    #expect(try Set(ids("sched core -type:code NOT type:html")) == ["docs/files.md", "docs/more.md"])
    #expect(try ids("type:HTML") == ["docs/page.html"])
    #expect(try folder.concord("search", "type:md", "--count").output == "2\n")
    let mixed = try folder.concord("search", "type:md OR page")
    #expect(mixed.messages.contains("type: is searched for as a word because OR joins it with words"))
  }

  @Test func filesSearchesPathsOnly() throws {
    #expect(try ids("--files", "fork") == ["kernel/fork.c"])
    #expect(
      try ids("--files", "sched core") == ["kernel/sched/core.c", "include/sched/core.h", "kernel/sched/core_sched.c"])
    #expect(try folder.concord("search", "--files", "--exact", "scheduler_tick").status == 1)
    #expect(try folder.concord("search", "--files", "--fields", "title", "x").status == 2)
  }

  @Test func indexWithoutPathsIsRebuilt() throws {
    _ = try folder.concord("index", "--fields", "title,name,text", "kernel", "include", "docs")
    #expect(try ids("sched core").contains("docs/more.md"))
    let none = try folder.concord("search", "--files", "core")
    #expect(none.status == 2 && none.messages.contains("`concord index`"))
    let upgrade = try folder.concord("index", "kernel", "include", "docs")
    #expect(upgrade.messages.contains("fields title,name,path,symbols,text instead of title,name,text"))
    #expect(try ids("sched core").first == "kernel/sched/core.c")
    #expect(try !folder.concord("index", "kernel", "include", "docs").messages.contains("rebuilding the index"))
  }

  @Test func pathsAreSearchedByTheirComponentsByDefault() throws {
    #expect(try ids("path:core").contains("kernel/sched/core_sched.c"))
    _ = try folder.concord("index", "--language", "en", "kernel", "include", "docs")
    #expect(try ids("path:core").contains("kernel/sched/core_sched.c"))
    _ = try folder.concord("index", "--field-code", "path=off", "kernel", "include", "docs")
    #expect(try !ids("path:core").contains("kernel/sched/core_sched.c"))
    _ = try folder.concord("index", "kernel", "include", "docs")
    #expect(try !ids("path:core").contains("kernel/sched/core_sched.c"))
  }

  /// The path field barely affects ordinary searches: the best hits for words of the handbook have the same order
  /// without it.
  @Test func pathFieldDoesNotChangeOrdinaryRanking() throws {
    let handbook = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Corpora/handbook").path
    let folder = try TemporaryFolder()
    #expect(try folder.concord("index", "-q", "--no-patterns", handbook).status == 0)
    #expect(
      try folder.concord("index", "-q", "--no-patterns", "-d", "old", "--fields", "title,text,name", handbook).status
        == 0)
    for query in [
      "index", "transaction", "memory limit", "query language", "\"full text\"", "rank*", "json OR csv", "blob -export",
    ] {
      func best(_ database: String) throws -> [String] {
        try folder.concord("search", "--json", "-n", "5", "-d", database, query).lines.map {
          try JSONText($0).string("id") ?? ""
        }
      }
      #expect(try best("corpus.concord") == best("old"), "\(query)")
    }
  }
}
