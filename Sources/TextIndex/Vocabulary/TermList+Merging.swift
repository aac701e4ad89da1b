extension TermList {
  /// Returns the terms of several lists; the two shortest are merged first, so that the longest is copied once.
  package static func merged(_ lists: [TermList], _ sizeLimit: Int) -> TermList {
    var lists = lists
    while lists.count > 1 {
      lists.sort { $0.count > $1.count }
      let (shortest, next) = (lists.removeLast(), lists.removeLast())
      lists.append(TermList.merging(next, shortest).limited(to: sizeLimit))
    }
    return (lists.first ?? TermList()).limited(to: sizeLimit)
  }

  /// Returns the terms of two lists; the frequencies and upper bounds of common terms are added.
  ///
  /// - Complexity: O(n + m log(n / m)) in the numbers of terms of the longer and the shorter list; the n terms between
  ///   those of the shorter list are copied in bulk.
  static func merging(_ one: TermList, _ other: TermList) -> TermList {
    let (long, short) = one.count < other.count ? (other, one) : (one, other)
    if short.count == 0 { return long }
    var merged = TermList()
    merged.reserve(bytes: long.bytes.count + short.bytes.count, terms: long.count + short.count)
    long.bytes.withUnsafeBufferPointer { bytes in
      short.bytes.withUnsafeBufferPointer { shortBytes in
        var next = 0
        for number in 0..<short.count {
          let term = UnsafeBufferPointer(rebasing: shortBytes[short.range(number)])
          let insertionIndex = long.insertionIndex(of: term, from: next, bytes)
          merged.append(next..<insertionIndex, of: long)
          next = insertionIndex
          var (frequency, maximum) = (short.frequencies[number], short.maximums[number])
          if insertionIndex < long.count, bytes[long.range(insertionIndex)].elementsEqual(term) {
            frequency = sum(frequency, long.frequencies[insertionIndex])
            maximum = sum(maximum, long.maximums[insertionIndex])
            next += 1
          }
          merged.append(term, frequency: frequency, maximum: maximum)
        }
        merged.append(next..<long.count, of: long)
      }
    }
    return merged
  }

  private static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  /// Returns the number of the first term from `start` that is not less than a term, by galloping search.
  private func insertionIndex(
    of term: UnsafeBufferPointer<UInt8>, from start: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Int {
    func isBelow(_ number: Int) -> Bool { bytes[range(number)].lexicographicallyPrecedes(term) }
    var (low, high, step) = (start, start, 1)
    while high < count, isBelow(high) {
      low = high + 1
      high += step
      step *= 2
    }
    high = min(high, count)
    while low < high {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the list, or the part of it that fits into a size limit; terms with low frequencies are removed first.
  func limited(to size: Int) -> TermList {
    var (list, minimum) = (self, UInt32(1))
    while list.size > size, minimum < UInt32.max / 2 {
      minimum *= 2
      list = list.filtered(minimumFrequency: minimum)
    }
    return list
  }
}
