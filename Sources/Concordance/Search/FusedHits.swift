import JSONText
import Relevance
import TextIndex

/// The hits of a fused search, collected from its searches one after another.
struct FusedHits {
  private let collection: Collection
  private let method: RunFusion
  private let weights: [Double]
  /// The ids of the documents that are returned.
  private let wanted: Set<ExactString>
  /// Whether the combined scores are explained.
  private let explains: Bool
  private var found: [ExactString: SearchHit] = [:]
  private var parts: [ExactString: [FusionExplanation.Part]] = [:]
  /// The number of searches so far.
  private var count = 0

  init(collection: Collection, method: RunFusion, weights: [Double], wanted: Set<ExactString>, explains: Bool) {
    self.collection = collection
    self.method = method
    self.weights = weights
    self.wanted = wanted
    self.explains = explains
  }

  /// Runs the next search, and adds the hits that no earlier search has found.
  ///
  /// - Parameter ranking: the ranking of the search.
  mutating func add(_ request: SearchRequest, _ ranking: [EvaluationRun.Hit]) throws {
    let number = count
    count += 1
    // Snippets are created only down to the lowest-ranked hit that is needed from this search.
    let missing = wanted.subtracting(found.keys)
    let needed = request.explains ? wanted : missing
    var explanations: [ExactString: ScoreExplanation] = [:]
    if let last = ranking.lastIndex(where: { needed.contains(ExactString($0.document)) }) {
      var request = request
      if missing.isEmpty { request.snippetCount = 0 }
      request.allowsPartialResults = false
      (request.limit, request.offset) = (last + 1, 0)
      (request.groupsDuplicates, request.duplicateGroupCount) = (false, 0)
      for hit in try collection.search(request).hits {
        if missing.contains(ExactString(hit.id)) { found[hit.id] = hit }
        explanations[hit.id] = hit.explanation
      }
    }
    guard explains else { return }
    let scores = method.normalizedScores(of: ranking)
    for (index, hit) in ranking.enumerated() where wanted.contains(ExactString(hit.document)) {
      parts[ExactString(hit.document), default: []].append(
        FusionExplanation.Part(
          search: number, rank: index + 1, score: hit.score, normalizedScore: scores[index],
          weight: weights.indices.contains(number) ? weights[number] : 1,
          explanation: explanations[hit.document]))
    }
  }

  /// Returns the hits for a ranking. There is no hit for a document that was deleted, or that a change has moved down
  /// in its ranking or no longer matches, after its search was ranked.
  ///
  /// - Parameter duplicates: the ids of the duplicates of documents.
  func hits(_ ranking: [EvaluationRun.Hit], duplicates: [ExactString: [String]]) -> [SearchHit] {
    let hits = ranking.compactMap { ranked in found[ranked.document].map { (score: ranked.score, hit: $0) } }
    return hits.enumerated().map { index, fused in
      SearchHit(
        rank: index + 1, score: fused.score, document: fused.hit.document,
        hasDocument: fused.hit.hasDocument, text: fused.hit.text,
        snippets: fused.hit.snippets, explanation: fused.hit.explanation,
        duplicates: duplicates[fused.hit.id] ?? [],
        fusion: parts[fused.hit.id].map { FusionExplanation(method: method, score: fused.score, parts: $0) })
    }
  }
}
