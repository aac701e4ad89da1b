import Concordance
import Foundation
import Testing

/// The public line search: requests, queries and public errors. Tests/LineSearchTests tests how lines are found.
struct LineSearcherTests {
  @Test func requestHasThePropertiesOfItsLineQuery() throws {
    var request = PatternSearchRequest("b")
    request.linesAfter = 1
    request.letterCase = PatternSearchRequest.LetterCase.insensitive
    #expect(request.lines.linesAfter == 1 && request.lines.letterCase == .insensitive)
    #expect(PatternSearchRequest("a\nb").patternRequiringLineBreak == "a\nb")
    for searcher in [try LineSearcher(request), try LineSearcher(request.lines)] {
      try Array("a\nB\nc\nd\n".utf8).withUnsafeBytes { bytes in
        var lines: [String] = []
        try searcher.forEachLine(of: bytes) { line in
          let replaced = try searcher.replacing(in: line, of: bytes, with: LineReplacement("<$0>"))
          #expect(try searcher.matches(in: line, of: bytes).count == (line.kind == .match ? 1 : 0))
          lines.append("\(line.number ?? 0)" + String(decoding: replaced.bytes, as: UTF8.self))
          return true
        }
        #expect(lines == ["2<B>\n", "3c\n"])
      }
    }
  }

  @Test(arguments: ["a\nb", "a(", "a)|(b"]) func invalidPatternsAreInvalidQueries(pattern: String) throws {
    expectError(CBLError.invalidQuery) { _ = try LineSearcher(PatternSearchRequest(pattern)) }
  }

  @Test func matchThatTakesTooLongIsAPublicError() throws {
    var query = LineQuery("(?=a)(a+)+$")
    query.timeLimit = .milliseconds(20)
    let searcher = try LineSearcher(query)
    let text = Array((String(repeating: "a", count: 40) + "b\n").utf8)
    let error = #expect(throws: CBLError.self) {
      try text.withUnsafeBytes { try searcher.forEachLine(of: $0) { _ in true } }
    }
    #expect(error?.code == CBLError.timeout)
  }

  /// Regression test: memory after the text was read.
  @Test func aLineOfALongerTextIsAnError() throws {
    let searcher = try LineSearcher(LineQuery("b"))
    var lines: [SearchedLine] = []
    try Array("a\nbbb\n".utf8).withUnsafeBytes { text in
      try searcher.forEachLine(of: text) { line in
        lines.append(line)
        return true
      }
    }
    let line = try #require(lines.first)
    Array("b\n".utf8).withUnsafeBytes { text in
      expectError(CBLError.invalidParameter) { _ = try searcher.matches(in: line, of: text) }
      expectError(CBLError.invalidParameter) {
        _ = try searcher.replacing(in: line, of: text, with: LineReplacement("c"))
      }
    }
  }
}
