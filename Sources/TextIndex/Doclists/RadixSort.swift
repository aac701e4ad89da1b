/// Sorts by the digits of numbers, without comparisons, in linear time.
package enum RadixSort {
  /// Sorts elements by some bits of their keys. Elements whose bits are equal keep their order.
  ///
  /// - Parameters:
  ///   - bits: the numbers of the bits; bit 0 is the lowest.
  ///   - key: returns the key of an element.
  @inlinable
  package static func sort<Element: BitwiseCopyable>(
    _ elements: UnsafeMutableBufferPointer<Element>, bits: Range<Int>, by key: (Element) -> UInt64
  ) {
    guard elements.count > 1, let start = elements.baseAddress else { return }
    let other = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    defer { other.deallocate() }
    let digitBits = 11
    let digitCount = 1 << digitBits
    let passCount = (bits.count + digitBits - 1) / digitBits
    let used = UInt64.max >> UInt64(UInt64.bitWidth - bits.upperBound)
    func digit(_ key: UInt64, _ pass: Int) -> Int {
      Int((key & used) >> UInt64(bits.lowerBound + pass * digitBits) & UInt64(digitCount - 1))
    }
    // Not a temporary allocation: Swift 6.3.1 loses the error register of a closure whose last call copies memory.
    let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: passCount * digitCount)
    defer { counts.deallocate() }
    counts.initialize(repeating: 0)
    // All digits are counted at once, because later the elements are not in the order of the memory that a key may
    // read.
    for element in elements {
      let key = key(element)
      for pass in 0..<passCount { counts[pass * digitCount + digit(key, pass)] += 1 }
    }
    var (source, target) = (start, other)
    for pass in 0..<passCount {
      let starts = UnsafeMutableBufferPointer(rebasing: counts[pass * digitCount..<(pass + 1) * digitCount])
      // If all have the same digit, copying would not change their order.
      if starts[digit(key(source[0]), pass)] == elements.count { continue }
      var sum = 0
      for number in starts.indices {
        let count = starts[number]
        starts[number] = sum
        sum += count
      }
      for position in 0..<elements.count {
        let number = digit(key(source[position]), pass)
        target[starts[number]] = source[position]
        starts[number] += 1
      }
      swap(&source, &target)
    }
    if source != start { start.update(from: source, count: elements.count) }
  }

  /// Returns the indexes of the elements in ascending order of the elements. The sort is stable.
  static func order(of elements: UnsafeBufferPointer<UInt32>) -> GrowableBuffer<UInt32> {
    var order = GrowableBuffer<UInt32>(capacity: max(1, elements.count))
    for position in elements.indices { order.append(UInt32(position)) }
    if isSorted(elements) { return order }
    if let largest = elements.max(), largest / 4 < elements.count {
      sortDense(order.start, of: elements, upTo: Int(largest))
      return order
    }
    sort(UnsafeMutableBufferPointer(start: order.start, count: elements.count), bits: 0..<UInt32.bitWidth) {
      UInt64(elements[Int($0)])
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
}
