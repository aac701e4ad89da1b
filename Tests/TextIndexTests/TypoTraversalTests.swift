import Testing

@testable import TextIndex

/// Compares searches for misspelled words with the definition of the distance.
@Suite struct TypoTraversalTests {
  /// Alphabets in which few or all letters share bytes of their UTF-8 form.
  private static let alphabets: [[Unicode.Scalar]] = [
    ["a", "b"], ["a", "b", "c", "é", "語", "😀"], ["é", "è", "ë", "ж"], ["語", "誤", "a", "😀", "😁"],
  ]

  @Test(arguments: alphabets) func acceptedTermsAgreeWithDistance(alphabet: [Unicode.Scalar]) throws {
    var random = SeededGenerator(seed: UInt64(alphabet[0].value) << 8 | UInt64(alphabet.count))
    func word() -> [Unicode.Scalar] {
      (0..<Int.random(in: 1...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" }
    }
    let words = Set((0..<300).map { _ in word().text }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let list = TermList(words)
    var acceptedCount = 0
    for _ in 0..<40 {
      let (target, edits) = (word(), Int.random(in: 0...2, using: &random))
      let minimumLength = Bool.random(using: &random) ? 0 : target.count + Int.random(in: -1...3, using: &random)
      for firstLetter in [TypoSearch.FirstLetter.any, .keptByTwoEdits, .kept] {
        let search = try #require(
          TypoSearch(target, edits: edits, minimumLengthWithTwoEdits: minimumLength, firstLetter: firstLetter))
        let expected = words.filter {
          Self.accepts(Array($0.unicodeScalars), target, edits, minimumLength, firstLetter)
        }
        let description: Comment = "\(target.text), \(edits) edits, \(minimumLength), \(firstLetter)"
        #expect(list.matches(search).map { list.text($0.number) } == expected, description)
        #expect(Self.traverse(words, search, &random) == expected, description)
        for word in expected {
          let bytes = Array(word.utf8)
          #expect(bytes.indices.allSatisfy { search.canAccept(beginning: bytes[...$0]) }, description)
        }
        acceptedCount += expected.count
      }
    }
    #expect(acceptedCount > 300)
  }

  @Test func rejectedPrefixEndsWithCompleteLetter() throws {
    // "é" and "è" have the same first byte, so the term with "è" must not be skipped because of the one with "é".
    let search = try #require(TypoSearch(["è"], edits: 0, firstLetter: .any))
    var traversal = TypoTraversal(search)
    var rejected = 0
    #expect(!Self.accepts(&traversal, Array("é".utf8.prefix(1)), 0, &rejected) && rejected == .max)
    #expect(Self.accepts(&traversal, Array("è".utf8), 1, &rejected))
    #expect(!Self.accepts(&traversal, Array("é".utf8), 1, &rejected) && rejected == 2)
  }

  /// Returns whether a term is accepted, from the definition.
  private static func accepts(
    _ term: [Unicode.Scalar], _ target: [Unicode.Scalar], _ edits: Int, _ minimumLength: Int,
    _ firstLetter: TypoSearch.FirstLetter
  ) -> Bool {
    let distance = alignmentDistance(target, term)
    guard distance <= edits, distance < 2 || minimumLength <= target.count || term.count >= minimumLength else {
      return false
    }
    let isKept = term.first == target.first
    return switch firstLetter {
    case .any: true
    case .kept: isKept
    case .keptByTwoEdits: distance < 2 || isKept || target.count > 1 && term.starts(with: target.prefix(2).reversed())
    }
  }

  /// Passes words in byte order to a traversal as a reader of leaves does: words with a rejected prefix are left out,
  /// and the first word of a leaf shares nothing.
  private static func traverse(
    _ words: [String], _ search: TypoSearch, _ random: inout SeededGenerator
  ) -> [String] {
    var traversal = TypoTraversal(search)
    var (last, rejectedLength): ([UInt8], Int) = ([], .max)
    return words.filter { word in
      let bytes = Array(word.utf8)
      let isFirst = Int.random(in: 0..<20, using: &random) == 0
      let shared = isFirst ? 0 : zip(last, bytes).prefix { $0 == $1 }.count
      guard shared < rejectedLength else { return false }
      last = bytes
      return accepts(&traversal, bytes, shared, &rejectedLength)
    }
  }

  private static func accepts(
    _ traversal: inout TypoTraversal, _ term: [UInt8], _ sharedLength: Int, _ rejectedLength: inout Int
  ) -> Bool {
    term.withUnsafeBufferPointer {
      traversal.accepts($0, sharedLength: sharedLength, rejectedLength: &rejectedLength)
    }
  }
}
