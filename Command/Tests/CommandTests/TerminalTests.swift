import Foundation
import Testing

/// Colours, pipes, help and exit statuses.
struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.md", "# Title\n\nan apple and a \u{1B}[31mred\u{07} trick\n")
    #expect(try folder.concord("index", "a.md").status == 0)
  }

  private static let highlighted = "\u{1B}[1;31mapple\u{1B}[0m"

  @Test func pipesAreColouredOnlyOnRequest() throws {
    #expect(!(try folder.concord("search", "apple").output.contains("\u{1B}")))
    #expect(
      try folder.concord("search", "--color", "always", "apple").output.contains(TerminalTests.highlighted))
    let both = try folder.concord("search", "--color", "always", "apple", environment: ["NO_COLOR": "1"])
    #expect(both.output.contains(TerminalTests.highlighted))
  }

  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
    (["TERM": "xterm", "NO_COLOR": ""], true),
    (["TERM": "dumb"], false), ([:], false),
  ])
  func terminalsAreColoured(environment: [String: String], isColoured: Bool) throws {
    let output = try PseudoTerminal.run(["search", "apple"], in: folder, environment: environment)
    #expect(output.contains("apple"))
    #expect(output.contains(TerminalTests.highlighted) == isColoured)
  }

  @Test func colorNeverDisablesColours() throws {
    let output = try PseudoTerminal.run(
      ["search", "--color", "never", "apple"], in: folder, environment: ["TERM": "xterm"])
    #expect(!output.contains("\u{1B}"))
  }

  @Test(arguments: [40, 63, 120])
  func snippetsAreWrappedToTheTerminal(width: UInt16) throws {
    try folder.write("w.txt", String(repeating: "some words 図書館の本 around plum and ", count: 20))
    _ = try folder.concord("index", "w.txt")
    let output = try PseudoTerminal.run(["search", "--color", "never", "plum"], in: folder, width: width)
    let lines = output.split(whereSeparator: \.isNewline)
    #expect(lines.count > 2)
    for line in lines {
      let columns = line.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2E80 } ? 2 : 1) }
      #expect(columns <= Int(width))
    }
  }

  /// `COLUMNS` determines the width if the terminal does not.
  @Test(arguments: [80, 0] as [UInt16]) func interruptionRemovesTheProgressLine(width: UInt16) throws {
    // The import reads 8 KiB before the first line.
    let input = String(repeating: "{\"a\":1}\n", count: 4000)
    let shown = try PseudoTerminal.run(
      ["import", "-"], in: folder, environment: ["TERM": "xterm", "COLUMNS": "0"], width: width, showsMessages: true,
      input: input, interruptedAfter: "1 document")
    #expect(shown.contains("1 document  8 B"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
  }

  @Test func progressIsShownOnlyOnATerminal() throws {
    for number in 0..<300 { try folder.write("many/\(number).txt", String(repeating: "word\(number) ", count: 200)) }
    let shown = try PseudoTerminal.run(["index", "-d", "x", "many"], in: folder, showsMessages: true)
    #expect(shown.contains("\r"))
    #expect(shown.contains("% "))
    #expect(shown.contains("300 documents new or changed"))
    let quiet = try PseudoTerminal.run(["index", "-q", "-d", "y", "many"], in: folder, showsMessages: true)
    #expect(quiet.isEmpty)
    #expect(!(try folder.concord("index", "-d", "z", "many").messages.contains("\r")))
  }

  @Test func documentsDoNotControlTheTerminal() throws {
    let result = try folder.concord("search", "trick")
    #expect(result.output.contains("trick"))
    #expect(!result.output.contains("\u{1B}"))
    #expect(!result.output.contains("\u{07}"))
    #expect(try PseudoTerminal.run(["cat", "a.md"], in: folder).contains("a \u{FFFD}[31mred\u{FFFD} trick"))
    // JSON permits the control sequence introducer of C1.
    _ = try folder.concord("put", "-d", "c1", "one", "{\"t\":\"a\u{9B}31mb\"}")
    for arguments in [
      ["get", "one"], ["get", "--pretty", "one"], ["get", "--json", "one"], ["cat", "one"], ["export"],
      ["query", "--json", "SELECT t FROM _"],
    ] {
      let shown = try PseudoTerminal.run(arguments + ["-d", "c1"], in: folder)
      #expect(shown.contains("a\\u009b31mb") && !shown.contains("\u{9B}"), "\(arguments): \(shown)")
    }
    // Only a terminal needs the escape.
    #expect(try folder.concord("get", "-d", "c1", "one").output == "{\"t\":\"a\u{9B}31mb\"}\n")
  }

  @Test func closedPipeEndsTheCommandSilently() throws {
    let records = (0..<3000).map { "{\"id\":\"r\($0)\",\"t\":\"plum \($0)\"}\n" }.joined()
    try folder.write("r.jsonl", records)
    _ = try folder.concord("index", "r.jsonl")
    let result = try ConcordProcess.shell(
      "concord search -q --json -n 3000 plum | head -1; echo ${PIPESTATUS[0]}", in: folder)
    #expect(result.lines.count == 2)
    #expect(result.lines.last == "0")
    #expect(result.messages.isEmpty)
  }

  @Test func helpAndVersionAreResults() throws {
    let version = try folder.concord("--version")
    #expect(version.output == "0.1.0\n")
    #expect(version.status == 0)
    let commands = [
      "index", "search", "query", "explain", "sync", "get", "indexes", "create-index", "drop-index", "stats", "verify",
      "optimize", "analyze",
    ]
    for command in commands {
      let help = try folder.concord(command, "--help")
      #expect(help.status == 0)
      #expect(help.messages.isEmpty)
      #expect(help.output.contains("  $ concord \(command)"), "\(command) has no example")
      #expect(help.output.contains("--json"))
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try folder.concord("--generate-completion-script", shell)
      #expect(script.status == 0)
      #expect(script.output.contains("search"))
    }
  }

  @Test(arguments: [
    ["search"], ["search", "--limt", "3", "x"], ["search", "-n", "many", "x"],
    ["search", "-n", "-1", "x"],
    ["frobnicate"],
    ["index", "--nosuch"], ["get"], ["put"], ["search", "--syntax", "sql", "x"], ["search", "--color", "red", "x"],
  ])
  func usageErrorsAreStatus2(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: "))
    #expect(result.output.isEmpty)
  }

  @Test func interruptsEndWith130() throws {
    let process = ConcordProcess.prepare(
      ConcordProcess.path, ["index", "-q", "-"], in: folder, environment: [:])
    let input = Pipe()
    process.standardInput = input
    try process.run()
    // The process waits for input that never arrives. An interrupt before its handler is installed would end it like
    // any process.
    let database = folder.file("corpus.concord-wal")
    let deadline = Date().addingTimeInterval(30)
    while !FileManager.default.fileExists(atPath: database), Date() < deadline { usleep(10_000) }
    let state = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    process.interrupt()
    while process.isRunning, Date() < deadline { usleep(10_000) }
    #expect(!process.isRunning, "\(state)")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(process.terminationReason == .exit)
    #expect(try folder.concord("verify").status == 0)
  }
}
