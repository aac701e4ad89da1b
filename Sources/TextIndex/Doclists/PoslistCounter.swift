/// Checks poslists and counts their positions by column.
struct PoslistCounter {
  let columnCount: Int

  /// Returns the frequencies in a poslist, encoded as in ``Frequencies``; 0 if it is empty.
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
      // A rotation by one bit maps 0x00, 0x80 and 0x01 to the numbers 0 to 2. Within a varint, the high bit of the
      // previous byte makes the result larger.
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

  /// The maximum length in bytes of a 32-bit varint.
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

/// Reads and checks the positions of a poslist in order.
struct PoslistReader {
  private var bytes: ByteReader?
  private var position = TermPosition(column: 0, position: 0)

  init(_ list: UnsafeBufferPointer<UInt8>) {
    bytes = list.baseAddress.map { ByteReader($0, end: $0 + list.count) }
  }

  /// Reads the next position. Returns nil at the end.
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
