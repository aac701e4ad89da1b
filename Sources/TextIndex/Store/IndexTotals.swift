/// The number of documents in an index and the number of terms in each column.
package struct IndexTotals: Hashable {
  package var rowCount: Int64 = 0
  package var tokenCounts: [Int64]

  /// An upper bound on the number of documents or terms in an index. Sums of numbers up to this bound do not overflow.
  static let maximum: Int64 = 1 << 53

  init(columnCount: Int) { tokenCounts = Array(repeating: 0, count: columnCount) }

  /// Whether these are plausible totals of an index.
  var isPossible: Bool {
    let possible = 0...IndexTotals.maximum
    return possible.contains(rowCount) && tokenCounts.allSatisfy(possible.contains)
  }
}
