import GRDB
import SQLiteAccess

/// Finds words of an index, in a transaction: those that may have been meant by a misspelt one, and those with a
/// beginning.
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

  /// The finder of an index; nil where the words of the index cannot be listed.
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
