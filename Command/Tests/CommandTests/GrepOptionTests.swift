import Foundation
import Testing

@testable import concord

/// Forms of options of `concord grep`, and messages about its arguments.
struct GrepOptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.txt", "one foo\ntwo\n")
    #expect(try folder.concord("index", "a.txt").status == 0)
  }

  @Test(arguments: [
    (["grep", "--replace=", "-o", "foo"], ["--replace", "", "-o", "foo"]),
    (["grep", "--field-match-separator=", "-n", "foo"], ["--field-match-separator", "", "-n", "foo"]),
    (["grep", "--database=", "foo"], ["--database", "", "foo"]),
    (["grep", "-e", "--replace=", "foo"], ["-e", "--replace=", "foo"]),
    (["-dx.concord", "grep", "foo"], ["--database", "x.concord", "foo"]),
    (["-qd", "x.concord", "grep", "foo"], ["--quiet", "--database", "x.concord", "foo"]),
    (["-vdx.concord", "grep", "foo"], ["--verbose", "--database", "x.concord", "foo"]),
    (["grep", "--passthrough", "foo"], ["--passthru", "foo"]),
  ])
  func argumentsArePrepared(arguments: [String], expected: [String]) throws {
    #expect(try GrepArguments.prepared(arguments) == expected)
  }

  @Test(arguments: [["-d", "grep"], ["-dgrep"], ["-xd", "c.concord", "grep"], ["-d"], []])
  func argumentsWithoutCommandAreNotPrepared(arguments: [String]) throws {
    #expect(try GrepArguments.prepared(arguments) == nil)
  }

  @Test func joinedDatabaseIsAcceptedByEveryCommand() throws {
    #expect(try folder.concord("-dcorpus.concord", "grep", "-l", "foo").output == "a.txt\n")
    #expect(try folder.concord("-dcorpus.concord", "stats").status == 0)
    #expect(try folder.concord("-qdcorpus.concord", "stats").status == 0)
    #expect(try folder.concord("-qd", "corpus.concord", "stats").status == 0)
    #expect(try folder.concord("-qdnosuch.concord", "stats").messages.contains("nosuch.concord: there is no such"))
    #expect(try folder.concord("stats", "-dnosuch.concord").messages.contains("nosuch.concord: there is no such"))
  }

  @Test(arguments: [
    ["--column", "--no-column"], ["--no-multiline-dotall"], ["--no-pre"], ["--no-glob-case-insensitive"],
    ["--ignore-dot"],
    ["--ignore-vcs"], ["--ignore-global"], ["--ignore-parent"], ["--ignore-exclude"], ["--ignore-files"],
    ["--ignore-file-case-insensitive"], ["--no-ignore-file-case-insensitive"], ["--no-sort-files"],
    ["--engine", "pcre2"], ["--engine=auto"], ["-j", "4"], ["--max-depth=2"],
  ])
  func optionsOfRipgrepWithoutEffectAreAccepted(options: [String]) throws {
    let result = try ConcordProcess.run(["grep"] + options + ["-l", "foo"], in: folder)
    #expect(result.output == "a.txt\n" && result.messages.isEmpty, "\(result.messages)")
  }

  @Test(arguments: [
    (["foo", "-j"], "missing value for -j"), (["-nj"], "missing value for -j"),
    (["--max-depth", "foo"], "--max-depth takes a whole number of 0 or more, not \"foo\""),
    (["-j", "x", "foo"], "-j takes a whole number of 0 or more, not \"x\""),
    (["--max-depth", "-1", "foo"], "--max-depth takes a whole number of 0 or more, not \"-1\""),
    (["foo", "--max-filesize"], "missing value for --max-filesize"),
    (["foo", "--threads="], "--threads takes a whole number of 0 or more, not \"\""),
  ])
  func valuesOfIgnoredOptionsAreChecked(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(["grep"] + arguments, in: folder)
    #expect(result.messages == "concord: \(message)\n" && result.status == 2)
  }

  @Test(arguments: [
    (["--column", "--no-column", "foo"], "a.txt:one foo\n"),
    (["--no-column", "--column", "foo"], "a.txt:1:5:one foo\n"),
    (["-U", "--multiline-dotall", "--no-multiline-dotall", "foo.two"], ""),
    (["-U", "--no-multiline-dotall", "--multiline-dotall", "foo.two"], "a.txt:one foo\na.txt:two\n"),
  ])
  func lastOfOptionAndItsNegationApplies(arguments: [String], output: String) throws {
    let result = try ConcordProcess.run(["grep"] + arguments, in: folder)
    #expect(result.output == output && result.messages.isEmpty, "\(result.messages)")
  }

  @Test func prettyOutputRespectsTheChoiceOfColors() throws {
    #expect(try folder.concord("grep", "-p", "foo").output.contains("\u{1B}["))
    #expect(try folder.concord("grep", "--color", "ansi", "foo").output.contains("\u{1B}["))
    #expect(try folder.concord("grep", "-p", "--color", "never", "foo").output == "a.txt\n1:one foo\n")
    #expect(try folder.concord("grep", "-p", "foo", environment: ["NO_COLOR": "1"]).output == "a.txt\n1:one foo\n")
  }

  @Test func errorsInFilesOfPatternsNameTheLine() throws {
    try folder.write("p", "two\na(b\n")
    let invalid = try folder.concord("grep", "-e", "x.", "-f", "p")
    #expect(invalid.messages.hasPrefix("concord: p:2: the regular expression is invalid: missing closing parenthesis"))
    #expect(invalid.status == 2)
    let piped = try folder.concord("grep", "-f", "-", input: "a(b\n")
    #expect(piped.messages.hasPrefix("concord: stdin:1: the regular expression is invalid"))
    let lines = try folder.concord("grep", "-f", "-", input: "x\na\\nb\n")
    #expect(lines.messages.hasPrefix("concord: stdin:2: the pattern \"a\\nb\" matches a line break"))
    try folder.write("q", Data("two\n".utf8 + [0xFF, 0x0A]))
    #expect(try folder.concord("grep", "-f", "q").messages == "concord: q:2: the pattern is not UTF-8\n")
    #expect(try folder.concord("grep", "-e", "ok", "-e", "a(b").messages.hasPrefix("concord: the regular expression"))
  }

  /// A FIFO without a reader, so that the first write fails.
  private func closedPipe(_ command: String) throws -> Int32 {
    try ConcordProcess.shell("rm -f pipe; mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; \(command) >&4", in: folder).status
  }

  @Test func closedPipeDoesNotHideErrors() throws {
    #expect(try closedPipe("concord grep foo a.txt") == 0)
    #expect(try closedPipe("concord grep foo nosuchpath a.txt") == 2)
    // As with an open pipe, a match is more important than an error.
    #expect(try closedPipe("concord grep -q --stats foo nosuchpath a.txt") == 0)
    #expect(try closedPipe("concord grep -q --stats nosuch nosuchpath a.txt") == 2)
    #expect(try closedPipe("concord delete nosuch --json") == 1)
    #expect(try closedPipe("concord delete a.txt --json") == 0)
    #expect(try closedPipe("echo bad | concord import - --json") == 2)
  }
}
