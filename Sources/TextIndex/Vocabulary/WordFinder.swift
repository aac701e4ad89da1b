/// Finds words of an index in a transaction: the probable corrections of a word, and words with a prefix.
struct WordFinder {
  let dictionary: any TermSource
  /// Counts the exact frequencies; those of the dictionary are estimates.
  let counter: TermFrequencies
  /// Distinguishes words from stems.
  let surfaceForms: SurfaceForms

  /// - Throws: ``TextIndexError`` for an index that is damaged or cannot be read.
  init(_ reader: IndexReader) throws {
    dictionary = try reader.termSource()
    counter = TermFrequencies(reader)
    surfaceForms = SurfaceForms(dictionary, reader.index, counter)
  }

  /// Returns a finder for an index; nil if the words of the index cannot be listed.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  static func ofListable(_ reader: IndexReader) throws -> WordFinder? {
    do {
      return try WordFinder(reader)
    } catch let error as TextIndexError where error.isUnsupported {
      return nil
    }
  }
}
