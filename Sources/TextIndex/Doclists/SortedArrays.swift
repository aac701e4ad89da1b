/// Sets of rows as ascending arrays.
extension [UInt32] {
  /// Returns whether the array contains a row.
  package func containsSorted(_ row: UInt32) -> Bool {
    let insertionIndex = partitionPoint { $0 >= row }
    return insertionIndex < count && self[insertionIndex] == row
  }

  /// Returns the rows that are in both arrays.
  package func intersection(_ other: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { theirs in
        var (here, there) = (0, 0)
        // The only branches are those that are rarely mispredicted.
        while here < mine.count, there < theirs.count {
          let (row, next) = (mine[here], theirs[there])
          if row == next { result.append(row) }
          here += row <= next ? 1 : 0
          there += next <= row ? 1 : 0
        }
      }
    }
    return result
  }

  /// Returns the rows that are in either array.
  package func merged(with other: [UInt32]) -> [UInt32] {
    if isEmpty || other.isEmpty { return isEmpty ? other : self }
    return [UInt32](unsafeUninitializedCapacity: count + other.count) { result, length in
      withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { theirs in
          var (here, there) = (0, 0)
          // The only branches are those that are rarely mispredicted.
          while here < mine.count, there < theirs.count {
            let (row, next) = (mine[here], theirs[there])
            result[length] = Swift.min(row, next)
            length += 1
            here += row <= next ? 1 : 0
            there += next <= row ? 1 : 0
          }
          for rest in [mine[here...], theirs[there...]] {
            _ = UnsafeMutableBufferPointer(rebasing: result[length...]).initialize(from: rest)
            length += rest.count
          }
        }
      }
    }
  }

  /// Returns the rows that are not in the other array.
  package func subtracting(_ other: [UInt32]) -> [UInt32] {
    var there = 0
    return filter { row in
      while there < other.count, other[there] < row { there += 1 }
      return there == other.count || other[there] != row
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies a predicate, which all later elements must satisfy too; `endIndex`
  /// if there is none.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  package func partitionPoint(_ hasProperty: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
