import Foundation
import Testing

/// The output formats of `concord grep`, and its differences from ripgrep.
struct GrepTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.txt", "one foo\ntwo\nthree foo foo\n")
    try folder.write("d/b.c", "\tx foo\n")
    #expect(try folder.concord("index", "a.txt", "d").status == 0)
  }

  private func grep(_ arguments: String...) throws -> String {
    try ConcordProcess.run(["grep"] + arguments, in: folder).output
  }

  @Test func linesFollowTheirID() throws {
    #expect(try grep("foo") == "a.txt:one foo\na.txt:three foo foo\nd/b.c:\tx foo\n")
  }

  @Test func contextLinesAreMarkedWithDashes() throws {
    #expect(try grep("-nB1", "three") == "a.txt-2-two\na.txt:3:three foo foo\n")
    #expect(try grep("-A0", "-B1", "one|x") == "a.txt:one foo\n--\nd/b.c:\tx foo\n")
  }

  /// Editors pass these options, which have no effect here.
  @Test(arguments: [
    ["-z"], ["--search-zip"], ["-E", "auto"], ["-Eutf-8"], ["--encoding", "UTF-8"], ["--encoding=utf8"],
    ["--no-follow"],
  ])
  func optionsWithoutEffectAreIgnored(options: [String]) throws {
    let result = try ConcordProcess.run(["grep"] + options + ["-l", "foo"], in: folder)
    #expect(result.output == "a.txt\nd/b.c\n")
    #expect(result.messages == "")
  }

  @Test func sortOrderCanBeReversed() throws {
    #expect(try grep("-l", "--sort", "path", "foo") == "a.txt\nd/b.c\n")
    #expect(try grep("-l", "--sortr", "path", "foo") == "d/b.c\na.txt\n")
    #expect(try grep("-l", "--sortr=path", "foo") == "d/b.c\na.txt\n")
  }

  @Test func fileTypesCanBeDefined() throws {
    #expect(try grep("-l", "--type-add", "mine:*.txt", "-tmine", "foo") == "a.txt\n")
    #expect(try grep("-l", "--type-add=mine:*.txt", "-Tmine", "foo") == "d/b.c\n")
    #expect(try grep("-l", "--type-add", "c:*.txt", "-tc", "foo") == "a.txt\nd/b.c\n")
    #expect(try grep("-l", "--type-add", "mine:include:c,txt", "-tmine", "foo") == "a.txt\nd/b.c\n")
    #expect(try grep("-l", "--type-clear", "c", "--type-add", "c:*.txt", "-tc", "foo") == "a.txt\n")
    #expect(try grep("--type-add", "mine:*.x", "--type-add", "mine:*.y", "--type-list").contains("\nmine: *.x, *.y\n"))
    #expect(try folder.concord("grep", "--type-clear", "c", "-tc", "foo").status == 2)
  }

  @Test func timeoutEndsTheSearchWithAnError() throws {
    for command in [["grep", "--no-index", "foo"], ["search", "foo"], ["query", "SELECT * FROM _"]] {
      let result = try ConcordProcess.run(command + ["--timeout", "0.000000001"], in: folder)
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.messages.contains("took longer than its time limit of 1e-09 seconds"), "\(result.messages)")
      #expect(try ConcordProcess.run(command + ["--timeout", "3600"], in: folder).status == 0)
      #expect(try ConcordProcess.run(command + ["--timeout", "0"], in: folder).status == 2)
    }
  }

  @Test(arguments: [[], ["-w"], ["-x"], ["-e", "zz", "-e"], ["-i", "-U"]])
  func unsupportedOptionOfAPatternIsOneError(options: [String]) throws {
    let result = try ConcordProcess.run(["grep"] + options + ["(*NO_JIT)foo"], in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.messages.split(separator: "\n").count == 1, "\(result.messages)")
    #expect(result.messages.hasPrefix("concord: the regular expression \"(*NO_JIT)"), "\(result.messages)")
    #expect(result.messages.contains("begins with (*NO_JIT), which is not supported; leave it out"))
  }

  /// An inline option must remain at the beginning when word, line or several patterns are combined into one
  /// expression.
  @Test(arguments: [
    "(*UTF)", "(*UCP)", "(*LIMIT_MATCH=1000)", "(*LIMIT_DEPTH=1000)", "(*LIMIT_HEAP=1000)", "(*NOTEMPTY)",
    "(*NOTEMPTY_ATSTART)", "(*NO_AUTO_POSSESS)", "(*NO_DOTSTAR_ANCHOR)", "(*NO_START_OPT)", "(*LF)", "(*ANYCRLF)",
    "(*BSR_UNICODE)", "(*UTF)(*LIMIT_MATCH=1000)",
  ]) func inlineOptionsRemainAtTheBeginningOfThePattern(option: String) throws {
    #expect(try grep("-c", "\(option)foo") == "a.txt:2\nd/b.c:1\n")
    #expect(try grep("-cw", "\(option)foo") == "a.txt:2\nd/b.c:1\n")
    #expect(try grep("-cx", "\(option)one foo") == "a.txt:1\n")
    #expect(try grep("-c", "-e", "two", "-e", "\(option)foo") == "a.txt:3\nd/b.c:1\n")
  }

  @Test func headingsPrecedeLines() throws {
    #expect(try grep("--heading", "-n", "foo") == "a.txt\n1:one foo\n3:three foo foo\n\nd/b.c\n1:\tx foo\n")
  }

  @Test func countsAndIDsArePrintedAsLines() throws {
    #expect(try grep("-c", "foo") == "a.txt:2\nd/b.c:1\n")
    #expect(try grep("--count-matches", "foo") == "a.txt:3\nd/b.c:1\n")
    #expect(try grep("-l", "foo") == "a.txt\nd/b.c\n")
    #expect(try grep("-l0", "foo") == "a.txt\0d/b.c\0")
    #expect(try grep("--files-without-match", "two") == "d/b.c\n")
  }

  @Test func matchesArePrintedWithColumnsAndOffsets() throws {
    #expect(
      try grep("--vimgrep", "foo")
        == "a.txt:1:5:one foo\na.txt:3:7:three foo foo\na.txt:3:11:three foo foo\nd/b.c:1:4:\tx foo\n")
    #expect(try grep("-ob", "foo", "a.txt") == "4:foo\n18:foo\n22:foo\n")
  }

  @Test func coloursEqualThoseOfRipgrep() throws {
    #expect(
      try grep("--color", "always", "-n", "one foo")
        == "\u{1B}[0m\u{1B}[35ma.txt\u{1B}[0m:\u{1B}[0m\u{1B}[32m1\u{1B}[0m:\u{1B}[0m\u{1B}[1m\u{1B}[31mone foo\u{1B}[0m\n"
    )
  }

  @Test func longLinesAreOmitted() throws {
    #expect(try grep("-M9", "foo", "a.txt") == "one foo\n[Omitted long matching line]\n")
    #expect(try grep("-M5", "--max-columns-preview", "one", "a.txt") == "one f [... omitted end of long line]\n")
  }

  @Test func jsonHasKeysOfRipgrepAndAdditionalKeys() throws {
    let lines = try ConcordProcess.run(["grep", "--json", "two", "-A1"], in: folder).lines
    #expect(lines.count == 5)
    #expect(lines[0] == #"{"type":"begin","data":{"path":{"text":"a.txt"},"doc_id":"a.txt"}}"#)
    #expect(
      lines[1]
        == #"{"type":"match","data":{"path":{"text":"a.txt"},"lines":{"text":"two\n"},"line_number":2,"absolute_offset":8,"submatches":[{"match":{"text":"two"},"start":0,"end":3}],"doc_id":"a.txt"}}"#
    )
    #expect(
      lines[2].hasPrefix(#"{"type":"context","data":{"path":{"text":"a.txt"},"lines":{"text":"three foo foo\n"}"#))
    #expect(lines[3].contains(#""binary_offset":null,"stats":{"elapsed":{"secs":"#))
    #expect(try JSONText(lines[4]).keys == ["data", "type"])
  }

  private static let statuses: [([String], Int32)] = [
    (["foo"], 0), (["nosuch"], 1), (["--exit-zero", "nosuch"], 0), (["-q", "foo"], 0), (["-q", "nosuch"], 1),
    (["a("], 2),
    ([], 2), (["-e"], 2), (["-A", "x", "foo"], 2), (["-A", "-1", "foo"], 2), (["--nosuch", "foo"], 2),
    (["-t", "nosuch", "foo"], 2),
    (["-f", "nosuch"], 2), (["foo", "nosuch"], 2), (["foo", "nosuch", "d"], 2), (["-q", "foo", "nosuch", "d"], 0),
    (["--json", "-c", "foo"], 2), (["--field", "a..[", "foo"], 2), (["foo", "-d", "nosuch"], 2), (["a\\nb"], 2),
    (["--collection", "nosuch", "foo"], 2), (["--type-list"], 0), (["--help"], 0),
  ]

  @Test(arguments: GrepTests.statuses) func exitStatusesEqualThoseOfRipgrep(arguments: [String], status: Int32) throws {
    let result = try ConcordProcess.run(["grep"] + arguments, in: folder)
    #expect(result.status == status, "\(result.messages)")
    #expect(
      result.messages.isEmpty
        == (status != 2 && !(arguments.contains("-q") && arguments.contains("nosuch") && arguments.count > 2)))
  }

  @Test func grepPrintsItsOwnHelp() throws {
    for arguments in [["grep", "--help"], ["-v", "grep", "-h"], ["help", "grep"]] {
      let help = try ConcordProcess.run(arguments, in: folder)
      #expect(help.output.contains("USAGE: concord grep [<options>] <pattern> [<path> ...]"))
      #expect(help.status == 0)
    }
    #expect(try folder.concord("grep").messages.contains("See 'concord grep --help' for more information."))
    #expect(try folder.concord("grep", "--version").output == folder.concord("--version").output)
  }

  @Test func invalidPatternIsReportedWithACaret() throws {
    let result = try ConcordProcess.run(["grep", "-e", "ok", "-e", "a(b"], in: folder)
    #expect(result.messages.contains("missing closing parenthesis"))
    #expect(result.messages.contains("\n  a(b\n     ^"))
  }

  @Test func missingDatabaseErrorSaysHowToCreateOne() throws {
    let result = try ConcordProcess.run(["grep", "foo", "-d", "nosuch.concord"], in: folder)
    #expect(result.messages.contains("nosuch.concord: there is no such database; create one with `concord index"))
  }

  @Test func sharedOptionsMayPrecedeTheCommand() throws {
    try folder.write("r.jsonl", #"{"_id":"r1","name":"a foo"}"#)
    #expect(try folder.concord("index", "-d", "other.concord", "-c", "s.records", "r.jsonl").status == 0)
    let result = try ConcordProcess.run(
      ["-d", "other.concord", "-c", "s.records", "--color=never", "grep", "-c", "foo"], in: folder)
    #expect(result.output == "r1:1\n")
    #expect(try grep("--collection", "s.records", "-d", "other.concord", "foo") == "r1:a foo\n")
  }

  @Test func shortOptionsCanBeCombined() throws {
    #expect(try grep("-inA1", "ONE") == "a.txt:1:one foo\na.txt-2-two\n")
    #expect(try grep("-tc", "-nefoo") == "d/b.c:1:\tx foo\n")
    #expect(try grep("-g=*.c", "-l", "foo") == "d/b.c\n")
    #expect(try grep("-e", "-nothing", "-e", "two") == "a.txt:two\n")
    #expect(try grep("--regexp", "-nothing", "--regexp=two") == "a.txt:two\n")
    #expect(try grep("--", "two") == "a.txt:two\n")
  }

  @Test func patternsAreReadFromFiles() throws {
    try folder.write("patterns", "two\r\nx f\n")
    #expect(try grep("-f", "patterns") == "a.txt:two\nd/b.c:\tx foo\n")
    let result = try folder.concord("grep", "-f", "-", "a.txt", input: "one\n")
    #expect(result.output == "one foo\n")
    try folder.write("empty", "")
    #expect(try folder.concord("grep", "-f", "empty").status == 1)
  }

  @Test func patternsAreReadFromPipesAndDevices() throws {
    #expect(try ConcordProcess.shell("concord grep -f <(printf 'two\\n')", in: folder).output == "a.txt:two\n")
    #expect(try folder.concord("grep", "-f", "/dev/null").status == 1)
  }

  /// The path of a file may begin with an underscore, an id may not.
  @Test func pathsThatBeginWithAnUnderscoreAreFound() throws {
    try folder.write("_under.txt", "a needle\n")
    try folder.write("_build/x.c", "a needle\n")
    _ = try folder.concord("index", "_under.txt", "_build")
    for path in ["_under.txt", "./_under.txt"] {
      #expect(try grep("needle", path) == "a needle\n")
      #expect(try folder.concord("get", path).output.contains(#""text":"a needle\n""#))
    }
    for path in ["_build", "_build/", "./_build"] { #expect(try grep("needle", path) == "./_build/x.c:a needle\n") }
    #expect(try grep("-l", "-g", "_build/**", "needle") == "./_build/x.c\n")
  }

  @Test func unsupportedOptionsAreRejectedWithAReason() throws {
    let reasons = [
      ["-L"]: "follows a symbolic link that is given as a path", ["--follow"]: "concord index LINK",
      ["-E", "latin1"]: "converted to UTF-8", ["--encoding=utf-16"]: "converted to UTF-8", ["-Enone"]: "converted",
      ["--sortr", "accessed"]: "'none', 'path' or 'modified'", ["--sort", "path", "--sortr", "path"]: "used together",
      ["--type-add", "web"]: "expected TYPE:GLOB",
      ["--type-add", "web:include:nosuch"]: "unrecognized file type: nosuch",
      ["--null-data"]: "lines always end with line breaks", ["--no-unicode"]: "[a-z0-9_]",
      ["--engine", "default"]: "PCRE2", ["--path-separator", "x"]: "can only be /",
    ]
    for (options, reason) in reasons {
      let result = try ConcordProcess.run(["grep"] + options + ["foo"], in: folder)
      #expect(result.messages.contains(reason), "\(result.messages)")
      #expect(result.status == 2)
    }
    // A value may look like one of these options.
    #expect(try grep("-e", "--hidden", "-e", "two") == "a.txt:two\n")
    #expect(try grep("two", "--", "a.txt") == "two\n")
  }

  @Test func timeLimitPerDocumentIsAnOption() throws {
    try folder.write("b.txt", String(repeating: "a", count: 24) + "!\n")
    _ = try folder.concord("index", "b.txt")
    let result = try folder.concord("grep", "--time-limit", "0.001", "(a+)+$", "b.txt")
    #expect(result.messages.contains("needs more than 0.001 seconds"))
    #expect(result.messages.contains("allow more time with --time-limit"))
    #expect(try folder.concord("grep", "--time-limit", "60", "(a+)+$", "b.txt").status == 1)
    #expect(try folder.concord("grep", "--time-limit", "0", "foo").status == 2)
    #expect(try folder.concord("grep", "--no-messages", "--time-limit", "0.001", "(a+)+$", "b.txt").messages == "")
  }

  @Test func carriageReturnsCanBelongToTheLineBreak() throws {
    try folder.write("crlf.txt", "a needle\r\nneedles\r\n")
    _ = try folder.concord("index", "crlf.txt")
    #expect(try grep("-c", "needle$", "crlf.txt") == "")
    #expect(try grep("-o", "--crlf", "needle$", "crlf.txt") == "needle\n")
  }

  @Test func patternWithALineBreakErrorNamesTheOption() throws {
    #expect(try folder.concord("grep", "a\\nb").messages.contains("but matches cannot span lines; use -U"))
  }

  @Test func manyPatternsAreSearchedTogether() throws {
    try folder.write("words", (0..<3_000).map { "word\($0)x" }.joined(separator: "\n"))
    try folder.write("w.txt", "a word77x\nword3000x\nnothing\nword2999x word1x\n")
    _ = try folder.concord("index", "w.txt")
    for options in [["-f", "words"], ["-F", "-f", "words"], ["-w", "-f", "words"]] {
      #expect(
        try ConcordProcess.run(["grep", "-o"] + options, in: folder).output
          == "w.txt:word77x\nw.txt:word2999x\nw.txt:word1x\n")
    }
  }

  @Test func stringsOfRecordsAreSearched() throws {
    try folder.write(
      "r.jsonl", #"{"name":"a bar","tags":["x","bar\ntwo"]}"# + "\n" + #"{"_id":"k","n":{"t":"bar"}}"# + "\n")
    _ = try folder.concord("index", "r.jsonl")
    #expect(try grep("-n", "bar") == "r.jsonl:1:1:a bar\nr.jsonl:1:3:bar\nk:1:bar\n")
    #expect(try grep("--field", "tags", "bar") == "r.jsonl:1:bar\n")
    #expect(try grep("-l", "-tjsonl", "bar") == "r.jsonl:1\n")
    // All records of the file, whatever their ids are.
    #expect(try grep("-c", "bar", "r.jsonl") == "r.jsonl:1:2\nk:1\n")
  }

  /// A record may have the same members as a file.
  @Test func recordWithMembersOfAFileIsFoundByTheIndex() throws {
    let record =
      #"{"_id":"r","path":"p","name":"n","type":"txt","title":"t","text":null,"size":1,"modified":1,"extra":"a needle pin"}"#
    try folder.write("r.jsonl", record + "\n")
    _ = try folder.concord("index", "r.jsonl")
    #expect(try grep("needle pin") == "r:a needle pin\n")
    #expect(try grep("--no-index", "needle pin") == "r:a needle pin\n")
    #expect(try folder.search("needle") == ["r"])
  }

  @Test func terminalEscapesAreReplaced() throws {
    try folder.write("e.txt", "red \u{1B}[31m and \u{9B}bell\u{07}\n")
    _ = try folder.concord("index", "e.txt")
    #expect(try grep("red", "e.txt") == "red \u{1B}[31m and \u{9B}bell\u{07}\n")
    let shown = try PseudoTerminal.run(["grep", "--color", "never", "red"], in: folder)
    #expect(shown.contains("1:red \u{FFFD}[31m and \u{FFFD}bell\u{FFFD}"))
    #expect(shown.hasPrefix("e.txt"))
  }

  @Test func documentThatExceedsTheMatchLimitDoesNotEndTheSearch() throws {
    try folder.write("b.txt", String(repeating: "a", count: 40) + "!\n")
    try folder.write("c.txt", "aaa\n")
    _ = try folder.concord("index", "b.txt", "c.txt")
    let result = try ConcordProcess.run(["grep", "(a+)+$"], in: folder)
    #expect(result.output.contains("c.txt:aaa\n"))
    #expect(result.messages.contains("b.txt: the regular expression"))
    #expect(result.status == 2)
  }

  @Test func closedPipeEndsTheCommandSilently() throws {
    try folder.write("many.txt", String(repeating: "foo\n", count: 200_000))
    _ = try folder.concord("index", "many.txt")
    let result = try ConcordProcess.shell("concord grep foo | head -1; echo ${PIPESTATUS[0]}", in: folder)
    #expect(result.lines.last == "0")
    #expect(result.messages.isEmpty)
  }

  @Test func newerFilesAreReportedAndRead() throws {
    try folder.write("a.txt", "one foo and more\n")
    let stale = try ConcordProcess.run(["grep", "one"], in: folder)
    #expect(stale.output == "a.txt:one foo\n")
    #expect(stale.messages.contains("1 file on disk is newer than the index, for example a.txt; --fresh"))
    #expect(stale.status == 0)
    let fresh = try ConcordProcess.run(["grep", "--fresh", "one"], in: folder)
    #expect(fresh.output == "a.txt:one foo and more\n")
    #expect(fresh.messages.isEmpty)
    #expect(try folder.search("more") == ["a.txt"])
    // Equivalent to a run of `concord index`.
    #expect(try folder.concord("index", "--json", "a.txt", "d").output.contains(#""unchangedFiles":2"#))
  }

  @Test func deletedFilesAreReportedAndRemoved() throws {
    try folder.remove("d/b.c")
    #expect(
      try folder.concord("grep", "x foo").messages.contains("1 file was deleted from disk, for example d/b.c"))
    let fresh = try ConcordProcess.run(["grep", "--fresh", "foo", "-l"], in: folder)
    #expect(fresh.output == "a.txt\n")
  }

  @Test func recordsKeepTheirIDsWhenTheirFileIsReadAgain() throws {
    try folder.write("r/x.jsonl", "{\"t\":\"first\"}\n")
    try folder.write("s.jsonl", "{\"sku\":\"k1\",\"t\":\"first\"}\n")
    _ = try folder.concord("index", "r")
    _ = try folder.concord("index", "--id-field", "sku", "s.jsonl")
    try folder.write("r/x.jsonl", "{\"t\":\"first again\"}\n")
    try folder.write("s.jsonl", "{\"sku\":\"k1\",\"t\":\"first again\"}\n")
    #expect(
      try grep("--fresh", "first") == "r/x.jsonl:1:first again\nk1:k1\n".replacing("k1:k1\n", with: "k1:first again\n"))
  }

  @Test func messagesCanBeSilenced() throws {
    try folder.write("a.txt", "changed\n")
    let result = try ConcordProcess.run(["grep", "-q", "one"], in: folder)
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.messages.isEmpty)
  }
}
