/// A set of row ids with one bit per row. Row ids are consecutive, so 64-bit words are dense.
struct RowIDBitmap {
  private var words: [Int64: UInt64] = [:]

  mutating func insert(_ row: Int64) { words[row >> 6, default: 0] |= 1 << UInt64(row & 63) }

  func contains(_ row: Int64) -> Bool { (words[row >> 6] ?? 0) & 1 << UInt64(row & 63) != 0 }
}
