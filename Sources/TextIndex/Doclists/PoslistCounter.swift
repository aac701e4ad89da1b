/// Checks poslists and counts their positions by column.
struct PoslistCounter {
  let columnCount: Int

  /// Returns the frequencies of a poslist, see ``Frequencies``; 0 if it is empty.
  @inline(__always)
  func frequencies(
    _ list: UnsafeBufferPointer<UInt8>, _ memory: inout PostingsStorage
  ) throws(DoclistCorruption) -> UInt32 {
    guard var position = list.baseAddress, !list.isEmpty else { return 0 }
    let end = position + list.count
    var column: UInt32 = 0
    if position[0] == 1, list.count > 2, position[1] < 0x80 {
      column = UInt32(position[1])
      guard column < columnCount else { throw .badNumber }
      position += 2
    }
    // Counts the last bytes of varints. The values 0 and 1 are not positions, and no varint begins with 0x80.
    var count: UInt32 = 0
    var previous: UInt8 = 0
    while position < end {
      let byte = position[0]
      // Rotated by one bit, these three bytes are the lowest numbers; the high bit of the previous byte makes bytes
      // within a varint larger.
      if byte << 1 | byte >> 7 | previous & 0x80 <= 2 { return try severalColumns(list, &memory) }
      count &+= UInt32(~byte >> 7)
      previous = byte
      position += 1
    }
    guard previous < 0x80 else { throw .truncated }
    if list.count - Int(count) >= PoslistCounter.longestVarint, hasLongerVarint(list) { throw .badNumber }
    guard count > 0, count <= Frequencies.maximumFrequency else { return try severalColumns(list, &memory) }
    return column << 16 | count
  }

  /// The length in bytes of a 32-bit varint.
  private static let longestVarint = 5

  @inline(never)
  private func hasLongerVarint(_ list: UnsafeBufferPointer<UInt8>) -> Bool {
    var length = 0
    for byte in list {
      length = byte < 0x80 ? 0 : length + 1
      if length == PoslistCounter.longestVarint { return true }
    }
    return false
  }

  @inline(never)
  private func severalColumns(
    _ list: UnsafeBufferPointer<UInt8>, _ memory: inout PostingsStorage
  ) throws(DoclistCorruption) -> UInt32 {
    var frequencies: [(column: Int, count: UInt32)] = []
    var reader = PoslistReader(list)
    while let position = try reader.next(columnCount: columnCount) {
      if frequencies.last?.column == position.column {
        frequencies[frequencies.count - 1].count += 1
      } else {
        frequencies.append((position.column, 1))
      }
    }
    return memory.frequencies(frequencies)
  }
}

extension PostingsStorage {
  /// Returns the code of frequencies by column; 0 if there are none.
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

/// A position of a term in a document.
struct TermPosition: Hashable {
  var column: Int
  var position: Int
}

/// Reads and checks the positions of a poslist in order.
struct PoslistReader {
  private var bytes: ByteReader?
  private var position = TermPosition(column: 0, position: 0)

  init(_ list: UnsafeBufferPointer<UInt8>) {
    bytes = list.baseAddress.map { ByteReader($0, end: $0 + list.count) }
  }

  /// Reads the next position; nil at the end.
  mutating func next(columnCount: Int) throws(DoclistCorruption) -> TermPosition? {
    guard var reader = bytes, !reader.isAtEnd else { return nil }
    var value = try reader.shortVarint()
    if value == 1 {
      let column = try reader.shortVarint()
      guard column < columnCount else { throw .badNumber }
      guard column > position.column else { throw .unordered }
      position = TermPosition(column: Int(column), position: 0)
      value = try reader.shortVarint()
    }
    // FTS5 limits positions to 31 bits.
    guard value >= 2, value - 2 <= UInt64(Int32.max) - UInt64(position.position) else { throw .badNumber }
    position.position += Int(value) - 2
    bytes = reader
    return position
  }
}

/// Writes positions as a poslist.
struct PoslistWriter: ~Copyable {
  private(set) var bytes = GrowableBuffer<UInt8>()
  private(set) var frequencies: [(column: Int, count: UInt32)] = []
  private var last = TermPosition(column: 0, position: 0)

  mutating func removeAll() {
    bytes.removeAll()
    frequencies.removeAll(keepingCapacity: true)
    last = TermPosition(column: 0, position: 0)
  }

  /// Appends a position.
  mutating func append(_ position: TermPosition) {
    if position.column != last.column {
      bytes.append(1)
      append(UInt64(position.column))
      last = TermPosition(column: position.column, position: 0)
    }
    // The list is unordered only if it is damaged, and then any result is acceptable.
    append(UInt64(UInt32(truncatingIfNeeded: position.position &- last.position)) + 2)
    last = position
    if frequencies.last?.column == position.column {
      frequencies[frequencies.count - 1].count += 1
    } else {
      frequencies.append((position.column, 1))
    }
  }

  private mutating func append(_ value: UInt64) {
    var shift = 35
    while shift > 0 {
      if value >> UInt64(shift) > 0 { bytes.append(UInt8(value >> UInt64(shift) & 0x7F) | 0x80) }
      shift -= 7
    }
    bytes.append(UInt8(value & 0x7F))
  }
}
