import DocumentStore
import TextIndex

/// A completion of a query; see ``Collection/suggestions(for:field:index:limit:)``.
public struct SearchSuggestion: Hashable, Sendable {
  /// The whole query, with its last word completed.
  public let text: String
  /// The word that completes the query, as it is stored in the index: in lower case, and without accents if the index
  /// folds them.
  public let word: String
  /// The number of documents that contain this exact word, not only another form of it, and all words before it.
  public let documentCount: Int
}

/// A term of a full-text index; see ``Collection/terms(beginningWith:index:order:limit:)``.
public struct SearchTerm: Hashable, Sendable {
  /// The order of terms.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// By document frequency, highest first.
    case frequency
    /// By the bytes of the terms.
    case term
  }

  /// The term, as it is stored in the index: folded, and possibly a stem if the index has a language.
  public let text: String
  /// The number of documents that contain the term.
  public let documentFrequency: Int
  /// The number of occurrences in all documents; nil if the version of FTS5 in SQLite is unknown, so that they cannot
  /// be counted.
  public let occurrences: Int?
}

extension Collection {
  /// Completes the last word of a query while it is typed into a search box.
  ///
  /// ```swift
  /// try pages.suggestions(for: "memory bar").map(\.text)   // ["memory barrier", "memory bar"]
  /// ```
  ///
  /// Suggestions are words of documents, never stems, sorted by document frequency. If there are words before the last
  /// one, only documents that contain all of them are counted, unless there are no such documents. If no word begins
  /// with the last word, similar words are suggested. After a space, there is nothing to complete.
  ///
  /// - Parameters:
  ///   - query: the text typed so far, in the query language of the search box.
  ///   - field: the field whose words are suggested; nil for all fields.
  ///   - index: the name of the index; nil as in ``SearchRequest/index``.
  ///   - limit: the maximum number of suggestions.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/missingIndex`` if there is no such index.
  ///   - ``CBLError/invalidQuery`` for an unknown field.
  ///   - ``CBLError/invalidParameter`` for a negative limit.
  /// - Complexity: O(v) in the number of words with this prefix. The first call after a change to the index reads all
  ///   its words.
  public func suggestions(
    for query: String, field: String? = nil, index: String? = nil, limit: Int = 10
  ) throws -> [SearchSuggestion] {
    try readingWords(of: index, limit: limit) { reader in
      try reader.completions(of: query, fields: field.map { [$0] }, limit: limit).map {
        SearchSuggestion(text: $0.text, word: $0.word, documentCount: $0.documentCount)
      }
    }
  }

  /// Returns the terms of a full-text index: words, or stems if the index has a language.
  ///
  /// ```swift
  /// for term in try pages.terms(beginningWith: "mem", limit: 20) { print(term.text, term.documentFrequency) }
  /// ```
  ///
  /// - Parameters:
  ///   - beginning: a prefix of the terms, in any letter case, and with or without accents if the index folds them; ""
  ///     for all terms. A `*` at the end is ignored.
  ///   - index: the name of the index; nil as in ``SearchRequest/index``.
  ///   - order: the order of the terms.
  ///   - limit: the maximum number of terms; nil for all.
  /// - Throws: the same errors as ``suggestions(for:field:index:limit:)``.
  /// - Complexity: O(v) in the number of terms of the index, and one lookup for each returned term.
  public func terms(
    beginningWith beginning: String = "", index: String? = nil, order: SearchTerm.Order = .frequency, limit: Int? = nil
  ) throws -> [SearchTerm] {
    try readingWords(of: index, limit: limit ?? 0) { reader in
      try reader.terms(
        beginningWith: beginning, order: order == .frequency ? .frequency : .term, limit: limit
      )
      .map { SearchTerm(text: $0.text, documentFrequency: $0.documentFrequency, occurrences: $0.occurrences) }
    }
  }

  private func readingWords<T>(
    of index: String?, limit: Int, _ body: (IndexReader) throws -> T
  ) throws -> T {
    try withPublicErrors {
      guard limit >= 0 else { throw CBLError(CBLError.invalidParameter, "a limit must not be negative") }
      return try engine.store.readIndexes { db in try body(fullTextIndex(named: index, db).reader(db)) }
    }
  }
}
