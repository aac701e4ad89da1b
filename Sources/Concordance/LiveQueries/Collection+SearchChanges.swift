public import Foundation
import DocumentStore
import JSONText

/// Live searches: full-text searches that run again when documents change.
extension Collection {
  /// Registers a listener for the results of a search. It is called with the current result, and again whenever the
  /// result changes.
  ///
  /// ```swift
  /// let token = notes.addSearchListener(SearchRequest("steeping")) { result in
  ///   print((try? result.get().hits.map(\.id)) ?? [])
  /// }
  /// ```
  ///
  /// The search runs again after the collection has changed; for the timing, see
  /// ``Query/addChangeListener(withQueue:minimumInterval:_:)``. The listener is called if the hits, their documents or
  /// snippets, the total, the facets, the corrections or the notice differ. Scores are not compared, because they
  /// depend on all documents.
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - queue: the queue on which the listener is called; nil for a serial queue of the database.
  ///   - listener: the closure to call. It receives the result or the error of a run.
  /// - Returns: a token that removes the listener.
  public func addSearchListener(
    _ request: SearchRequest, queue: DispatchQueue? = nil,
    _ listener: @escaping (Swift.Result<SearchResults, any Error>) -> Void
  ) -> ListenerToken {
    LiveResult<SearchResults>.listen(
      to: { liveResult(of: request) }, with: CoalescingListener(on: queue ?? engine.changes.listenerQueue, listener),
      minimumInterval: Query.defaultMinimumInterval
    ) { $0 }
  }

  /// Returns an asynchronous sequence of the results of a search: the current result, and a new
  /// one whenever the result changes.
  ///
  /// ```swift
  /// for try await results in notes.searchChanges(SearchRequest("steeping")) {
  ///   print(results.hits.map(\.id))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime.
  public func searchChanges(
    _ request: SearchRequest, minimumInterval: Duration = Query.defaultMinimumInterval
  ) -> LiveSequence<SearchResults> {
    LiveSequence({ self.liveStream(of: request, minimumInterval) }) { results, _ in results }
  }

  /// Returns an asynchronous sequence of the results of a search, with the differences between their hits.
  ///
  /// Hits are identified by the ids of their documents; a hit is updated if its document, its snippets or its
  /// duplicates have changed.
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime.
  public func searchDifferences(
    _ request: SearchRequest, minimumInterval: Duration = Query.defaultMinimumInterval
  ) -> LiveSequence<SearchDifference> {
    LiveSequence({ self.liveStream(of: request, minimumInterval) }) { results, previous in
      let old = previous?.hits ?? []
      let difference = ListDifference(
        from: old.map { ExactString($0.id) }, to: results.hits.map { ExactString($0.id) }
      ) {
        !old[$0].isSame(as: results.hits[$1])
      }
      return SearchDifference(results: results, difference: difference)
    }
  }

  private func liveStream(
    of request: SearchRequest, _ minimumInterval: Duration
  ) -> AsyncThrowingStream<SearchResults, any Error> {
    LiveResult<SearchResults>.stream(
      on: engine.liveQueries, of: { self.liveResult(of: request) }, minimumInterval: minimumInterval)
  }

  private func liveResult(of request: SearchRequest) -> LiveResult<SearchResults> {
    var request = request
    // A server that can be reached again is not a change, so the results would remain partial.
    request.allowsPartialResults = false
    return LiveResult(
      scheduler: engine.liveQueries, collections: [record], read: { [request] in try self.search(request) },
      isEqual: { $0.isSame(as: $1) }, isUnaffected: { _, _ in false })
  }
}

extension SearchResults {
  fileprivate func isSame(as other: SearchResults) -> Bool {
    total == other.total && facets == other.facets && duplicateGroups == other.duplicateGroups
      && relaxation == other.relaxation && matchesAnyWord == other.matchesAnyWord && texts == other.texts
      && hits.elementsEqual(other.hits) { $0.isSame(as: $1) }
  }

  /// The texts that are compared by their bytes.
  private var texts: [ExactString?] {
    var texts = [notice, suggestedQuery, relaxation?.query].map { text in text.map { ExactString($0) } }
    for group in duplicateGroups {
      for id in group.documentIDs { texts.append(ExactString(id)) }
    }
    for correction in relaxation?.corrections ?? [] {
      texts.append(ExactString(correction.typed))
      texts.append(ExactString(correction.word))
    }
    return texts
  }
}

extension SearchHit {
  fileprivate func isSame(as other: SearchHit) -> Bool {
    ExactString(id) == ExactString(other.id) && document.revisionID == other.document.revisionID
      && snippets.elementsEqual(other.snippets) { $0.isSame(as: $1) }
      && duplicates.elementsEqual(other.duplicates) { ExactString($0) == ExactString($1) }
  }
}

extension SearchSnippet {
  /// Compares the strings by their bytes.
  fileprivate func isSame(as other: SearchSnippet) -> Bool {
    self == other && ExactString(text) == ExactString(other.text) && ExactString(field) == ExactString(other.field)
  }
}
