import GRDB
import TextAnalysis

/// Tells words that stand in texts from mere stems.
///
/// An index holds a word and its stem side by side, under one name. So a term is a word only where it stands more often than
/// all other words together whose stem it is: each of these brings it along once. Where fields are analysed in different ways, it
/// is a word where it is one in the fields of one way.
final class SurfaceForms {
  private let dictionary: TermDictionary
  private let counter: TermFrequencies
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()

  init(_ dictionary: TermDictionary, _ index: InvertedIndex, _ counter: TermFrequencies) {
    self.dictionary = dictionary
    self.counter = counter
    tokenizers = GroupTokenizers(index)
  }

  /// Whether a term stands as a word in any text. Where only FTS5 can count, every term passes for a word.
  ///
  /// - Parameter columns: where it must; nil for anywhere. Only which analyzers count depends on them.
  func contains(_ term: [UInt8], in columns: [Int]? = nil) throws -> Bool {
    try tokenizers.numbers(withColumnsIn: columns).contains { try contains(term, inGroup: $0) }
  }

  private func contains(_ term: [UInt8], inGroup number: Int) throws -> Bool {
    let group = tokenizers.groups[number]
    // Without others there is no need to ask which columns a term is of.
    let columns = tokenizers.groups.count > 1 ? group.columns : nil
    let derived = try group.hasStems ? derivedWords(term, tokenizers[number]) : []
    if derived.isEmpty, columns == nil { return true }
    guard var occurrences = try self.occurrences(term, columns) else { return true }
    for word in derived where occurrences > 0 { occurrences -= try self.occurrences(word, columns) ?? 0 }
    return occurrences > 0
  }

  private func occurrences(_ term: [UInt8], _ columns: [Int]?) throws -> Int? {
    try counter.occurrences(String(decoding: term, as: UTF8.self), columns: columns)
  }

  /// The other terms whose stem is a term. They are sought among those that share its beginning, which all but a few words of
  /// languages with prefixes or changing vowels do.
  private func derivedWords(_ stem: [UInt8], _ tokenizer: Tokenizer) throws -> [[UInt8]] {
    let letters = Array(String(decoding: stem, as: UTF8.self).unicodeScalars)
    let kept = letters.count > 4 ? letters.count - 2 : min(letters.count, max(2, letters.count - 1))
    let beginning = Array(String(String.UnicodeScalarView(letters.prefix(kept))).utf8)
    let terms = try dictionary.terms(beginningWith: beginning)
    var derived: [[UInt8]] = []
    for number in terms.numbers(beginningWith: beginning) {
      let word = terms.bytes[terms.range(number)]
      guard !word.elementsEqual(stem), hasStem(word, stem, tokenizer) else { continue }
      derived.append(Array(word))
    }
    return derived
  }

  private func hasStem(_ word: ArraySlice<UInt8>, _ stem: [UInt8], _ tokenizer: Tokenizer) -> Bool {
    buffer.removeAll()
    word.withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
    return buffer.tokens.contains { $0.isColocated && buffer.term($0).elementsEqual(stem) }
  }
}
