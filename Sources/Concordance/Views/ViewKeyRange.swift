import JSONText
import MapReduce

/// The range of keys that a query selects, in the sort order of the view.
struct ViewKeyRange {
  /// The lower bound; nil for none.
  let lower: ViewRange.End?
  /// The upper bound; nil for none.
  let upper: ViewRange.End?

  init(_ query: ViewSelection, _ encoder: SortKeyEncoder) {
    let start = (query.startKey, query.startKeyDocID, query.inclusiveStart)
    let end = (query.endKey, query.endKeyDocID, query.inclusiveEnd)
    let (low, high) = query.isDescending ? (end, start) : (start, end)
    func makeEnd(_ end: (JSONValue?, String?, Bool), isUpper: Bool) -> ViewRange.End? {
      guard let key = end.0 else { return nil }
      if isUpper, query.prefixMatchLevel > 0,
        let bound = encoder.upperBound(ofPrefix: key, level: query.prefixMatchLevel)
      {
        return ViewRange.End(bound, isIncluded: false)
      }
      return ViewRange.End(encoder.key(of: key), id: end.1, isIncluded: end.2)
    }
    lower = makeEnd(low, isUpper: false)
    upper = makeEnd(high, isUpper: true)
  }

  var range: ViewRange { ViewRange(from: lower, through: upper) }
}
