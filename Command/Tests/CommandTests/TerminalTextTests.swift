import Testing

@testable import concord

/// Text that is made safe for a terminal.
struct TerminalTextTests {
  @Test(arguments: [
    ("{\t\"a\":\r\n1}", "{\t\"a\":\n1}"), ("[1,\r2]", "[1,2]"),
    ("{\"a\u{9B}\": \"\u{2028}\u{202E}\"}", #"{"a\u009b": "\u2028\u202e"}"#),
    ("{\"a\": \"\u{E9}\"}\n", "{\"a\": \"\u{E9}\"}\n"),
  ]) func jsonStaysJSON(json: String, shown: String) {
    #expect(TerminalText.json(json).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  /// Ideographs have two columns.
  @Test(arguments: [(6, "図書館"), (5, "図書…"), (1, "…"), (0, ""), (-1, "")])
  func progressLinesFitTheTerminal(columns: Int, shown: String) {
    #expect(Messages.progressLine("図書館", columns: columns) == shown)
  }

  /// The document also ends with a line feed if that is part of CR LF, which is one character.
  @Test func lineFeedsAreNotAddedAfterCRLF() throws {
    let folder = try TemporaryFolder()
    _ = try folder.concord("put", "-q", "a", #"{"text":"\u00e9\r\n"}"#)
    #expect(Array(try folder.concord("cat", "a").output.utf8) == Array("\u{E9}\r\n".utf8))
  }
}
