/// Iterates over the rows that several posting lists have in common.
struct RowIntersection: ~Copyable {
  private let lists: [Postings]
  private let count: Int
  /// The rows of each list and their number, in flat memory because the loop reads hundreds of thousands of rows.
  private let rows: UnsafeMutablePointer<UnsafePointer<UInt32>>
  private let counts: UnsafeMutablePointer<Int>
  private let found: UnsafeMutablePointer<Int>
  /// The index of the list with the fewest rows, which are looked up in the other lists.
  private let leader: Int

  init(_ lists: [Postings]) {
    self.lists = lists
    count = lists.count
    rows = .allocate(capacity: max(1, count))
    counts = .allocate(capacity: max(1, count))
    found = .allocate(capacity: max(1, count))
    for (number, list) in lists.enumerated() {
      rows[number] = list.rows
      counts[number] = list.count
      found[number] = 0
    }
    leader = lists.indices.min { lists[$0].count < lists[$1].count } ?? 0
    found[leader] = -1
  }

  /// Returns the rows that lists have in common.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  static func rows(_ lists: [Postings]) throws -> [UInt32] {
    var intersection = RowIntersection(lists)
    var rows: [UInt32] = []
    var check = RowCheck()
    while let row = intersection.next() {
      try check.step()
      rows.append(row)
    }
    return rows
  }

  deinit {
    rows.deallocate()
    counts.deallocate()
    found.deallocate()
  }

  /// For each list, the index of the posting of the last row found.
  var positions: UnsafePointer<Int> { UnsafePointer(found) }

  /// Returns the next common row; nil at the end.
  mutating func next() -> UInt32? {
    guard count > 0 else { return nil }
    found[leader] += 1
    search: while found[leader] < counts[leader] {
      let row = rows[leader][found[leader]]
      for number in 0..<count where number != leader {
        let position = rows[number].position(of: row, from: found[number], count: counts[number])
        found[number] = position
        guard position < counts[number] else { return nil }
        let other = rows[number][position]
        if other > row {
          found[leader] = rows[leader].position(of: other, from: found[leader], count: counts[leader])
          continue search
        }
      }
      return row
    }
    return nil
  }
}

extension UnsafePointer<UInt32> {
  /// Returns the index of the first row from `start` that is not less than a row, by galloping search.
  @inline(__always)
  func position(of row: UInt32, from start: Int, count: Int) -> Int {
    var low = start
    let near = Swift.min(count, start + 8)
    while low < near {
      if self[low] >= row { return low }
      low += 1
    }
    if low == count { return count }
    var step = 8
    var high = low
    while high < count, self[high] < row {
      low = high + 1
      high += step
      step *= 2
    }
    high = Swift.min(high, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
