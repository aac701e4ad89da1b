/// Writes positions as a poslist.
package struct PoslistWriter: ~Copyable {
  private(set) var bytes = GrowableBuffer<UInt8>()
  private(set) var frequencies: [(column: Int, count: UInt32)] = []
  private var last = TermPosition(column: 0, position: 0)

  /// Creates an empty list.
  package init() {}

  package mutating func removeAll() {
    bytes.removeAll()
    frequencies.removeAll(keepingCapacity: true)
    last = TermPosition(column: 0, position: 0)
  }

  /// Appends a position.
  package mutating func append(_ position: TermPosition) {
    if position.column != last.column {
      bytes.append(1)
      bytes.appendVarint(UInt64(position.column))
      last = TermPosition(column: position.column, position: 0)
    }
    // The list is unordered only if it is damaged, and then any result is acceptable.
    bytes.appendVarint(UInt64(UInt32(truncatingIfNeeded: position.position &- last.position)) + 2)
    last = position
    if frequencies.last?.column == position.column {
      frequencies[frequencies.count - 1].count += 1
    } else {
      frequencies.append((position.column, 1))
    }
  }

  /// Appends the poslist to a buffer.
  package func appendBytes(to buffer: inout [UInt8]) { buffer.append(contentsOf: bytes.elements) }
}

/// A position of a term in a document.
package struct TermPosition: Hashable {
  package var column: Int
  package var position: Int

  package init(column: Int, position: Int) {
    self.column = column
    self.position = position
  }
}
