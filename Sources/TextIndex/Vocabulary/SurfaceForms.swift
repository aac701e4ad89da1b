import GRDB
import TextAnalysis

/// Tells words that stand in texts from mere stems.
///
/// An index holds a word and its stem side by side, under one name. So a term is a word only where it stands more often than
/// all other words together whose stem it is: each of these brings it along once.
final class SurfaceForms {
  private let vocabulary: Vocabulary
  private let counter: TermFrequencies
  private let tokenizer: Tokenizer
  private let index: InvertedIndex
  private let buffer = TokenBuffer()
  private let hasStems: Bool

  init(_ vocabulary: Vocabulary, _ index: InvertedIndex, _ counter: TermFrequencies) {
    self.vocabulary = vocabulary
    self.index = index
    self.counter = counter
    tokenizer = index.analyzer.takeTokenizer()
    hasStems = index.analyzer.configuration.language != nil
  }

  deinit { index.analyzer.giveBack(tokenizer) }

  /// Whether a term stands as a word in any text. Where only FTS5 can count, every term passes for a word.
  func contains(_ term: [UInt8]) throws -> Bool {
    guard hasStems else { return true }
    let derived = derivedWords(term)
    guard !derived.isEmpty, var occurrences = try self.occurrences(term) else { return true }
    for word in derived {
      occurrences -= try self.occurrences(word) ?? 0
      if occurrences <= 0 { return false }
    }
    return true
  }

  private func occurrences(_ term: [UInt8]) throws -> Int? {
    try counter.occurrences(String(decoding: term, as: UTF8.self))
  }

  /// The other terms whose stem is a term. They are sought among those that share its beginning, which all but a few words of
  /// languages with prefixes or changing vowels do.
  private func derivedWords(_ stem: [UInt8]) -> [[UInt8]] {
    let letters = Array(String(decoding: stem, as: UTF8.self).unicodeScalars)
    let kept = letters.count > 4 ? letters.count - 2 : min(letters.count, max(2, letters.count - 1))
    let beginning = Array(String(String.UnicodeScalarView(letters.prefix(kept))).utf8)
    let terms = vocabulary.terms
    var derived: [[UInt8]] = []
    for number in terms.numbers(beginningWith: beginning) {
      let word = terms.bytes[terms.range(number)]
      guard !word.elementsEqual(stem), hasStem(word, stem) else { continue }
      derived.append(Array(word))
    }
    return derived
  }

  private func hasStem(_ word: ArraySlice<UInt8>, _ stem: [UInt8]) -> Bool {
    buffer.removeAll()
    word.withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
    return buffer.tokens.contains { $0.isColocated && buffer.term($0).elementsEqual(stem) }
  }
}
