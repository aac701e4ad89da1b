import DocumentStore
import JSONText
public import Relevance
import TextAnalysis
import TextIndex

extension Collection {
  /// Finds the best documents of several searches by combining their rankings.
  ///
  /// ```swift
  /// var expanded = SearchRequest("heat transfer")
  /// expanded.feedback = RelevanceFeedback()
  /// let hits = try pages.search(fusing: [SearchRequest("heat transfer"), expanded], by: .reciprocalRank())
  /// ```
  ///
  /// If ``SearchRequest/groupsDuplicates`` is set in any request, documents with the same or nearly the same text as a
  /// better hit are left out of the combined ranking.
  ///
  /// - Parameters:
  ///   - requests: the searches. Their ``SearchRequest/limit`` and ``SearchRequest/offset`` are ignored, and facets are
  ///     not returned. Each request is run twice, first for its ranking and then for the hits, and
  ///     ``SearchRequest/timeout`` limits each of these runs.
  ///   - method: how the rankings are combined.
  ///   - weights: a factor for each ranking, from 0 to 1,000,000; empty for 1 each.
  ///   - limit: the maximum number of hits.
  ///   - depth: the number of best hits of each search to combine.
  /// - Returns: the hits, best first, with their combined scores. Matches, snippets and the explanation come from the
  ///   first search that found the document. If ``SearchRequest/explains`` is set in any request, ``SearchHit/fusion``
  ///   explains the combined score; each search then explains its hits down to the last one that is returned. Each
  ///   run reads its own snapshot of the database, so a document that is changed or deleted meanwhile can be missing.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)``; ``CBLError/invalidParameter`` if the limit or the
  ///   depth is negative, if there is not one weight for each request, if a weight is not from 0 to 1,000,000, or if
  ///   the `k` of reciprocal rank fusion is negative or not finite.
  public func search(
    fusing requests: [SearchRequest], by method: RunFusion = .reciprocalRank(), weights: [Double] = [],
    limit: Int = 10, depth: Int = 1000
  ) throws -> [SearchHit] {
    guard limit >= 0, depth >= 0 else {
      throw CBLError(CBLError.invalidParameter, "the limit and depth of a fused search must not be negative")
    }
    try method.check(weights, ofSearches: requests.count)
    let rankings = try requests.map { request in
      var request = request
      (request.limit, request.offset) = (depth, 0)
      request.allowsPartialResults = false
      return try rankedHits(request)
    }
    let combined = method.fused(rankings, weights: weights)
    let groups =
      requests.contains(where: \.groupsDuplicates)
      ? try groupingDuplicates(combined, limit: limit) : combined.prefix(limit).map { [$0] }
    let wanted = groups.compactMap(\.first)
    let duplicates = Dictionary(
      groups.map { (ExactString($0[0].document), $0.dropFirst().map(\.document)) },
      uniquingKeysWith: { first, _ in first })
    var fused = FusedHits(
      collection: self, method: method, weights: weights, wanted: Set(wanted.map { ExactString($0.document) }),
      explains: requests.contains(where: \.explains))
    for (request, ranking) in zip(requests, rankings) { try fused.add(request, ranking) }
    return fused.hits(wanted, duplicates: duplicates)
  }

  /// Groups the best documents of a ranking by their text, until there are enough groups. Each group begins with its
  /// best document.
  private func groupingDuplicates(_ ranking: [EvaluationRun.Hit], limit: Int) throws -> [[EvaluationRun.Hit]] {
    try withPublicErrors {
      try engine.store.read { db in
        let reader = DocumentReader(record, db)
        let maximum = SearchRequest.maximumDuplicateCount
        var groups = SketchGroups()
        var examined: [EvaluationRun.Hit] = []
        var position = 0
        var end = min(max(limit, 50), maximum / 2) * 2
        while true {
          let next = ranking[position..<min(end, ranking.count)]
          for hit in next {
            try Interruption.check()
            // A document may have been deleted after it was ranked.
            guard let stored = try reader.document(id: hit.document) else { continue }
            groups.add(try DuplicateSearch.sketch(of: stored))
            examined.append(hit)
          }
          position = next.endIndex
          if groups.members.count >= limit || position == ranking.count || end == maximum { break }
          end = min(end * 4, maximum)
        }
        return groups.members.prefix(limit).map { members in members.map { examined[$0] } }
      }
    }
  }
}

extension RunFusion {
  /// - Throws: ``CBLError/invalidParameter`` if the weights or the parameter of the method are invalid.
  fileprivate func check(_ weights: [Double], ofSearches count: Int) throws {
    guard weights.isEmpty || weights.count == count else {
      throw CBLError(
        CBLError.invalidParameter,
        "a fused search of \(count) requests has \(weights.count) weights; give one for each request, or none")
    }
    if let invalid = weights.first(where: { !(0...1_000_000).contains($0) }) {
      throw CBLError(
        CBLError.invalidParameter, "the weight \(invalid) of a fused search must be from 0 to 1000000")
    }
    if case .reciprocalRank(let k) = self, !k.isFinite || k < 0 {
      throw CBLError(
        CBLError.invalidParameter, "the k of reciprocal rank fusion is \(k); use a finite number from 0")
    }
  }
}
