/// Sorts the terms of a table of postings by their first eight bytes, without comparisons, in linear time.
enum TermSort {
  /// The first eight bytes of a term as a big-endian number, and the number of its entry.
  struct Key {
    let beginning: UInt64
    let number: UInt32
  }

  private static let digitBits = 11

  /// Sorts keys by their beginnings.
  static func sort(_ keys: inout [Key]) {
    var other = keys
    for shift in stride(from: 0, to: UInt64.bitWidth, by: digitBits) {
      if distribute(keys, into: &other, by: UInt64(shift)) { swap(&keys, &other) }
    }
  }

  /// Copies keys in the order of a digit; keys with the same digit keep their order.
  ///
  /// - Returns: false, without copying, if all keys have the same digit.
  private static func distribute(_ keys: [Key], into result: inout [Key], by shift: UInt64) -> Bool {
    let mask = UInt64(1 << digitBits - 1)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << digitBits) { starts in
      starts.initialize(repeating: 0)
      for key in keys { starts[Int(key.beginning >> shift & mask)] += 1 }
      if let first = keys.first, starts[Int(first.beginning >> shift & mask)] == keys.count { return false }
      var sum = 0
      for digit in starts.indices {
        let count = starts[digit]
        starts[digit] = sum
        sum += count
      }
      result.withUnsafeMutableBufferPointer { result in
        for key in keys {
          let digit = Int(key.beginning >> shift & mask)
          result[starts[digit]] = key
          starts[digit] += 1
        }
      }
      return true
    }
  }
}
