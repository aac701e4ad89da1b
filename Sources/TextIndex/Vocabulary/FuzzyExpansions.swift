import TextAnalysis

/// The words that are similar to a query's words with `~`. Each word is looked up once, and at most
/// ``maximumWordCount`` words are looked up, because a lookup searches the words of the index.
///
/// It belongs to one transaction.
final class FuzzyExpansions {
  /// The maximum number of different words of a query that are looked up. The remaining ones match exactly.
  static let maximumWordCount = 64
  /// The minimum number of letters of a word that is expanded.
  private static let shortestWord = 3
  /// The maximum number of similar words; others are too different to be useful.
  private static let maximumNeighborCount = 50

  private let index: StoredFullTextIndex
  /// The reader of the index; nil if no word is expanded.
  private let reader: IndexReader?
  private lazy var tokenizers = GroupTokenizers(index)
  private var finder: WordFinder?
  private var known: [String: [String]] = [:]
  /// Whether the query has more words than are looked up.
  private(set) var isTruncated = false

  /// Creates expansions without similar words.
  init(_ index: StoredFullTextIndex) {
    self.index = index
    reader = nil
  }

  /// Creates expansions with the similar words of the index.
  init(_ reader: IndexReader) {
    index = reader.index
    self.reader = reader
  }

  /// Returns the words in the index that a word may be a misspelling of, including identifiers and numbers, because the
  /// user has marked the word. At least one edit is allowed in words of ``shortestWord`` or more letters. Shorter words
  /// are not expanded, because one edit turns them into too many other words, and words of ``shortestWord`` letters
  /// keep their first letter.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged or cannot be read.
  func words(for typed: String) throws -> [String] {
    guard let reader else { return [] }
    // Fields with different analyzers may fold a word differently.
    var forms: [String] = []
    for group in index.groups.indices {
      guard let form = tokenizers[group].queryTerms(typed, prefix: true).first?.forms.first else { continue }
      if !forms.contains(form) { forms.append(form) }
    }
    return try forms.flatMap { try words(forFolded: $0, reader) }
  }

  private func words(forFolded folded: String, _ reader: IndexReader) throws -> [String] {
    if let words = known[folded] { return words }
    guard known.count < FuzzyExpansions.maximumWordCount else {
      isTruncated = true
      return []
    }
    let letterCount = folded.unicodeScalars.count
    guard letterCount >= FuzzyExpansions.shortestWord else { return [] }
    let finder = try finder ?? WordFinder(reader)
    self.finder = finder
    let words = try finder.words(
      for: folded, minimumEdits: 1, firstLetter: letterCount == FuzzyExpansions.shortestWord ? .kept : .any,
      includingNames: true, limit: FuzzyExpansions.maximumNeighborCount)
    known[folded] = words
    return words
  }
}
