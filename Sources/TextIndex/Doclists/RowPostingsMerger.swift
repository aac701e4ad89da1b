/// Merges the postings of several terms for one row at a time.
struct RowPostingsMerger: ~Copyable {
  private(set) var writer = PoslistWriter()
  private var tokenPositions = GrowableBuffer<UInt64>()
  /// The number of the row in which each term was last seen.
  private var lastRow: [Int]
  private var row = 0
  /// The frequencies of the row by column, unordered; there are few columns.
  private var counts: [(column: Int, count: UInt32)] = []

  init(termCount: Int) { lastRow = Array(repeating: 0, count: termCount) }

  mutating func beginRow() {
    row += 1
    tokenPositions.removeAll()
    counts.removeAll(keepingCapacity: true)
  }

  /// Returns whether a term is seen for the first time in the row.
  mutating func isFirst(_ ordinal: UInt32) -> Bool {
    if lastRow[Int(ordinal)] == row { return false }
    lastRow[Int(ordinal)] = row
    return true
  }

  /// Adds a term's frequency in a column. Requires that no two terms share a position.
  mutating func add(_ count: UInt32, column: Int) {
    // A delete marker has no frequencies.
    guard count > 0 else { return }
    for index in counts.indices where counts[index].column == column {
      counts[index].count = counts[index].count.addingReportingOverflow(count).partialValue
      return
    }
    counts.append((column, count))
  }

  /// The added frequencies by column.
  var frequencies: [(column: Int, count: UInt32)] {
    counts.count > 1 ? counts.sorted { $0.column < $1.column } : counts
  }

  /// Adds the positions of a term.
  mutating func add(_ cursor: PositionCursor) {
    var cursor = cursor
    var tokenPosition = cursor.next()
    while tokenPosition != PositionCursor.none {
      tokenPositions.append(tokenPosition)
      tokenPosition = cursor.next()
    }
  }

  var hasTokenPositions: Bool { tokenPositions.count > 0 }

  /// Writes the added positions in order, without duplicates.
  mutating func writePositions() {
    var sorted = UnsafeMutableBufferPointer(start: tokenPositions.start, count: tokenPositions.count)
    sorted.sort()
    writer.removeAll()
    var last = PositionCursor.none
    for tokenPosition in tokenPositions.elements where tokenPosition != last {
      writer.append(TermPosition(tokenPosition))
      last = tokenPosition
    }
  }
}
