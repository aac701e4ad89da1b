public import Relevance

extension AsyncCollection {
  /// Finds the best documents of several searches by combining their rankings. See
  /// ``Collection/search(fusing:by:weights:limit:depth:)``.
  ///
  /// - Parameters:
  ///   - requests: the searches.
  ///   - method: how the rankings are combined.
  ///   - weights: a factor for each ranking, not negative; empty for 1 each.
  ///   - limit: the maximum number of hits.
  ///   - depth: the number of best hits of each search to combine.
  /// - Returns: the hits, best first, with their combined scores.
  /// - Throws: the same errors as ``Collection/search(fusing:by:weights:limit:depth:)``; `CancellationError`.
  public func search(
    fusing requests: [SearchRequest], by method: RunFusion = .reciprocalRank(), weights: [Double] = [],
    limit: Int = 10, depth: Int = 1000
  ) async throws -> [SearchHit] {
    try await read { try $0.search(fusing: requests, by: method, weights: weights, limit: limit, depth: depth) }
  }

  /// Completes the last word of a query while it is typed into a search box. See
  /// ``Collection/suggestions(for:field:index:limit:)``.
  ///
  /// - Parameters:
  ///   - query: the text typed so far.
  ///   - field: the field whose words are suggested; nil for all fields.
  ///   - index: the name of the index; nil as in ``SearchRequest/index``.
  ///   - limit: the maximum number of suggestions.
  /// - Throws: the same errors as ``Collection/suggestions(for:field:index:limit:)``; `CancellationError`.
  public func suggestions(
    for query: String, field: String? = nil, index: String? = nil, limit: Int = 10
  ) async throws -> [SearchSuggestion] {
    try await read { try $0.suggestions(for: query, field: field, index: index, limit: limit) }
  }

  /// Returns the terms of a full-text index. See ``Collection/terms(beginningWith:index:order:limit:)``.
  ///
  /// - Parameters:
  ///   - beginning: a prefix of the terms; "" for all terms.
  ///   - index: the name of the index; nil as in ``SearchRequest/index``.
  ///   - order: the order of the terms.
  ///   - limit: the maximum number of terms; nil for all.
  /// - Throws: the same errors as ``Collection/terms(beginningWith:index:order:limit:)``; `CancellationError`.
  public func terms(
    beginningWith beginning: String = "", index: String? = nil, order: SearchTerm.Order = .frequency, limit: Int? = nil
  ) async throws -> [SearchTerm] {
    try await read { try $0.terms(beginningWith: beginning, index: index, order: order, limit: limit) }
  }

  /// Searches the text of documents for lines that match regular expressions. See
  /// ``Collection/searchLines(_:including:sizeOf:transform:deliver:)``.
  ///
  /// - Parameters:
  ///   - request: the patterns and the documents to search.
  ///   - isIncluded: returns whether to search the document with the given id; nil for all documents of the request.
  ///   - sizeOf: returns the approximate size of a result in bytes; nil if results are small.
  ///   - transform: called with each document that may have a matching line, on any thread and concurrently. It returns
  ///     a result, or nil for none.
  ///   - deliver: called with the results in the order of the documents, on a thread of the database. It returns
  ///     whether to continue.
  /// - Returns: the numbers of searched documents and bytes.
  /// - Throws: the same errors as ``Collection/searchLines(_:including:sizeOf:transform:deliver:)``;
  ///   `CancellationError`.
  @discardableResult
  public func searchLines<Output: Sendable>(
    _ request: PatternSearchRequest, including isIncluded: (@Sendable (String) -> Bool)? = nil,
    sizeOf: (@Sendable (Output) -> Int)? = nil,
    transform: @escaping @Sendable (SearchedDocument) throws -> Output?,
    deliver: @escaping @Sendable (Output) throws -> Bool
  ) async throws -> PatternSearchSummary {
    try await read {
      try $0.searchLines(
        request, including: isIncluded, sizeOf: sizeOf, transform: transform, deliver: deliver)
    }
  }
}
