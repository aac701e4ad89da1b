import TextIndex

/// Ascending numbers as bytes: the differences, in groups of 7 bits, the last of which has the high bit clear.
enum RowDeltas {
  static func encode(_ numbers: some Sequence<UInt32>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.underestimatedCount + 8)
    var last: UInt32 = 0
    for number in numbers {
      var rest = number &- last
      last = number
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }
    return bytes
  }

  /// Decodes a doclist of ``TrigramPostings`` without removals. Its numbers begin with the highest group of 7 bits.
  static func decode(doclist: UnsafeBufferPointer<UInt8>) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: doclist.count) { numbers, count in
      var (last, number): (UInt32, UInt32) = (0, 0)
      for byte in doclist {
        number = number << 7 | UInt32(byte & 0x7F)
        guard byte < 0x80 else { continue }
        last = last &+ number
        numbers[count] = last
        (number, count) = (0, count + 1)
      }
    }
  }

  /// Decodes what ``encode(_:)`` has returned.
  ///
  /// - Throws: ``SegmentDamage`` if a number is truncated or too large.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws -> [UInt32] {
    try [UInt32](unsafeUninitializedCapacity: bytes.count) { numbers, count in
      var (last, rest, shift): (UInt64, UInt64, UInt64) = (0, 0, 0)
      for byte in bytes {
        rest |= UInt64(byte & 0x7F) << shift
        shift += 7
        guard byte < 0x80 else {
          // A number has at most 32 bits, in five groups.
          guard shift < 35 else { throw SegmentDamage.badNumber }
          continue
        }
        last += rest
        guard last <= UInt64(UInt32.max) else { throw SegmentDamage.badNumber }
        numbers[count] = UInt32(truncatingIfNeeded: last)
        count += 1
        (rest, shift) = (0, 0)
      }
      guard shift == 0 else { throw SegmentDamage.truncated }
    }
  }

  /// Returns the numbers of all lists. Lists that follow each other are concatenated; the others are merged in pairs,
  /// because there may be hundreds.
  static func joined(_ lists: [[UInt32]]) -> [UInt32] {
    var runs: [[UInt32]] = []
    for list in lists {
      guard let first = list.first else { continue }
      if let last = runs.last?.last, last < first {
        runs[runs.count - 1] += list
      } else {
        runs.append(list)
      }
    }
    while runs.count > 1 {
      runs = stride(from: 0, to: runs.count, by: 2).map { number in
        number + 1 < runs.count ? runs[number].merged(with: runs[number + 1]) : runs[number]
      }
    }
    return runs.first ?? []
  }
}
