import Foundation

/// Sorts the terms of ``PostingsHash``.
enum TermSort {
  /// Eight bytes of a term, and the number of its entry.
  struct Key {
    var bytes: UInt64
    let number: UInt32
  }

  /// Returns the numbers of the entries, in byte order of the terms.
  static func sorted(_ entries: UnsafeBufferPointer<PostingsHash.Entry>) -> [Key] {
    var keys = entries.indices.map {
      Key(bytes: entries[$0].beginning, number: UInt32(truncatingIfNeeded: $0))
    }
    keys.withUnsafeMutableBufferPointer { keys in
      RadixSort.sort(keys, bits: 0..<UInt64.bitWidth) { $0.bytes }
      sortEqual(keys, 0, entries)
    }
    return keys
  }

  /// Returns whether a term is before another one in byte order.
  @inline(__always)
  static func precedes(_ term: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = min(term.count, other.count)
    guard count > 0, let one = term.baseAddress, let two = other.baseAddress else { return term.count < other.count }
    let order = memcmp(one, two, count)
    return order == 0 ? term.count < other.count : order < 0
  }

  /// Sorts the keys with equal bytes by the bytes that follow.
  ///
  /// - Parameter offset: the offset of the bytes of the keys in their terms.
  private static func sortEqual(
    _ keys: UnsafeMutableBufferPointer<Key>, _ offset: Int, _ entries: UnsafeBufferPointer<PostingsHash.Entry>
  ) {
    var first = 0
    while first < keys.count {
      var end = first + 1
      while end < keys.count, keys[end].bytes == keys[first].bytes { end += 1 }
      if end - first > 1 {
        sortByRest(UnsafeMutableBufferPointer(rebasing: keys[first..<end]), offset + 8, entries)
      }
      first = end
    }
  }

  /// Sorts keys whose terms have the same bytes before `offset`. A term that ends before it has been padded with zeros.
  private static func sortByRest(
    _ keys: UnsafeMutableBufferPointer<Key>, _ offset: Int, _ entries: UnsafeBufferPointer<PostingsHash.Entry>
  ) {
    var isPadded = false
    for position in keys.indices {
      let term = entries[Int(keys[position].number)].bytes
      isPadded = isPadded || term.count < offset
      let rest = UnsafeBufferPointer(rebasing: term[min(offset, term.count)...])
      keys[position].bytes = PostingsHash.beginning(of: UnsafeRawBufferPointer(rest))
    }
    var keys = keys
    // Zeros at the end of terms cannot be told from the padding.
    if isPadded { return keys.sort { precedes(entries[Int($0.number)].bytes, entries[Int($1.number)].bytes) } }
    keys.sort { $0.bytes < $1.bytes }
    sortEqual(keys, offset, entries)
  }
}

extension PostingsHash.Entry {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: term, count: Int(termLength)) }
}
