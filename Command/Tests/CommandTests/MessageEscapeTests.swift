import Testing

/// Messages escape terminal control characters.
struct MessageEscapeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.concord("put", "-q", "a", #"{"t": "x"}"#)
  }

  @Test(arguments: [
    ["search", "-d", "no\u{1B}[31m", "x"], ["grep", "(\u{1B}[31m"], ["grep", "x", "no\u{1B}[31m"],
    ["query", "SELECT \u{1B}[31m("], ["import", "no\u{1B}[31m.json"], ["index", "no\u{1B}[31m"], ["get", "\u{1B}[31m"],
    ["\u{1B}[31mcommand"], ["search", "--no\u{1B}[31m"], ["put", "\u{1B}[31m", "{"], ["verify", "-d", "no\u{9B}31m"],
    ["search", "title\u{1B}[31m:x"], ["create-index", "\u{1B}[31m", "a."], ["export", "-o", "no\u{1B}[31m/x"],
  ]) func escapeSequencesAreEscaped(arguments: [String]) throws {
    let result = try ConcordProcess.run(arguments, in: folder)
    #expect(result.status != 0)
    let commands = (result.messages + result.output).unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
    }
    #expect(commands.isEmpty, "\(result.messages)")
  }

  @Test func escapesShowTheOriginalCharacters() throws {
    let result = try folder.concord("search", "-d", "no\u{1B}[31m", "x")
    #expect(result.messages.hasPrefix(#"concord: no\u001b[31m: there is no such database"#))
  }
}
