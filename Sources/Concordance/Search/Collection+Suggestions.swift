import DocumentStore
import GRDB
import TextIndex

/// A query with its last word completed, see ``Collection/suggestions(for:field:index:limit:)``.
public struct SearchSuggestion: Hashable, Sendable {
  /// The whole query.
  public let text: String
  /// The word that the last one became, as it stands in the index: in small letters, and without accents where the index
  /// folds them.
  public let word: String
  /// The number of documents with this word itself, not only another form of it, and with the words before it.
  public let documentCount: Int
}

/// A term of a full-text index, see ``Collection/terms(beginningWith:index:order:limit:)``.
public struct SearchTerm: Hashable, Sendable {
  /// The orders that terms are listed in.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// The terms of the most documents first.
    case frequency
    /// By the bytes of the terms.
    case term
  }

  /// The term, as it stands in the index: folded, and in an index with a language possibly a stem.
  public let text: String
  /// The number of documents that it stands in.
  public let documentFrequency: Int
  /// How often it stands in all documents together; nil where the version of FTS5 is not known and it cannot be counted.
  public let occurrences: Int?
}

extension Collection {
  /// Completes the last word of what somebody is typing into a search box.
  ///
  /// ```swift
  /// try pages.suggestions(for: "memory bar").map(\.text)   // ["memory barrier", "memory bar"]
  /// ```
  ///
  /// The suggestions are words that stand in documents, never stems, those of the most documents first. Where there are words
  /// before the last one, only documents with all of them count, if there are any. Where nothing begins like the last word, it
  /// is taken for a typing error. Behind a space there is nothing to complete.
  ///
  /// - Parameters:
  ///   - query: what was typed so far, in the language of the search box.
  ///   - field: the field that words are taken from; nil for all.
  ///   - index: the index; nil for the only full-text index of the collection.
  ///   - limit: how many at most.
  /// - Throws: ``CBLError``: ``CBLError/missingIndex`` where there is no such index, ``CBLError/invalidQuery`` for an unknown
  ///   field, ``CBLError/invalidParameter`` for a limit below 0.
  /// - Complexity: O(v) in the number of words with this beginning. The first time after a change of the index all its words
  ///   are read.
  public func suggestions(
    for query: String, field: String? = nil, index: String? = nil, limit: Int = 10
  ) throws -> [SearchSuggestion] {
    try readingWords(of: index, limit: limit) { index, db in
      try index.completions(of: query, fields: field.map { [$0] }, limit: limit, db).map {
        SearchSuggestion(text: $0.text, word: $0.word, documentCount: $0.documentCount)
      }
    }
  }

  /// The terms of a full-text index: words, and in an index with a language their stems.
  ///
  /// ```swift
  /// for term in try pages.terms(beginningWith: "mem", limit: 20) { print(term.text, term.documentFrequency) }
  /// ```
  ///
  /// - Parameters:
  ///   - beginning: what they begin with, in either case, and with accents or without where the index folds them; "" for all. A `*`
  ///     at its end says the same.
  ///   - index: the index; nil for the only full-text index of the collection.
  ///   - order: the order that they come in.
  ///   - limit: how many at most; nil for all.
  /// - Throws: ``CBLError`` as ``suggestions(for:field:index:limit:)``.
  /// - Complexity: O(v) in the number of terms of the index, and a look-up of each that is returned.
  public func terms(
    beginningWith beginning: String = "", index: String? = nil, order: SearchTerm.Order = .frequency, limit: Int? = nil
  ) throws -> [SearchTerm] {
    try readingWords(of: index, limit: limit ?? 0) { index, db in
      try index.terms(
        beginningWith: beginning, order: order == .frequency ? .frequency : .term, limit: limit, db
      )
      .map { SearchTerm(text: $0.text, documentFrequency: $0.documentFrequency, occurrences: $0.occurrences) }
    }
  }

  private func readingWords<T>(
    of index: String?, limit: Int, _ body: (InvertedIndex, GRDB.Database) throws -> T
  ) throws -> T {
    try withPublicErrors {
      guard limit >= 0 else { throw CBLError(CBLError.invalidParameter, "a limit is not negative") }
      return try engine.store.readIndexes { db in try body(fullTextIndex(named: index, db), db) }
    }
  }
}
