import SQLiteAccess

/// A term of the order in which rows of several nodes are merged.
struct MergeTerm {
  /// The column; -1 for the number of the row.
  let column: Int
  let kind: ColumnKind
  let isDescending: Bool

  /// Returns whether the current row of one node is before that of another; nil if they are equal.
  func precedes(_ one: RemoteRows, _ other: RemoteRows) -> Bool? {
    // SQLite sorts NULL first.
    let comparison =
      switch (one.bytes(column), other.bytes(column)) {
      case (nil, nil): 0
      case (nil, _): -1
      case (_, nil): 1
      case (let left?, let right?): compare(left, right)
      }
    return comparison == 0 ? nil : (comparison < 0) != isDescending
  }

  private func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    switch kind {
    case .integer:
      guard left.count == 8, right.count == 8 else { return 0 }
      let numbers = (
        Int64(bigEndian: left.loadUnaligned(as: Int64.self)), Int64(bigEndian: right.loadUnaligned(as: Int64.self))
      )
      return numbers.0 == numbers.1 ? 0 : numbers.0 < numbers.1 ? -1 : 1
    // The last byte is the type of the value, which is not part of its order.
    case .sortable: return compareBytes(left.dropLast(), right.dropLast())
    case .text, .bytes, .any: return compareBytes(left[...], right[...])
    }
  }

  private func compareBytes(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}

/// The rows of several nodes in order.
final class MergingRowIterator: RowIterator {
  /// The scans that have rows, in the order of the nodes.
  private var parts: [RemoteRows]
  private let order: [MergeTerm]
  /// The scan with the current row.
  private var current = 0

  /// - Parameter order: the order of each scan; if it is empty, the rows of one node follow those of another.
  init(_ parts: [RemoteRows], _ order: [MergeTerm]) {
    self.parts = parts.filter { !$0.isAtEnd }
    self.order = order
    super.init()
    choose()
  }

  override var isAtEnd: Bool { parts.isEmpty }
  override var rowID: Int64 { isAtEnd ? 0 : parts[current].rowID }

  override func advance() throws {
    guard !isAtEnd else { return }
    try parts[current].advance()
    if parts[current].isAtEnd { parts.remove(at: current) }
    choose()
  }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    if isAtEnd { result.setNull() } else { parts[current].setColumn(column, result) }
  }

  private func choose() {
    current = 0
    guard !order.isEmpty else { return }
    for number in parts.indices.dropFirst() where precedes(parts[number], parts[current]) { current = number }
  }

  private func precedes(_ one: RemoteRows, _ other: RemoteRows) -> Bool {
    for term in order {
      if let isBefore = term.precedes(one, other) { return isBefore }
    }
    return false
  }
}
