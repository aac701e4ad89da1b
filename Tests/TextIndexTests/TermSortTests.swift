import Testing

@testable import TextIndex

@Suite struct TermSortTests {
  private struct Key {
    let beginning: UInt64
    let number: UInt32
  }

  @Test(arguments: [0, 1, 2, 300, 10_000]) func keysAreSortedStably(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    // Few different high bits and low bits, so that digits and whole keys repeat.
    var keys = (0..<count).map { number in
      let (high, low) = (UInt64.random(in: 0..<50, using: &random), UInt64.random(in: 0..<20, using: &random))
      return Key(beginning: high << 57 | low << 13, number: UInt32(number))
    }
    let expected = keys.sorted { ($0.beginning, $0.number) < ($1.beginning, $1.number) }
    keys.withUnsafeMutableBufferPointer { RadixSort.sort($0, bits: 0..<UInt64.bitWidth) { $0.beginning } }
    #expect(keys.map(\.beginning) == expected.map(\.beginning))
    #expect(keys.map(\.number) == expected.map(\.number))
  }

  @Test func termsWithTheSameBeginningAreInByteOrder() {
    var random = SeededGenerator(seed: 5)
    let letters = Array("abé\u{0}".utf8)
    let terms = Set(
      (0..<2000).map { _ in
        Array("prefix".utf8)
          + (0..<Int.random(in: 0...8, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
      })
    let postings = PostingsHash(.full)
    for term in terms { term.withUnsafeBytes { postings.add($0, row: 1, column: 0, position: 0) } }
    var found: [[UInt8]] = []
    postings.forEachEntry { found.append(Array(UnsafeBufferPointer(start: $0.term, count: Int($0.termLength)))) }
    #expect(found == terms.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// Compares with a search byte by byte, at all distances from the end of the stream.
  @Test func endsOfTermsAreFound() {
    var random = SeededGenerator(seed: 6)
    let bytes: [UInt8] = [0x1F, 0x20, 0x1E, 0x21, 0x61, 0x9F, 0xA0, 0xFF, 0x00]
    for _ in 0..<2000 {
      let stream = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        Int.random(in: 0..<4, using: &random) == 0 ? bytes.randomElement(using: &random) ?? 0 : 0x61
      }
      stream.withUnsafeBytes { stream in
        for start in 0...stream.count {
          let expected = stream[start...].firstIndex { $0 == 0x1F || $0 == 0x20 } ?? stream.count
          #expect(TermStream.termEnd(in: stream, from: start) == expected)
        }
      }
    }
  }
}
