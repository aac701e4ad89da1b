import QueryModel
import Testing

struct SourceSpanTests {
  @Test func textIsSlicedByBytes() {
    #expect(SourceSpan(0..<6).text(in: "東京 AND") == "東京")
    #expect(SourceSpan(7..<10).text(in: "東京 AND") == "AND")
    #expect(SourceSpan(at: 3).text(in: "abcd") == "")
  }

  @Test func spanOfOtherTextIsClamped() {
    #expect(SourceSpan(2..<900).text(in: "abcd") == "cd")
    #expect(SourceSpan(700..<900).text(in: "abcd") == "")
    #expect(SourceSpan(-5..<1).text(in: "abcd") == "a")
  }

  @Test func unionCoversBothSpans() {
    #expect(SourceSpan(4..<6).union(SourceSpan(1..<2)) == SourceSpan(1..<6))
  }

  @Test(arguments: [
    ("", 0, 1, 1), ("ab", 0, 1, 1), ("ab", 2, 1, 3), ("ab", 99, 1, 3),
    ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1), ("a\n\nb", 3, 3, 1),
    ("東京 x", 7, 1, 4), ("e\u{301}x", 3, 1, 2),
  ])
  func locationsCountFromOne(text: String, offset: Int, line: Int, column: Int) {
    let location = SourceLocation(offset: offset, in: text)
    #expect(location.line == line)
    #expect(location.column == column)
  }
}
