import DocumentStore
import TextAnalysis

/// Distinguishes words that occur in documents from terms that are only stems.
///
/// An index contains a word and its stem at the same position and does not distinguish them. Each occurrence of a word
/// adds its stem once, so a term is a word only if it is more frequent than all other words with this stem together. If
/// fields have different analyzers, a term is a word if it is one in the fields of any analyzer.
final class SurfaceForms {
  private let dictionary: any TermSource
  private let counter: TermFrequencies
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()
  /// The words by stem, for each group of columns and each requested prefix. Many candidates share a prefix.
  private var stemmed: [[[UInt8]: [[UInt8]: [[UInt8]]]]]

  init(_ dictionary: any TermSource, _ index: StoredFullTextIndex, _ counter: TermFrequencies) {
    self.dictionary = dictionary
    self.counter = counter
    tokenizers = GroupTokenizers(index)
    stemmed = tokenizers.groups.map { _ in [:] }
  }

  /// Returns whether a term occurs as a word in any document. If only FTS5 can read the index, every term is considered
  /// a word.
  ///
  /// - Parameter columns: the columns that must contain it; nil for any. They only determine which analyzers are used.
  /// - Complexity: in fields with a language, O(v) in the number of terms that share its first letters, each of which
  ///   is stemmed once for all requested terms; then O(m) in the number of documents with the words of this stem.
  func contains(_ term: [UInt8], in columns: [Int]? = nil) throws -> Bool {
    try tokenizers.numbers(withColumnsIn: columns).contains { try contains(term, inGroup: $0) }
  }

  private func contains(_ term: [UInt8], inGroup number: Int) throws -> Bool {
    let group = tokenizers.groups[number]
    // With a single group, the columns need not be restricted.
    let columns = tokenizers.groups.count > 1 ? group.columns : nil
    let derived = try group.hasStems ? derivedWords(term, inGroup: number) : []
    if derived.isEmpty, columns == nil { return true }
    guard var occurrences = try self.occurrences(term, columns) else { return true }
    for word in derived where occurrences > 0 { occurrences -= try self.occurrences(word, columns) ?? 0 }
    return occurrences > 0
  }

  private func occurrences(_ term: [UInt8], _ columns: [Int]?) throws -> Int? {
    try counter.occurrences(String(decoding: term, as: UTF8.self), columns: columns)
  }

  /// Returns the other terms whose stem is a term. Only terms with the same first letters are examined, which misses a
  /// few words of languages with prefixes or changing vowels.
  private func derivedWords(_ stem: [UInt8], inGroup number: Int) throws -> [[UInt8]] {
    let letters = Array(String(decoding: stem, as: UTF8.self).unicodeScalars)
    let kept = letters.count > 4 ? letters.count - 2 : min(letters.count, max(2, letters.count - 1))
    let beginning = Array(String(String.UnicodeScalarView(letters.prefix(kept))).utf8)
    let words = try wordsByStem(beginningWith: beginning, inGroup: number)[stem] ?? []
    return words.filter { $0.starts(with: beginning) }
  }

  /// Returns words by their stems, including all those with a prefix.
  private func wordsByStem(beginningWith beginning: [UInt8], inGroup number: Int) throws -> [[UInt8]: [[UInt8]]] {
    for length in 0...beginning.count {
      if let known = stemmed[number][Array(beginning.prefix(length))] { return known }
    }
    var words: [[UInt8]: [[UInt8]]] = [:]
    let terms = try dictionary.terms(beginningWith: beginning)
    var call = LongCall()
    for term in terms.numbers(beginningWith: beginning) {
      // Stemming a word takes about as long as 16 short steps.
      try call.step(16)
      let word = Array(terms.bytes[terms.range(term)])
      let tokenizer = tokenizers[number]
      let stems = ([tokenizer] + tokenizer.queryTokenizers).reduce(into: Set()) {
        $0.formUnion(self.stems(of: word, $1))
      }
      for stem in stems { words[stem, default: []].append(word) }
    }
    stemmed[number][beginning] = words
    return words
  }

  /// Returns the other terms at the position of a word.
  private func stems(of word: [UInt8], _ tokenizer: Tokenizer) -> Set<[UInt8]> {
    buffer.removeAll()
    word.withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
    var stems: Set<[UInt8]> = []
    for token in buffer.tokens where token.isColocated {
      let stem = buffer.term(token)
      if !stem.elementsEqual(word) { stems.insert(Array(stem)) }
    }
    return stems
  }
}
