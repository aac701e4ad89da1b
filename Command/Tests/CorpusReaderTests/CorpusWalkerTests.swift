import CorpusReader
import Foundation
import Testing

@Suite struct CorpusWalkerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ names: String...) throws {
    for name in names { try folder.write(name) }
  }

  @Test func filesAreVisitedInPathOrder() throws {
    try write("b/c", "b.txt", "a", "b-1", "b/a/z", "é")
    #expect(try folder.walk().paths == ["a", "b-1", "b.txt", "b/a/z", "b/c", "é"])
  }

  @Test func hiddenFilesAndDirectories() throws {
    try write("a", ".hidden", ".config/x", ".git/config", "sub/.git/config", "sub/b")
    #expect(try folder.walk().paths == ["a", "sub/b"])
    var options = CorpusOptions()
    options.includesHidden = true
    #expect(try folder.walk([""], options).paths == [".config/x", ".hidden", "a", "sub/b"])
  }

  @Test func givenPathsAreReadEvenIfHiddenOrIgnored() throws {
    try write(".hidden", "x.log", "build/out")
    try folder.write(".gitignore", "*.log\nbuild/\n")
    #expect(try folder.walk().paths.isEmpty)
    #expect(try folder.walk([".hidden", "x.log", "build"]).paths == [".hidden", "x.log", "build/out"])
  }

  @Test func nestedIgnoreFiles() throws {
    try write("a.log", "keep.log", "sub/b.log", "sub/keep.log", "sub/c.txt", "sub/deep/c.txt")
    try folder.write(".gitignore", "*.log\n")
    try folder.write("sub/.gitignore", "!keep.log\n/c.txt\n")
    #expect(try folder.walk().paths == ["sub/deep/c.txt", "sub/keep.log"])
    var options = CorpusOptions()
    options.ignoresIgnoreFiles = true
    #expect(try folder.walk([""], options).paths.count == 6)
  }

  @Test func ignoreFilesOfParentsApplyUpToTheRepository() throws {
    try write("repo/.git/HEAD", "repo/src/a.log", "repo/src/a.tmp", "repo/src/a.c", "repo/src/deep/b.log")
    try folder.write("repo/.gitignore", "*.log\n/src/deep/\n")
    try folder.write("repo/.git/info/exclude", "*.tmp\n")
    try folder.write(".gitignore", "*.c\n")
    #expect(try folder.walk(["repo/src"]).paths == ["repo/src/a.c"])
    #expect(try folder.walk(["repo"]).paths == ["repo/src/a.c"])
  }

  /// The last line of an unpacked Debian source package is such a pattern.
  @Test(arguments: ["/*", "*", "/**", "** ", "*/"])
  func catchAllPatternsApplyOnlyInARepository(pattern: String) throws {
    try write("sub/a.txt", "a.log")
    try folder.write(".gitignore", "*.log\n\(pattern)\n!/debian/\n")
    #expect(try folder.walk().paths == ["sub/a.txt"])
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: folder.path + "/.git"), withIntermediateDirectories: false)
    #expect(try folder.walk().paths == [])
  }

  @Test func ignoreFileTakesPrecedenceOverGitignore() throws {
    try write("a.log", "b.txt", "sub/a.log")
    try folder.write(".ignore", "!a.log\nb.txt\n")
    try folder.write(".gitignore", "*.log\n")
    try folder.write("sub/.gitignore", "*.log\n")
    #expect(try folder.walk().paths == ["a.log", "sub/a.log"])
  }

  @Test(arguments: [
    (["*.md"], [], ["a.md", "docs/b.md", "docs/deep/c.md"]),
    (["docs/**"], [], ["docs/b.md", "docs/deep/c.md", "docs/x.txt"]),
    (["docs/*.md"], [], ["docs/b.md"]),
    (["docs/"], [], ["docs/b.md", "docs/deep/c.md", "docs/x.txt"]),
    (["deep"], [], ["docs/deep/c.md"]),
    (["*.md", "!c.*"], [], ["a.md", "docs/b.md"]),
    ([], ["docs"], ["a.md", "z.txt"]),
    ([], ["*.md"], ["docs/x.txt", "z.txt"]),
    ([], ["*.md", "!b.md"], ["docs/b.md", "docs/x.txt", "z.txt"]),
    (["*.md"], ["deep/"], ["a.md", "docs/b.md"]),
    (["/a.md"], [], ["a.md"]),
    (["[ab].md"], [], ["a.md", "docs/b.md"]),
  ])
  func includeAndExclude(include: [String], exclude: [String], expected: [String]) throws {
    try write("a.md", "docs/b.md", "docs/deep/c.md", "docs/x.txt", "z.txt")
    var options = CorpusOptions()
    options.include = include
    options.exclude = exclude
    #expect(try folder.walk([""], options).paths == expected)
  }

  /// A rule applies to the files in a folder that its glob matches.
  @Test(arguments: ["de/", "de", "site/de/", "/site/de"])
  func rulesForFolders(glob: String) throws {
    try write("site/de/b.txt", "site/en/c.txt", "de.txt")
    var options = CorpusOptions()
    options.languageRules = [GlobRule(globs: [glob], value: "de")]
    var names: [String] = []
    try CorpusWalker(paths: [folder.path], options: options).walk {
      if $0.language == "de" { names.append($0.name) }
    } problem: {
      Issue.record("\($0)")
    }
    #expect(names == ["b.txt"])
  }

  /// The folders above a named file are above the root, as those above a named folder are.
  @Test func rulesForFoldersDoNotApplyToNamedFiles() throws {
    try write("de/b.txt")
    func language(glob: String) throws -> String? {
      var options = CorpusOptions()
      options.languageRules = [GlobRule(globs: [glob], value: "de")]
      var language: String?
      try CorpusWalker(paths: [folder.path + "/de/b.txt"], options: options).walk {
        language = $0.language
      } problem: {
        Issue.record("\($0)")
      }
      return language
    }
    #expect(try language(glob: "de/") == nil)
    #expect(try language(glob: "b.txt") == "de")
  }

  @Test(arguments: [["data/"], ["*.json", "!other/"]])
  func recordsOfFolders(records: [String]) throws {
    try write("data/deep/a.json", "other/b.json")
    var options = CorpusOptions()
    options.records = records
    var names: [String] = []
    try CorpusWalker(paths: [folder.path], options: options).walk {
      if $0.holdsRecords { names.append($0.name) }
    } problem: {
      Issue.record("\($0)")
    }
    #expect(names == ["a.json"])
  }

  @Test func excludesApplyToGivenPaths() throws {
    try write("a.log", "b.txt", "node_modules/x.js")
    var options = CorpusOptions()
    options.exclude = ["*.log", "node_modules"]
    #expect(try folder.walk(["a.log", "b.txt", "node_modules"], options).paths == ["b.txt"])
  }

  @Test func overlappingRootsYieldEachFileOnce() throws {
    try write("a/x", "a/b/y")
    #expect(try folder.walk(["a/b", "a", "a/x", "a/b/../x"]).paths == ["a/b/y", "a/x"])
  }

  @Test func shownPathsAreRelativeAsTyped() throws {
    try write("docs/a.txt")
    func shown(_ typed: String) throws -> [String] {
      var paths: [String] = []
      try CorpusWalker(paths: [typed]).walk { paths.append($0.path) }
      return paths
    }
    let here = FileManager.default.currentDirectoryPath
    let up = String(repeating: "../", count: here.split(separator: "/").count)
    let relative = up + folder.path.dropFirst()
    #expect(try shown(relative) == [relative + "/docs/a.txt"])
    #expect(try shown("./" + relative + "/./docs//") == [relative + "/docs/a.txt"])
    #expect(try shown(folder.path + "/docs/a.txt") == [folder.path + "/docs/a.txt"])
  }

  @Test func missingPathsAreProblemsAndTheRestIsRead() throws {
    try write("a")
    let (paths, problems) = try folder.walk(["nope.md", "a"])
    #expect(paths == ["a"])
    #expect(problems.map(\.kind) == [.missing])
    #expect(problems.first?.isError == true)
    #expect(problems.first?.description == "\(folder.path)/nope.md: No such file or directory")
  }

  @Test(.enabled(if: getuid() != 0, "root reads everything")) func unreadableDirectory() throws {
    try write("locked/a", "b")
    chmod(folder.path + "/locked", 0)
    defer { chmod(folder.path + "/locked", 0o700) }
    let (paths, problems) = try folder.walk()
    #expect(paths == ["b"])
    #expect(problems.map(\.kind) == [.unreadable])
  }

  @Test func symbolicLinksAreFollowedOnlyWhenGiven() throws {
    try write("real/a")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: ".")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real/a")
    #expect(try folder.walk().paths == ["real/a"])
    #expect(try folder.walk(["link"]).paths == ["link"])
  }

  @Test func sizeLimitAndFileData() throws {
    try folder.write("big.txt", String(repeating: "x", count: 100))
    try folder.write("small.md", "abc")
    var options = CorpusOptions()
    options.maximumFileSize = 99
    var files: [SourceFile] = []
    var problems: [CorpusProblem] = []
    try CorpusWalker(paths: [folder.path], options: options).walk {
      files.append($0)
    } problem: {
      problems.append($0)
    }
    #expect(files.map(\.size) == [3])
    #expect(files.map(\.name) == ["small.md"])
    #expect(files.map(\.format) == [.markdown])
    let age = Date().timeIntervalSince1970 - Double(files.first?.modified ?? 0) / 1e9
    #expect((-1...600).contains(age))
    #expect(problems.map(\.kind) == [.tooLarge])
    #expect(problems.first?.isError == false)
  }

  @Test func namesThatAreNotUTF8AreReported() throws {
    let path = (Array((folder.path + "/").utf8) + [0xFF, 0xFE, 0]).map { CChar(bitPattern: $0) }
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    let (paths, problems) = try folder.walk()
    #expect(paths.isEmpty)
    #expect(problems.map(\.reason) == ["the name is not UTF-8"])
    unlink(path)
    try #require(mkdir(path, 0o700) == 0)
    let folders = try folder.walk().problems
    #expect(folders.map(\.reason) == ["the name is not UTF-8"] && folders.map(\.kind) == [.unreadable])
    // Foundation cannot remove it.
    rmdir(path)
  }

  @Test func deepTreesAndErrorsOfTheBody() throws {
    let deep = String(repeating: "d/", count: 300) + "f"
    try write(deep)
    #expect(try folder.walk().paths == [deep])
    struct Stop: Error {}
    #expect(throws: Stop.self) { try CorpusWalker(paths: [folder.path]).walk { _ in throw Stop() } }
  }

  @Test(arguments: [
    ("a.c", CorpusFormat.code), ("Makefile", .code), ("Kconfig.debug", .code), ("a.MD", .markdown),
    ("x.htm", .html),
    ("a.tar.json", .json), ("a.ndjson", .jsonl), ("a.tsv", .tsv), ("a.csv", .csv), ("in.mbox", .mbox),
    ("README", .text),
    ("a.rst", .text), (".bashrc", .text), ("a.swift", .code), ("Dockerfile", .code), ("a.", .text),
    ("CMakeLists.txt", .code),
  ])
  func formatsByName(name: String, format: CorpusFormat) {
    #expect(CorpusFormat(fileName: name) == format)
  }
}
