import JSONText
import QueryCompiler
import TestSupport
import Testing

/// Tests of decoding JSON strings.
struct JSONStringTests {
  private static let pieces = [
    "a", "é", "日本", "\\n", "\\t", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\u00e9", "\\u0000", "\\ud83d\\ude00",
    "plain text ",
    "\\u000a",
  ]

  private func decoded(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBytes { bytes in
      guard let slice = JSONSlice(bytes) else { return nil }
      return Array(unsafeUninitializedCapacity: slice.text.count + 1) { buffer, count in
        guard let base = buffer.baseAddress else { return }
        // The byte after the required capacity must not be overwritten.
        base[slice.text.count] = 0xEE
        count = slice.decodeString(into: base)
        #expect(base[slice.text.count] == 0xEE)
      }
    }
  }

  @Test(arguments: 0..<4) func decodedStringsEqualThoseOfParser(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parser = try JSONParser()
    for _ in 0..<2000 {
      // Some strings exceed 200 bytes, because longer strings are decoded in blocks.
      let text = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        JSONStringTests.pieces.randomElement(using: &random) ?? ""
      }.joined()
      let json = Array("\"\(text)\"".utf8)
      let expected = try json.withUnsafeBytes { try parser.parse($0).stringBytes.map { Array($0) } }
      #expect(decoded(json) == expected, "\(text)")
    }
  }

  @Test func damagedEscapesStayWithinBuffer() {
    for escape in ["\\", "\\u", "\\u1", "\\u12", "\\u123", "\\ud83d\\u", "\\ud83d\\ude0", "\\uzzzz", "\\x"] {
      for length in [0..<20, 100..<130, 180..<260].joined() {
        let text = String(repeating: "a", count: length)
        // No closing quote: the text ends in the escape.
        let result = decoded(Array("\"\(text)\(escape)".utf8))
        #expect(result?.starts(with: text.utf8) == true)
        #expect(result.flatMap { String(validating: $0, as: UTF8.self) } != nil || escape.hasPrefix("\\u"))
      }
    }
  }
}
