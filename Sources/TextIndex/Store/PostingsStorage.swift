/// A builder for the memory of ``Postings``.
struct PostingsStorage: ~Copyable {
  var rows: GrowableBuffer<UInt32>
  var frequencies: GrowableBuffer<UInt32>
  var overflow = GrowableBuffer<UInt32>()
  var poslistOffsets = GrowableBuffer<UInt32>()
  var positions = GrowableBuffer<UInt8>()
  let keepsPositions: Bool

  /// The size of ``positions`` at which no more are added, because their offsets have 32 bits.
  static let maximumPositionBytes = 2 << 30

  /// - Parameter capacity: the number of documents for which memory is allocated at once.
  init(keepingPositions: Bool, capacity: Int = 0) {
    keepsPositions = keepingPositions
    rows = GrowableBuffer(capacity: max(16, capacity))
    frequencies = GrowableBuffer(capacity: max(16, capacity))
  }

  mutating func removeAll() {
    rows.removeAll()
    frequencies.removeAll()
    overflow.removeAll()
    poslistOffsets.removeAll()
    positions.removeAll()
  }

  var size: Int {
    4 * (rows.capacity + frequencies.capacity + overflow.capacity + poslistOffsets.capacity) + positions.capacity
  }

  /// Adds a document whose poslist was checked and counted.
  @inline(__always)
  mutating func append(_ row: UInt32, _ frequency: UInt32, _ poslist: UnsafeBufferPointer<UInt8>) {
    rows.append(row)
    frequencies.append(frequency)
    if keepsPositions {
      poslistOffsets.append(UInt32(truncatingIfNeeded: positions.count))
      positions.appendVarint(UInt64(poslist.count))
      positions.append(poslist)
    }
  }
}

extension PostingsStorage {
  /// Returns the frequencies by column, encoded as a number; 0 if there are none.
  mutating func frequencies(_ columns: [(column: Int, count: UInt32)]) -> UInt32 {
    guard let first = columns.first else { return 0 }
    if columns.count == 1, first.count <= Frequencies.maximumFrequency, first.column <= Frequencies.maximumColumn {
      return UInt32(first.column) << 16 | first.count
    }
    let offset = UInt32(overflow.count)
    overflow.append(UInt32(columns.count))
    for (column, count) in columns {
      overflow.append(UInt32(column))
      overflow.append(count)
    }
    return Frequencies.overflowFlag | offset
  }
}
