/// Access to a full-text index in a transaction, which its store implements. Higher layers use ``IndexReader``.
///
/// ``FTS5IndexStore`` reads the tables of FTS5. Another store would implement this protocol, ``PostingStore``,
/// ``PostingBlockList``, ``DocumentLengthSource`` and ``TermSource``; the folders `MatchEvaluation`, `Scoring`,
/// `Results`, `Expansion` and `Vocabulary` depend on nothing else.
package protocol IndexStore: AnyObject {
  /// Returns the number of documents in the index.
  ///
  /// - Throws: ``IndexDamage``, errors of the store.
  func documentCount() throws -> Int

  /// Whether the transaction has changed the index since it began, so that posting lists may be outdated.
  var isChanged: Bool { get }

  /// Opens the posting lists.
  ///
  /// - Throws: ``PostingsUnavailable``, ``IndexDamage``, errors of the store.
  func openPostings() throws -> any PostingStore

  /// Opens the list of terms.
  ///
  /// - Throws: ``PostingsUnavailable``, ``IndexDamage``, errors of the store.
  func openTerms() throws -> any TermSource

  /// Returns all matches of a query in row order, found without ``PostingStore``; scored if there is a ranking.
  ///
  /// - Throws: ``TextIndexError`` for a query that is too large, errors of the store.
  func matches(of query: FullTextQuery, _ ranking: ResolvedRanking?) throws -> MatchedRows
}

/// Thrown by a store that cannot read the posting lists of an undamaged index. The slower search of the store,
/// ``IndexStore/matches(of:_:)``, must run the query.
package protocol PostingsUnavailable: Error {}

/// Thrown for data that the store cannot have written.
package protocol IndexDamage: Error {
  /// A description of the damage.
  var reason: String { get }

  /// Returns the error that is reported for an index. By default, it is of kind ``TextIndexErrorKind/damaged``.
  func error(index name: String) -> TextIndexError
}

extension StoredFullTextIndex {
  /// Calls `body`, which reads posting lists; returns nil if the store cannot read them.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  func readingPostings<T>(_ body: () throws -> T) throws -> T? {
    do {
      return try body()
    } catch is any PostingsUnavailable {
      return nil
    } catch let damage as any IndexDamage {
      throw damage.error(index: name)
    }
  }
}
