import SQLiteAccess
import TextIndex

/// Iterates over matches by descending score.
final class RankedMatchIterator: RowIterator {
  private let matches: MatchSet
  /// The best matches, until ``heap`` is needed.
  private var page: [RankedRow]
  private var position = 0
  /// All matches, if more than the best ones are read.
  private var heap: MatchHeap?
  private var current: RankedRow?

  /// The number of matches that the first search finds, and the factor by which each further search is larger.
  private static let firstPage = 64
  private static let growth = 16

  init(_ matches: MatchSet) throws {
    self.matches = matches
    page = try matches.best(RankedMatchIterator.firstPage)
    current = page.first
  }

  override var isAtEnd: Bool { current == nil }
  override var rowID: Int64 { current?.rowID ?? 0 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case MatchTableFunction.documentColumn:
      if heap == nil, position % RankedMatchIterator.firstPage == 0 {
        result.announce { page[position...].map(\.rowID) }
      }
      result.set(.integer(rowID), .exact)
    case MatchTableFunction.scoreColumn: result.set(.double(current?.score ?? 0), .exact)
    default: result.set(.missing, .exact)
    }
  }

  override func advance() throws {
    if heap != nil { return current = heap?.next() }
    position += 1
    if position == page.count, position >= RankedMatchIterator.firstPage { try readMore() }
    if heap == nil { current = position < page.count ? page[position] : nil }
  }

  /// Finds more of the best matches, or all matches if the next page would be a large part of them.
  private func readMore() throws {
    let pageSize = page.count * RankedMatchIterator.growth
    if try pageSize < matches.upperBound / 8 {
      page = try matches.best(pageSize)
    } else {
      var all = MatchHeap(try matches.scoredRows())
      for _ in 0..<position { _ = all.next() }
      current = all.next()
      heap = all
    }
  }
}

/// A heap of matches, the best on top (``RankedRow/isBetter(than:)``).
private struct MatchHeap {
  private let rows: MatchedRows
  /// The remaining matches, the best on top.
  private var numbers: [Int]

  init(_ rows: MatchedRows) {
    self.rows = rows
    numbers = Array(0..<rows.count)
    for position in stride(from: rows.count / 2 - 1, through: 0, by: -1) { siftDown(position) }
  }

  mutating func next() -> RankedRow? {
    guard let best = numbers.first, let last = numbers.popLast() else { return nil }
    if !numbers.isEmpty {
      numbers[0] = last
      siftDown(0)
    }
    return rows.match(best)
  }

  private mutating func siftDown(_ start: Int) {
    var position = start
    while true {
      var best = position
      for child in [2 * position + 1, 2 * position + 2] where child < numbers.count {
        if rows.match(numbers[child]).isBetter(than: rows.match(numbers[best])) { best = child }
      }
      if best == position { return }
      numbers.swapAt(position, best)
      position = best
    }
  }
}
