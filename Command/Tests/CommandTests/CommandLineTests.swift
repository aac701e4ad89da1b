import Foundation
import Testing

@testable import concord

/// Arguments that the parser interprets differently from what the user means, and files that are not regular files.
struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.txt", "ship in the harbour")
    try folder.write("b.txt", "ship at sea")
    #expect(try folder.concord("index", "a.txt", "b.txt").status == 0)
  }

  @Test(arguments: [["-harbour"], ["ship", "-harbour"], ["-q", "-shore"]])
  func wordWithMinusIsReportedAsUnknownOption(arguments: [String]) throws {
    let result = try ConcordProcess.run(["search"] + arguments, in: folder)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.messages.hasPrefix("concord: unknown option '\(arguments.last ?? "")'\n"))
    #expect(result.messages.contains("\n  To exclude words, put -- before the query, for example: "))
  }

  @Test func emptyValueDoesNotTakeTheNextArgument() throws {
    let result = try folder.concord("search", "--where=", "ship")
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.messages == "concord: --where= has no value; an empty value is written as --where ''\n")
    #expect(try folder.concord("search", "--", "--where=").status != 2)
    #expect(try folder.concord("search", "--k1=", "1.2", "ship").messages.hasPrefix("concord: --k1= has no value; "))
  }

  @Test func wordsThatBeginWithDAreNotDatabases() throws {
    let search = try folder.concord("search", "ship", "-dock")
    #expect(search.status == 2 && search.output.isEmpty && !search.messages.contains("no such database"))
    #expect(try folder.concord("put", "-document.json", "x", #"{"a":1}"#).status == 2)
    #expect(try ConcordProcess.shell("ls ocument.json", in: folder).status != 0)
    #expect(try folder.concord("stats", "-d./corpus.concord").status == 0)
    #expect(try folder.concord("-dcorpus.concord", "search", "--count", "ship").output == "2\n")
  }

  @Test func argumentThatIsNotUTF8IsAnError() throws {
    for command in ["concord grep -l $'f\\xffoo'", "concord search -l $'f\\xffoo'"] {
      let result = try ConcordProcess.shell(command, in: folder)
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(result.messages == "concord: argument 3 is not UTF-8: it contains the byte 0xFF at offset 1\n")
    }
  }

  @Test func fileNameThatIsNotUTF8DoesNotPreventTheOthers() throws {
    try folder.write("c.txt", "boat")
    let result = try ConcordProcess.shell("echo x > $'caf\\xe9.txt' && concord index *.txt", in: folder)
    #expect(result.status == 2 && result.messages.contains("caf\u{FFFD}.txt"), "\(result.messages)")
    #expect(try folder.concord("search", "--count", "boat").output == "1\n")
    let pattern = try ConcordProcess.shell("concord grep $'caf\\xe9.txt'", in: folder)
    #expect(pattern.status == 2 && pattern.messages.hasPrefix("concord: argument 2 is not UTF-8"))
    for options in ["-d corpus.concord", "-A 1", "-nA 1", "-i -e"] {
      let pattern = try ConcordProcess.shell("concord grep \(options) $'caf\\xe9.txt'", in: folder)
      #expect(pattern.status == 2 && pattern.messages.hasPrefix("concord: argument 4 is not UTF-8"), "\(options)")
    }
    let flag = try ConcordProcess.shell("concord index -v $'caf\\xe9.txt' c.txt", in: folder)
    #expect(flag.status == 2 && flag.messages.contains("caf\u{FFFD}.txt"), "\(flag.messages)")
    #expect(!flag.messages.contains("is not UTF-8: it contains"), "\(flag.messages)")
  }

  @Test(arguments: [
    (["index"], true), (["index", "-v"], true), (["index", "--where"], false), (["-d", "index", "index"], true),
    (["-qd", "index", "index", "--"], true), (["search"], false), (["-d", "grep", "grep"], false),
    (["-d", "grep", "grep", "ship"], true), (["grep", "ship", "-i"], true), (["grep", "ship", "-A"], false),
    (["grep", "-nA1"], false), (["grep", "-eship"], true), (["grep", "--regexp=ship"], true), (["grep", "--"], false),
    (["grep", "-f", "patterns"], true), (["grep", "--type", "c"], false), (["grep", "--", "ship"], true),
  ])
  func pathsAreDistinguishedFromOtherArguments(earlier: [String], isPath: Bool) {
    let arguments = ["concord"] + earlier + ["x"]
    #expect(ArgumentChecks.isPath(at: arguments.count - 1, of: arguments) == isPath)
  }

  @Test(arguments: ["--nosuch", "-k"])
  func unknownOptionGetsNoHintAboutExclusion(option: String) throws {
    let result = try folder.concord("search", option, "ship")
    #expect(result.status == 2 && result.messages.hasPrefix("concord: unknown option '\(option)'\n"))
    #expect(!result.messages.contains("To exclude words"))
  }

  /// The man page and completion scripts contain the help of all commands.
  @Test func theHelpOfAllCommandsDescribesTheirCollections() throws {
    let dump = try folder.concord("--experimental-dump-help")
    #expect(dump.status == 0)
    #expect(dump.output.contains("for `sync` and `listen`, several, separated by commas"))
    #expect(!dump.output.contains("as NAME or SCOPE.NAME. (default: the default collection)"))
    let zsh = try folder.concord("--generate-completion-script", "zsh")
    #expect(zsh.status == 0 && !zsh.output.contains("(default: the default collection)"))
  }

  @Test func tinyScoreIsNotPrintedAsZero() throws {
    try folder.write("many.jsonl", String(repeating: "{\"t\":\"everywhere\"}\n", count: 500))
    #expect(try folder.concord("index", "many.jsonl").status == 0)
    let search = try folder.concord("search", "--explain", "everywhere")
    #expect(!search.output.contains("(0.00)") && !search.output.contains(" 0.0000"))
    let score = try #require(search.lines.first?.split(separator: "(").last?.dropLast())
    #expect(try #require(Double(score)) > 0)
  }

  @Test(arguments: [
    ["search", "-h"], ["search", "-qh"], ["-h"], ["search", "--help"], ["help", "search"], ["search", "-help"],
  ])
  func helpOptionsPrintHelp(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 0 && result.output.contains("USAGE") && result.messages.isEmpty)
  }

  @Test func misspeltCommandGetsSuggestion() throws {
    let wrong = try folder.concord("--quiet", "serach", "x")
    #expect(wrong.status == 2)
    #expect(wrong.messages.hasPrefix("concord: there is no command \"serach\"; did you mean search?\nUsage: concord "))
    #expect(try folder.concord("zzzzzzzz").messages.hasPrefix("concord: there is no command \"zzzzzzzz\"\n"))
    #expect(try folder.concord("stats", "search").messages.hasPrefix("concord: unexpected argument 'search'"))
  }

  @Test func fileArgumentsAcceptPipesAndDevices() throws {
    let result = try ConcordProcess.shell(
      """
      concord eval --queries <(printf '1\\tship\\n') --qrels <(printf '1 0 %s 1\\n' "$PWD/a.txt") --json &&
        concord index a.txt b.txt --synonyms <(echo 'boat, ship') && concord search --json boat &&
        concord index a.txt b.txt --synonyms /dev/null && concord search --exact --count boat
      """, in: folder)
    #expect(result.lines.count == 4 && result.lines.last == "0", "\(result.output)\(result.messages)")
    let missing = try folder.concord("index", "a.txt", "--synonyms", "none.txt")
    #expect(missing.status == 2 && missing.messages == "concord: none.txt: No such file or directory\n")
    let folderName = try folder.concord("eval", "--queries", ".", "--qrels", ".")
    #expect(folderName.messages == "concord: .: Is a directory\n")
  }

  @Test func pipesAndDevicesAreNotIndexed() throws {
    let result = try ConcordProcess.shell("concord index <(echo hi)", in: folder)
    #expect(result.messages.contains(": neither a regular file nor a directory\n"), "\(result.messages)")
    #expect(try folder.concord("index", "/dev/null").messages.contains("/dev/null: neither a regular file"))
  }

  @Test func differentNamesOfOneLanguageAreEqual() throws {
    let made = try folder.concord("index", "a.txt", "--language", "en", "--stop-words", "language")
    #expect(made.messages.contains("rebuilding the index"))
    for name in ["english", "EN", "eng"] {
      #expect(!(try folder.concord("index", "a.txt", "--language", name).messages.contains("rebuilding")), "\(name)")
    }
  }

  @Test func invalidStopWordsFailBeforeTheRebuildIsAnnounced() throws {
    _ = try folder.concord("index", "a.txt", "--language", "en", "--stop-words", "language")
    let result = try folder.concord("index", "a.txt", "--language", "none")
    #expect(result.status == 2)
    #expect(
      result.messages
        == "concord: the stop words of the language were requested, but no language is set; "
        + "give one with --language, or --stop-words none\n")
    #expect(try folder.concord("index", "a.txt", "--language", "none", "--stop-words", "none").status == 0)
  }
}
