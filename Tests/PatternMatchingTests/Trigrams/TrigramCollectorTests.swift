import PatternMatching
import TestSupport
import Testing

@Suite struct TrigramCollectorTests {
  private func trigrams(_ texts: [[UInt8]], with collector: TrigramCollector = TrigramCollector()) -> [[UInt8]] {
    for text in texts { text.withUnsafeBytes { collector.add($0) } }
    defer { collector.removeAll() }
    return collector.withTrigrams { $0.map(\.bytes) }
  }

  private func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test func trigramsAreDistinctOrderedAndFolded() {
    #expect(trigrams(bytes("ABcabc")) == bytes("abc", "bca", "cab"))
    #expect(trigrams(bytes("ÉA")) == [[0xC3, 0x89, 0x61]])
  }

  @Test(arguments: ["", "a", "ab"]) func shortTextsHaveNoTrigrams(text: String) {
    #expect(trigrams(bytes(text)) == [])
  }

  @Test func trigramsDoNotCrossTexts() {
    #expect(trigrams(bytes("abc", "def")) == bytes("abc", "def"))
  }

  @Test func trigramsWithLineEndsOrNULAreOmitted() {
    #expect(trigrams(bytes("abc\ndef\r\nghi\0jkl")) == bytes("abc", "def", "ghi", "jkl"))
  }

  @Test func invalidUTF8HasTrigrams() {
    #expect(trigrams([[0xFF, 0xC3, 0x41]]) == [[0xFF, 0xC3, 0x61]])
  }

  @Test func collectorIsReusable() {
    let collector = TrigramCollector()
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let length = Int.random(in: 0...400, using: &generator)
      let texts = (0..<3).map { _ in (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) & 0x5F } }
      var expected: [[UInt8]] = []
      for text in texts where text.count >= 3 {
        for index in 2..<text.count {
          let trigram = text[(index - 2)...index].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
          if trigram.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) || expected.contains(trigram) { continue }
          expected.append(trigram)
        }
      }
      #expect(trigrams(texts, with: collector) == expected, "seed \(seed)")
    }
  }

  /// More trigrams than the initial capacity of the collector, and all possible trigrams.
  @Test func everyTrigramFits() {
    let collector = TrigramCollector()
    var text: [UInt8] = []
    for high in UInt8.min...255 {
      for low in UInt8.min...255 { text += [high, low, high ^ 0x80, low ^ 0x55] }
    }
    let found = trigrams([text], with: collector)
    #expect(found.count > 1 << 16)
    #expect(Set(found).count == found.count)
    #expect(trigrams(bytes("abc"), with: collector) == bytes("abc"))
  }
}
