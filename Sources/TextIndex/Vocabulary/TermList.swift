/// Terms in byte order, each with a number, in flat memory.
package struct TermList: Sendable {
  /// The concatenated terms.
  package private(set) var bytes: [UInt8] = []
  /// The end of each term in ``bytes``.
  private(set) var ends: [UInt32] = []
  /// The number of bytes that each term shares with its predecessor.
  private(set) var shared: [UInt8] = []
  /// The estimated document frequency of each term, at least 1.
  package private(set) var frequencies: [UInt32] = []
  /// An upper bound on the document frequency of each term, at least the estimate.
  private(set) var maximums: [UInt32] = []

  /// Creates an empty list.
  package init() {}

  package var count: Int { ends.count }

  /// The size in bytes.
  package var size: Int { bytes.count + 13 * ends.count }

  /// The maximum length of a term; the analyzer truncates longer ones.
  package static let maximumLength = 255

  /// Returns the range of a term in ``bytes``.
  package func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number]) }

  /// Returns a term as text.
  func text(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }

  /// Appends a term that is greater than all others.
  ///
  /// - Parameters:
  ///   - frequency: the estimated document frequency.
  ///   - maximum: an upper bound on it; nil if the estimate is one.
  package mutating func append(_ term: UnsafeBufferPointer<UInt8>, frequency: UInt32, maximum: UInt32? = nil) {
    guard term.count <= TermList.maximumLength, bytes.count + term.count <= UInt32.max else { return }
    var common = 0
    if let last = ends.indices.last {
      let previous = range(last)
      let limit = min(previous.count, term.count)
      while common < limit, bytes[previous.lowerBound + common] == term[common] { common += 1 }
    }
    bytes.append(contentsOf: term)
    ends.append(UInt32(bytes.count))
    shared.append(UInt8(common))
    frequencies.append(frequency)
    maximums.append(max(frequency, maximum ?? frequency))
  }

  /// Appends terms of another list that are greater than all others.
  ///
  /// - Complexity: O(n) in the number of these terms, which are copied in bulk.
  mutating func append(_ numbers: Range<Int>, of other: TermList) {
    guard let first = numbers.first else { return }
    other.bytes.withUnsafeBufferPointer {
      append(
        UnsafeBufferPointer(rebasing: $0[other.range(first)]), frequency: other.frequencies[first],
        maximum: other.maximums[first])
    }
    let rest = numbers.dropFirst()
    guard !rest.isEmpty else { return }
    let start = Int(other.ends[first])
    let moved = bytes.count - start
    bytes.append(contentsOf: other.bytes[start..<Int(other.ends[rest.upperBound - 1])])
    ends.append(contentsOf: other.ends[rest].lazy.map { UInt32(Int($0) + moved) })
    shared.append(contentsOf: other.shared[rest])
    frequencies.append(contentsOf: other.frequencies[rest])
    maximums.append(contentsOf: other.maximums[rest])
  }

  /// Removes all terms, but keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    shared.removeAll(keepingCapacity: true)
    frequencies.removeAll(keepingCapacity: true)
    maximums.removeAll(keepingCapacity: true)
  }

  /// Reserves memory, so that a growing list is not copied repeatedly.
  mutating func reserve(bytes byteCount: Int, terms termCount: Int) {
    bytes.reserveCapacity(byteCount)
    ends.reserveCapacity(termCount)
    shared.reserveCapacity(termCount)
    frequencies.reserveCapacity(termCount)
    maximums.reserveCapacity(termCount)
  }

  /// Returns the numbers of the terms with a prefix.
  ///
  /// - Complexity: O(log n).
  func numbers(beginningWith prefix: [UInt8]) -> Range<Int> {
    let first = partition { !$0.lexicographicallyPrecedes(prefix) }
    return first..<partition { !$0.starts(with: prefix) && !$0.lexicographicallyPrecedes(prefix) }
  }

  /// Returns the number of a term; nil if the list does not contain it.
  package func number(of term: [UInt8]) -> Int? {
    let number = partition { !$0.lexicographicallyPrecedes(term) }
    return number < count && bytes[range(number)].elementsEqual(term) ? number : nil
  }

  /// Returns the number of the first term that satisfies a predicate, which all later terms must satisfy too.
  private func partition(_ holds: (ArraySlice<UInt8>) -> Bool) -> Int {
    (0..<count).partitionPoint { holds(bytes[range($0)]) }
  }
}

extension TermList {
  /// Returns the terms that may have at least this document frequency.
  func filtered(minimumFrequency: UInt32) -> TermList {
    var kept = TermList()
    bytes.withUnsafeBufferPointer { bytes in
      for number in 0..<count where maximums[number] >= minimumFrequency {
        kept.append(
          UnsafeBufferPointer(rebasing: bytes[range(number)]), frequency: frequencies[number],
          maximum: maximums[number])
      }
    }
    return kept
  }
}
