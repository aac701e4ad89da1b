import Foundation
import Testing

/// Rows as a table: alignment, widths, truncation and escapes.
struct QueryTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func importRecords(_ records: [String]) throws {
    try folder.write("r.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("import", "r.jsonl").status == 0)
  }

  /// The width of a text in columns, for the characters of these tests.
  private func columns(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2E80 } ? 2 : 1) }
  }

  @Test func stringsAreUnquotedAndNumbersRightAligned() throws {
    try importRecords([
      #"{"_id":"a","name":"Ghia","n":4,"mixed":1,"geo":{"lat": 1.50}}"#,
      #"{"_id":"b","name":"東京 inn","n":-12.25,"mixed":"x","alias":null}"#, #"{"_id":"c","n":null,"open":false}"#,
    ])
    let result = try folder.concord(
      "query", "SELECT name, n, mixed, open, alias, geo FROM _ ORDER BY META().id")
    #expect(
      result.output == """
        name           n  mixed  open   alias  geo
        Ghia           4  1                    {"lat":1.50}
        東京 inn  -12.25  x             null
                    null         false

        """)
  }

  @Test func nullIsFaintInColouredOutput() throws {
    try importRecords([#"{"a":null,"b":"null"}"#])
    let result = try folder.concord("query", "--color", "always", "SELECT a, b FROM _")
    #expect(result.output == "\u{1B}[1ma     b\u{1B}[0m\n\u{1B}[2mnull\u{1B}[0m  null\n")
  }

  @Test func valuesAreNotTruncatedInPipes() throws {
    let text = String(repeating: "word ", count: 1000)
    try importRecords([#"{"n":1,"text":"\#(text)","last":2}"#, #"{"n":2,"text":"short","last":3}"#])
    let lines = try folder.concord("query", "SELECT text, last FROM _ ORDER BY n").lines
    #expect(lines[1] == "\(text)     2")
    // One long value does not pad the other lines with spaces.
    #expect(lines[2].count < 200)
  }

  @Test(arguments: [40, 60, 83, 200])
  func linesFitTheTerminal(width: UInt16) throws {
    let texts = ["plain words ", "東京都庭園美術館", "👩‍🚀🇩🇪✈️", "e\u{301}a\u{308}"]
    try importRecords(
      texts.enumerated().map { number, text in
        #"{"n":\#(number * 1_000_000),"a":"\#(String(repeating: text, count: 40))","b":"\#(text)","c":[1,{"d":"\#(text)"}]}"#
      })
    let output = try PseudoTerminal.run(
      ["query", "--color", "never", "SELECT a, n, b, c FROM _ ORDER BY n"], in: folder, width: width)
    let lines = output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 5)
    for line in lines { #expect(columns(line) <= width, "\(line)") }
    #expect(lines[1].contains("…"))
    // Numbers are never truncated, and are right-aligned.
    for (number, line) in lines.dropFirst().enumerated() {
      let value = "  \(number * 1_000_000)  "
      #expect(line.contains(value))
      let ends = line.range(of: value).map { columns(line[..<$0.upperBound]) }
      #expect(ends == lines[0].range(of: " n  ").map { columns(lines[0][..<$0.upperBound]) })
    }
  }

  @Test func graphemeClustersAreNotSplit() throws {
    let family = "👨‍👩‍👧‍👦"
    try importRecords([
      #"{"a":"\#(String(repeating: family, count: 30))","b":"\#(String(repeating: "n\u{303}", count: 90))"}"#
    ])
    for width in 20...23 as ClosedRange<UInt16> {
      let output = try PseudoTerminal.run(
        ["query", "--color", "never", "SELECT a, b FROM _"], in: folder, width: width)
      let line = try #require(output.split(whereSeparator: \.isNewline).last)
      #expect(line.filter { $0 != "…" && $0 != " " }.allSatisfy { $0 == Character(family) || $0 == "n\u{303}" })
      #expect(line.filter { $0 == "…" }.count == 2)
      #expect(columns(line) <= width)
    }
  }

  @Test func narrowColumnsKeepTheirWidth() throws {
    try importRecords([#"{"code":"LHR","text":"\#(String(repeating: "word ", count: 50))","city":"London"}"#])
    let output = try PseudoTerminal.run(
      ["query", "--color", "never", "SELECT code, text, city FROM _"], in: folder, width: 40)
    #expect(output.hasSuffix("LHR   word word word word word …  London\r\n"), "\(output)")
  }

  @Test func firstRowsDetermineTheColumnWidths() throws {
    try importRecords((0..<1500).map { #"{"n":\#($0),"t":"\#($0 == 1400 ? "longer than before" : "x")"}"# })
    let lines = try folder.concord("query", "SELECT t, n FROM _ ORDER BY n").lines
    #expect(lines.count == 1501)
    #expect(lines[1400] == "x  1399")
    #expect(lines[1401] == "longer than before  1400")
    #expect(lines[1402] == "x  1401")
  }

  private static let hostile = "\u{1B}[31mred\u{07}\u{9B}31m\u{202E}\u{2028}end"

  @Test func valuesDoNotControlTheTerminal() throws {
    let object = try JSONSerialization.data(withJSONObject: ["a": QueryTableTests.hostile + "\r\n\t.", "b": ["\u{9B}"]])
    try importRecords([String(decoding: object, as: UTF8.self)])
    let query = "SELECT a, b FROM _"
    let table = try folder.concord("query", query)
    #expect(table.lines.count == 2)
    #expect(table.lines[1] == #"\u001b[31mred\u0007\u009b31m\u202e\u2028end\r\n\t.  ["\u009b"]"#)
    // A pipe receives the unchanged value.
    for (format, kept) in [("jsonl", "\u{9B}31m\u{202E}"), ("csv", QueryTableTests.hostile)] {
      #expect(try folder.concord("query", "--format", format, query).output.contains(kept))
    }
    for format in ["table", "json", "jsonl", "csv"] {
      let shown = try PseudoTerminal.run(
        ["query", "--color", "never", "--format", format, query], in: folder, width: 200)
      #expect(shown.contains("31mred"))
      for command in ["\u{1B}", "\u{07}", "\u{9B}", "\u{202E}"] { #expect(!shown.contains(command), "\(format)") }
    }
    let line = try PseudoTerminal.run(["query", "--json", query], in: folder)
    #expect(try JSONText(line).string("a") == QueryTableTests.hostile + "\r\n\t.")
  }

  @Test func columnNamesDoNotControlTheTerminal() throws {
    try importRecords([#"{"a":1}"#])
    let result = try folder.concord("query", "SELECT a AS `x\u{1B}[2J` FROM _")
    #expect(result.lines.first == #"x\u001b[2J"#)
  }
}
