import Testing

@testable import TextAnalysis

@Suite struct RobustnessTests {
  static let configurations = [
    AnalyzerConfiguration(), AnalyzerConfiguration(language: "en", code: true),
    AnalyzerConfiguration(language: "ru", accents: .keep),
  ]

  @Test(arguments: configurations) func anyBytesGiveWellFormedStream(_ configuration: AnalyzerConfiguration)
    throws
  {
    let analysis = try Analysis(configuration)
    let again = try Analysis(configuration)
    var generator = SeededGenerator(state: 11)
    for _ in 0..<3000 {
      let bytes = randomBytes(&generator)
      let stream = analysis.stream(bytes)
      checkStream(analysis.buffer, bytes)
      #expect(stream == again.stream(bytes))
    }
  }

  /// Returns pieces of valid characters of all kinds and lengths, with single bytes between them.
  private func randomBytes(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes.append(UInt8.random(in: 0...255, using: &generator))
      case 1: bytes.append(UInt8.random(in: 0x61...0x7A, using: &generator))
      case 2:
        bytes.append(
          contentsOf: "東京ｶﾞไทย😀é\u{301}".utf8.dropFirst(Int.random(in: 0..<20, using: &generator)).prefix(5))
      default:
        let scalar = Unicode.Scalar(UInt32.random(in: 0x80...0x2FFFF, using: &generator))
        bytes.append(contentsOf: scalar.map { Array(String($0).utf8) } ?? [])
      }
    }
    return bytes
  }

  private func checkStream(_ buffer: TokenBuffer, _ bytes: [UInt8]) {
    var expected = 0
    for (index, token) in buffer.tokens.enumerated() {
      if index > 0 {
        let border = token.isColocated ? TokenBuffer.colocation : TokenBuffer.separator
        #expect(buffer.stream[expected] == border)
        expected += 1
      }
      #expect(Int(token.termStart) == expected && token.termLength > 0)
      expected += Int(token.termLength)
      #expect(buffer.term(token).allSatisfy { $0 > 0x20 })
      #expect(token.start < token.end && Int(token.end) <= bytes.count)
    }
    #expect(expected == buffer.stream.count)
    // FTS5 counts the same: one more term at each separator.
    let separators = buffer.stream.count { $0 == TokenBuffer.separator }
    #expect(buffer.positionCount == (buffer.stream.isEmpty ? 0 : separators + 1))
    #expect(String(validating: buffer.stream, as: UTF8.self) != nil)
  }

  @Test func rangesAreCharacterBoundaries() throws {
    let analysis = try Analysis()
    let slices = try Analysis()
    var generator = SeededGenerator(state: 12)
    let scalars = Array("aZé\u{301}ßЖ한中東かｶﾞ\u{3099}ไทย😀👨\u{200D}👩नि9_.'’ -\u{202F}ﷺﬁ".unicodeScalars)
    for _ in 0..<3000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<20 { text.append(contentsOf: scalars.randomElement(using: &generator).map { [$0] } ?? []) }
      let bytes = Array(String(text).utf8)
      let terms = analysis.terms(bytes)
      for (token, term) in zip(analysis.buffer.tokens, terms) {
        let slice = Array(bytes[Int(token.start)..<Int(token.end)])
        guard let source = String(validating: slice, as: UTF8.self) else {
          Issue.record("\(token) cuts a character")
          continue
        }
        #expect(
          slices.terms(slice).contains(term) || slices.terms(slice).joined().contains(term), "\(source)")
      }
    }
  }

  @Test func bufferHoldsSeveralTexts() throws {
    let analysis = try Analysis()
    analysis.buffer.removeAll()
    for text in ["One two", "", "東京", "three"] {
      Array(text.utf8).withUnsafeBytes { analysis.tokenizer.tokenize($0, into: analysis.buffer) }
    }
    #expect(String(decoding: analysis.buffer.stream, as: UTF8.self) == "one two 東京 京 three")
    #expect(analysis.buffer.tokens.last?.start == 0)
  }

  /// Text before a line does not change the line's terms.
  @Test func splittingTextAtLineEndsKeepsTerms() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    let lines = ["Don't 3.14", "naïve café’s", "東京都 x", "ภาษาไทย abc ภาษา", "😀 ok", "a", "_", "\u{301}x"]
    var generator = SeededGenerator(state: 13)
    for _ in 0..<200 {
      let chosen = (0..<6).map { _ in lines.randomElement(using: &generator) ?? "" }
      let parts = chosen.map(analysis.stream).filter { !$0.isEmpty }.joined(separator: "|")
      #expect(analysis.stream(chosen.joined(separator: "\n")) == parts)
    }
  }

  @Test func longWordsAreSplitAtCharacterBoundaries() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    #expect(
      analysis.terms(Array(String(repeating: "a", count: 600).utf8)).map(\.utf8.count) == [255, 255, 90])
    #expect(analysis.terms(Array(String(repeating: "Ж", count: 200).utf8)).map(\.utf8.count) == [254, 146])
    #expect(analysis.terms(Array(String(repeating: "ﷺ", count: 80).utf8)).allSatisfy { $0.utf8.count <= 255 })
    #expect(analysis.terms(Array(("か" + String(repeating: "\u{3099}", count: 300)).utf8)).count == 1)
  }

  @Test func longThaiRegionsKeepAllTerms() throws {
    let analysis = try Analysis()
    let word = "ภาษาไทย"
    _ = analysis.stream(String(repeating: word, count: 4000))
    #expect(analysis.buffer.tokens.count == 8000)
  }

  @Test func wordCacheOverflowKeepsTermsCorrect() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    for number in 0..<60_000 {
      var word = "é"
      for digit in String(number) {
        word.append(Character(Unicode.Scalar(digit.asciiValue.map { $0 + 49 } ?? 0)))
      }
      #expect(analysis.stream(word + "ing").hasPrefix("e" + word.dropFirst()))
    }
  }

  @Test func versionListsItsParts() {
    #expect(Analyzer.version.wholeMatch(of: #/5;icu=[\d.]+;unicode=[\d.]+;snowball=\d+-[0-9a-f]+/#) != nil)
  }
}
