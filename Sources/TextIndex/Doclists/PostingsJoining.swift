/// What several terms say of a row, while it is joined. It is used for one row after the other.
struct PostingsJoining: ~Copyable {
  private(set) var writer = PoslistWriter()
  private var places = GrowingMemory<UInt64>()
  /// The number of the row that each term was last seen in.
  private var lastRow: [Int]
  private var row = 0
  /// The frequencies of the row by column, in no order; there are few columns.
  private var counts: [(column: Int, count: UInt32)] = []

  init(termCount: Int) { lastRow = Array(repeating: 0, count: termCount) }

  mutating func beginRow() {
    row += 1
    places.removeAll()
    counts.removeAll(keepingCapacity: true)
  }

  /// Whether a term is seen for the first time in the row.
  mutating func isFirst(_ ordinal: UInt32) -> Bool {
    if lastRow[Int(ordinal)] == row { return false }
    lastRow[Int(ordinal)] = row
    return true
  }

  /// Adds how often a term stands in a column. Only where no two terms stand at one position.
  mutating func add(_ count: UInt32, column: Int) {
    // A row that was deleted has none.
    guard count > 0 else { return }
    for index in counts.indices where counts[index].column == column {
      counts[index].count = counts[index].count.addingReportingOverflow(count).partialValue
      return
    }
    counts.append((column, count))
  }

  /// What was added, by column.
  var frequencies: [(column: Int, count: UInt32)] {
    counts.count > 1 ? counts.sorted { $0.column < $1.column } : counts
  }

  /// Adds the places of a term.
  mutating func add(_ cursor: PlaceCursor) {
    var cursor = cursor
    var place = cursor.next()
    while place != PlaceCursor.none {
      places.append(place)
      place = cursor.next()
    }
  }

  var hasPlaces: Bool { places.count > 0 }

  /// Writes the places that were added in their order, each once.
  mutating func writePlaces() {
    var sorted = UnsafeMutableBufferPointer(start: places.start, count: places.count)
    sorted.sort()
    writer.removeAll()
    var last = PlaceCursor.none
    for place in places.elements where place != last {
      writer.append(TermPlace(place))
      last = place
    }
  }
}
