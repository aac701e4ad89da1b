import Testing

@testable import TextAnalysis

/// The parts of a text that are tokenized, compared with the tokens of the whole text.
@Suite struct TermRegionsTests {
  /// A token with its position, counted from the start of the text or of the part.
  private struct Found: Hashable {
    var term: [UInt8]
    var range: Range<Int>
    var position: Int
  }

  private func tokens(of text: [UInt8], _ range: Range<Int>, _ tokenizer: Tokenizer) -> [Found] {
    let buffer = TokenBuffer()
    var position = -1
    return text[range].withUnsafeBytes { part in
      tokenizer.tokenize(part, into: buffer)
      return buffer.tokens.map { token in
        position += token.isColocated ? 0 : 1
        return Found(
          term: Array(buffer.term(token)),
          range: range.lowerBound + Int(token.start)..<range.lowerBound + Int(token.end), position: position)
      }
    }
  }

  private func randomText(_ random: inout SeededGenerator) -> [UInt8] {
    let alphabet = Array("aabbcABC_'.,;12  (\n-".utf8)
    var text = (0..<Int.random(in: 0...300, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0x20 }
    if Int.random(in: 0..<5, using: &random) == 0 {
      let word = (0..<700).map { _ in Array("abc1".utf8).randomElement(using: &random) ?? 0x61 }
      text.insert(contentsOf: word, at: Int.random(in: 0...text.count, using: &random))
    }
    return text
  }

  @Test(arguments: [false, true]) func partsContainEveryTermAndTheWordsAfterIt(code: Bool) throws {
    let tokenizer = try Analyzer(AnalyzerConfiguration(code: code)).makeTokenizer()
    var random = SeededGenerator(state: code ? 21 : 22)
    var partCount = 0
    for round in 0..<4000 {
      let text = randomText(&random)
      let words = Int.random(in: 0...3, using: &random)
      let terms = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
          Array("abc_1'".utf8).randomElement(using: &random) ?? 0x61
        }
      }
      let regions = try #require(TermRegions(of: terms, followingWords: words))
      guard let ranges = text.withUnsafeBytes({ regions.ranges(in: $0, for: tokenizer) }) else { continue }
      partCount += ranges.count
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "round \(round)")
      let whole = tokens(of: text, 0..<text.count, tokenizer)
      let parts = ranges.map { tokens(of: text, $0, tokenizer) }
      for found in whole where terms.contains(where: { found.term.starts(with: $0) }) {
        guard let part = parts.first(where: { $0.contains { $0.range == found.range && $0.term == found.term } }),
          let same = part.first(where: { $0.range == found.range && $0.term == found.term })
        else {
          Issue.record("round \(round): \(String(decoding: text, as: UTF8.self)) lacks \(found)")
          continue
        }
        for offset in 0...words {
          func following(_ tokens: [Found], _ position: Int) -> [Found] {
            tokens.filter { $0.position == position + offset }.map {
              Found(term: $0.term, range: $0.range, position: 0)
            }
          }
          #expect(following(part, same.position) == following(whole, found.position), "round \(round)")
        }
      }
    }
    #expect(partCount > 1000)
  }

  @Test func runWithoutSpacesIsOnePart() throws {
    let tokenizer = try Analyzer(AnalyzerConfiguration()).makeTokenizer()
    let run = String(repeating: "1,", count: 2000)
    for term in ["1", "11", "1,1"] {
      let regions = try #require(TermRegions(of: [Array(term.utf8), Array("x".utf8)], followingWords: 0))
      let text = Array("lock x, \(run)1 lock, \(run)2".utf8)
      let ranges = text.withUnsafeBytes { regions.ranges(in: $0, for: tokenizer) }
      let numbers: [Range<Int>] = term == "11" ? [] : [8..<4009, 4016..<8017]
      #expect(ranges == [5..<7] + numbers, "\(term)")
    }
  }

  @Test func someTextsAreReadAsAWhole() throws {
    let plain = try Analyzer(AnalyzerConfiguration()).makeTokenizer()
    let stemming = try Analyzer(AnalyzerConfiguration(language: "en")).makeTokenizer()
    let regions = try #require(TermRegions(of: [Array("lock".utf8), Array("é".utf8)], followingWords: 0))
    func ranges(_ text: String, _ tokenizer: Tokenizer) -> [Range<Int>]? {
      Array(text.utf8).withUnsafeBytes { regions.ranges(in: $0, for: tokenizer) }
    }
    #expect(ranges("a (Lock) here, unlock", plain) == [3..<7])
    #expect(ranges("a (Lock) here, unlock", stemming) == nil)
    #expect(ranges("a lock of Zoé", plain) == nil)
    #expect(ranges("a (Lock) here, \u{1B}[31munlock", plain) == nil)
    #expect(ranges("a (Lock) here \u{1B}", plain) == nil)
    #expect(ranges("\u{1A}\u{1C}\u{1D} \u{1A}\u{1C} (Lock) here", plain) == [8..<12])
    #expect(ranges(String(repeating: "lock ", count: 100), plain) == nil)
    #expect(TermRegions(of: (0..<20).map { Array("w\($0)".utf8) }, followingWords: 0) == nil)
  }
}
