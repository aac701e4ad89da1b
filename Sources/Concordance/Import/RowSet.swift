/// A set of rows in little memory: a bit for each row, in words of 64, for rows are numbered one after the other.
struct RowSet {
  private var words: [Int64: UInt64] = [:]

  mutating func insert(_ row: Int64) { words[row >> 6, default: 0] |= 1 << UInt64(row & 63) }

  func contains(_ row: Int64) -> Bool { (words[row >> 6] ?? 0) & 1 << UInt64(row & 63) != 0 }
}
