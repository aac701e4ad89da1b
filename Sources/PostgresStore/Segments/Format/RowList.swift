/// Ascending rows as a payload: the first one, and the differences between successive ones minus 1.
///
/// ```
/// rows := [first:number  differences:list]     nothing if there are no rows; see BitPacking
/// ```
///
/// The caller stores the number of rows.
enum RowList {
  /// Appends rows in ascending order.
  static func append(_ rows: UnsafeBufferPointer<UInt32>, to bytes: inout [UInt8]) {
    guard let first = rows.first else { return }
    bytes.appendNumber(first)
    guard rows.count > 1 else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: rows.count - 1) { gaps in
      for number in 1..<rows.count {
        gaps.initializeElement(at: number - 1, to: rows[number] &- rows[number - 1] &- 1)
      }
      BitPacking.append(UnsafeBufferPointer(gaps), to: &bytes)
    }
  }

  /// Reads rows and adds a number to each.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - base: the number that is added.
  ///   - rows: memory for them.
  /// - Throws: ``SegmentDamage`` if a row does not fit into 32 bits.
  static func read(
    _ count: Int, from reader: inout PayloadReader, base: UInt32, into rows: UnsafeMutablePointer<UInt32>
  ) throws(SegmentDamage) {
    guard count > 0 else { return }
    var row = UInt64(try reader.number32()) + UInt64(base)
    try BitPacking.read(count - 1, from: &reader, into: rows + 1)
    rows[0] = UInt32(truncatingIfNeeded: row)
    for number in 1..<max(1, count) {
      row += UInt64(rows[number]) + 1
      rows[number] = UInt32(truncatingIfNeeded: row)
    }
    // Rows ascend, so the last one is the largest.
    guard row <= UInt64(UInt32.max) else { throw .badNumber }
  }
}
