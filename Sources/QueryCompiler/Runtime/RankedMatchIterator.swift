import SQLiteAccess
import TextIndex

/// Iterates over matches by descending score.
final class RankedMatchIterator: RowIterator {
  private let matches: MatchSet
  /// The matches that were found last: the best ones, or the next ones of ``heap``.
  private var page: [RankedRow]
  private var position = 0
  /// The other matches, if more than the best ones are read.
  private var heap: MatchHeap?

  /// The number of matches that the first search finds, and the factor by which each further search is larger.
  private static let firstPage = 64
  private static let growth = 16
  /// The number of matches that are taken from the heap at a time, so that their documents can be read together.
  private static let heapPage = 256
  private static let announcedCount = 512

  init(_ matches: MatchSet) throws {
    self.matches = matches
    page = try matches.best(RankedMatchIterator.firstPage)
  }

  private var current: RankedRow? { position < page.count ? page[position] : nil }

  override var isAtEnd: Bool { position >= page.count }
  override var rowID: Int64 { current?.rowID ?? 0 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case MatchTableFunction.documentColumn:
      if position % RankedMatchIterator.firstPage == 0 {
        result.announce { page[position...].prefix(RankedMatchIterator.announcedCount).map(\.rowID) }
      }
      result.set(.integer(rowID), .exact)
    case MatchTableFunction.scoreColumn: result.set(.double(current?.score ?? 0), .exact)
    default: result.set(.missing, .exact)
    }
  }

  override func advance() throws {
    position += 1
    if position == page.count, position >= RankedMatchIterator.firstPage { try readMore() }
  }

  /// Finds more of the best matches, or all matches if the next page would be a large part of them.
  private func readMore() throws {
    if heap == nil {
      let pageSize = page.count * RankedMatchIterator.growth
      guard try pageSize >= matches.upperBound / 8 else { return page = try matches.best(pageSize) }
      var all = MatchHeap(try matches.scoredRows())
      for _ in 0..<position { _ = all.next() }
      heap = all
    }
    (page, position) = ([], 0)
    while page.count < RankedMatchIterator.heapPage, let next = heap?.next() { page.append(next) }
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
