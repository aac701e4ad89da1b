import DocumentStore
import GRDB
import JSONText
import LineSearch
import PatternMatching
import TextIndex
import TrigramIndex

/// Uses a pattern index to find the documents that may have a matching line.
enum LineCandidates {
  /// The candidate rows in order; nil if no index covers the searched property, or if there are too many candidates.
  static func rows(
    _ request: PatternSearchRequest, of collection: CollectionRecord, _ indexes: [TrigramIndex.StoredPatternIndex],
    _ db: GRDB.Database
  ) throws -> [Int64]? {
    // An index finds only documents with a match, but these requests may also need others.
    guard request.usesIndex, !request.isInverted, !request.visitsAllDocuments, !request.showsAllLines else {
      return nil
    }
    let path = try request.field.map { try PropertyPath($0) }
    let covering = indexes.filter { index in
      !index.isOutdated && (path.map { index.covers($0) } ?? index.coversText)
    }
    // A broader index returns more false candidates.
    guard let index = covering.min(by: { $0.breadth < $1.breadth }) else { return nil }
    var options = PatternOptions()
    options.isLiteral = request.isLiteral
    options.isMultiline = true
    options.ignoresCase = request.lines.ignoresCase
    let query = TrigramQuery.any(of: request.patterns.map { TrigramQuery(pattern: $0, options: options) })
    let count = try CollectionCatalog.documentCount(collection, db)
    return try PatternCandidates(index, db).rows(
      for: query, isWithinLines: !request.isMultiline, limit: max(64, Int(clamping: count) / 2))
  }
}

extension TrigramIndex.StoredPatternIndex {
  /// Whether the index covers the default text of a search: `text` if it is a string, otherwise every string of the
  /// document. Documents that the index excludes from "every string" must have a `text` that the index covers.
  fileprivate var coversText: Bool {
    let hasRest = definition.fields.contains { $0.content == .everyOtherString }
    guard let excluded = definition.excludedFromOtherStrings else { return hasRest }
    return hasRest && excluded.strings.contains("text") && covers(PropertyPath([.key("text")]))
  }
}
