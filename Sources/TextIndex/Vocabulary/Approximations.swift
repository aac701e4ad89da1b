import GRDB
import TextAnalysis

/// The similar words of the words of a query with `~`. Each word is looked up once, and at most ``maximumWordCount``
/// words, because a lookup searches the words of the index.
///
/// It belongs to one transaction.
final class Approximations {
  /// The maximum number of different words of a query that are corrected; later words are used as typed.
  static let maximumWordCount = 64
  /// Shorter words have no similar words.
  private static let shortestWord = 3
  /// The maximum number of similar words; others are too different to help.
  private static let maximumNeighbourCount = 50

  private let index: StoredFullTextIndex
  private let db: Database?
  private lazy var tokenizers = GroupTokenizers(index)
  private var finder: WordFinder?
  private var known: [String: [String]] = [:]
  /// Whether the query has more words than are looked up.
  private(set) var areLimited = false

  /// - Parameter db: a connection in a read transaction; without one no word is expanded.
  init(_ index: StoredFullTextIndex, _ db: Database?) {
    self.index = index
    self.db = db
  }

  /// Returns the words of the index that a word may be a misspelling of, including identifiers and numbers, because the
  /// user has marked the word. At least one edit is allowed from ``shortestWord`` letters on. Shorter words are not
  /// expanded, because one edit turns any of them into any other, and words of ``shortestWord`` letters keep their
  /// first letter.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged or cannot be read.
  func words(for typed: String) throws -> [String] {
    guard let db else { return [] }
    // Fields with different analyzers may fold a word differently.
    var forms: [String] = []
    for group in index.groups.indices {
      guard let form = tokenizers[group].queryTerms(typed, prefix: true).first?.forms.first else { continue }
      if !forms.contains(form) { forms.append(form) }
    }
    return try forms.flatMap { try words(forFolded: $0, db) }
  }

  private func words(forFolded folded: String, _ db: Database) throws -> [String] {
    if let words = known[folded] { return words }
    guard known.count < Approximations.maximumWordCount else {
      areLimited = true
      return []
    }
    let letterCount = folded.unicodeScalars.count
    guard letterCount >= Approximations.shortestWord else { return [] }
    let finder = try finder ?? WordFinder(index, db)
    self.finder = finder
    let words = try finder.words(
      for: folded, minimumEdits: 1, firstLetter: letterCount == Approximations.shortestWord ? .kept : .any,
      takingNames: true, limit: Approximations.maximumNeighbourCount)
    known[folded] = words
    return words
  }
}
