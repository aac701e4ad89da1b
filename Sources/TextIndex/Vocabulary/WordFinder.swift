import GRDB
import SQLiteAccess

/// Finds words of an index in a transaction: the probable corrections of a word, and words with a prefix.
struct WordFinder {
  let dictionary: TermDictionary
  /// Counts exactly what the dictionary estimates.
  let counter: TermFrequencies
  /// Distinguishes words from stems.
  let surfaceForms: SurfaceForms

  /// - Throws: ``TextIndexError`` for an index that is damaged or cannot be read.
  init(_ index: StoredFullTextIndex, _ db: Database) throws {
    dictionary = try TermDictionary(index, db)
    counter = try TermFrequencies(index, db)
    surfaceForms = SurfaceForms(dictionary, index, counter)
  }

  /// Returns the finder of an index; nil if the words of the index cannot be listed.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  static func ofListable(_ index: StoredFullTextIndex, _ db: Database) throws -> WordFinder? {
    do {
      return try WordFinder(index, db)
    } catch let error as TextIndexError where error.kind == .unsupported {
      return nil
    }
  }
}
