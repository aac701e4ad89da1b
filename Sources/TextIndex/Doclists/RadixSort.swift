/// Sorts 32-bit numbers by their digits, without comparisons, in linear time.
enum RadixSort {
  private static let digitBits = 11

  /// Returns the indexes of the elements in ascending order of the elements. The sort is stable.
  static func order(of elements: UnsafeBufferPointer<UInt32>) -> GrowableBuffer<UInt32> {
    var order = GrowableBuffer<UInt32>(capacity: max(1, elements.count))
    for position in elements.indices { order.append(UInt32(position)) }
    if isSorted(elements) { return order }
    if let largest = elements.max(), largest / 4 < elements.count {
      sortDense(order.start, of: elements, upTo: Int(largest))
      return order
    }
    let other = UnsafeMutablePointer<UInt32>.allocate(capacity: elements.count)
    defer { other.deallocate() }
    for shift in stride(from: 0, to: UInt32.bitWidth, by: digitBits) {
      sort(order.start, by: shift, of: elements, into: other)
      order.start.update(from: other, count: elements.count)
    }
    return order
  }

  /// Sorts dense elements in one pass with a counter per value. Its speed is limited only by memory bandwidth.
  private static func sortDense(
    _ order: UnsafeMutablePointer<UInt32>, of elements: UnsafeBufferPointer<UInt32>, upTo largest: Int
  ) {
    var starts = GrowableBuffer<UInt32>(capacity: largest + 1)
    for _ in 0...largest { starts.append(0) }
    for element in elements { starts.start[Int(element)] += 1 }
    var sum: UInt32 = 0
    for element in 0...largest {
      let count = starts.start[element]
      starts.start[element] = sum
      sum += count
    }
    for position in elements.indices {
      let element = Int(elements[position])
      order[Int(starts.start[element])] = UInt32(position)
      starts.start[element] += 1
    }
  }

  private static func isSorted(_ elements: UnsafeBufferPointer<UInt32>) -> Bool {
    for position in 1..<max(1, elements.count) where elements[position] < elements[position - 1] { return false }
    return true
  }

  private static func sort(
    _ order: UnsafeMutablePointer<UInt32>, by shift: Int, of elements: UnsafeBufferPointer<UInt32>,
    into result: UnsafeMutablePointer<UInt32>
  ) {
    let mask = UInt32(1 << digitBits - 1)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << digitBits) { starts in
      starts.initialize(repeating: 0)
      for element in elements { starts[Int(element >> UInt32(shift) & mask)] += 1 }
      var sum = 0
      for digit in starts.indices {
        let count = starts[digit]
        starts[digit] = sum
        sum += count
      }
      for position in 0..<elements.count {
        let digit = Int(elements[Int(order[position])] >> UInt32(shift) & mask)
        result[starts[digit]] = order[position]
        starts[digit] += 1
      }
    }
  }
}
