@_spi(Command) import Concordance
import Testing

@Suite struct CSVLineTests {
  @Test(
    arguments: [
      (["a", nil, ""], "a,,\"\""), ([nil, nil], ","), ([nil], "\"\""), ([""], "\"\""), ([], ""), ([" a "], " a "),
      (["a,b", "c\nd", "e\rf"], "\"a,b\",\"c\nd\",\"e\rf\""), (["say \"x\""], "\"say \"\"x\"\"\""),
      // A quotation mark and an accent are one character.
      (["\"\u{301}"], "\"\"\"\u{301}\""), (["a\r\nb"], "\"a\r\nb\""),
    ] as [([String?], String)]) func fieldsAreQuotedIfNecessary(fields: [String?], line: String)
  {
    #expect(CSVLine.bytes(of: fields) == Array(line.utf8))
  }
}
