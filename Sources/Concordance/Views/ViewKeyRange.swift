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
      guard var key = end.0 else { return nil }
      var id = end.1
      if isUpper, query.prefixMatchLevel > 0, let extended = key.extended(query.prefixMatchLevel) {
        (key, id) = (extended, nil)
      }
      return ViewRange.End(encoder.key(of: key), id: id, isIncluded: end.2)
    }
    lower = makeEnd(low, isUpper: false)
    upper = makeEnd(high, isUpper: true)
  }

  var range: ViewRange { ViewRange(from: lower, through: upper) }
}

extension JSONValue {
  /// Returns a key that sorts after all keys with this prefix; nil if the key cannot be extended.
  ///
  /// - Parameter level: 1 to extend the key itself, 2 or more to extend its last element.
  fileprivate func extended(_ level: Int) -> JSONValue? {
    switch self {
    // U+FFFF sorts after every other character in the Unicode root collation.
    case .string(let text): return .string(text + "\u{FFFF}")
    case .array(var elements):
      guard level > 1 else { return .array(elements + [.object([])]) }
      guard let last = elements.popLast(), let extended = last.extended(level - 1) else { return nil }
      return .array(elements + [extended])
    default: return nil
    }
  }
}
