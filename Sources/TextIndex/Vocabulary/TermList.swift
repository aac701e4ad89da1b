/// Terms in the order of their bytes, each with a number beside it, as flat memory.
struct TermList: Sendable {
  /// The terms, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Where each term ends in ``bytes``.
  private(set) var ends: [UInt32] = []
  /// How many bytes each term shares with the one before.
  private(set) var shared: [UInt8] = []
  /// In about how many documents each term stands, at least 1.
  private(set) var frequencies: [UInt32] = []

  var count: Int { ends.count }

  /// Bytes of memory.
  var size: Int { bytes.count + 9 * ends.count }

  /// Terms are no longer than this; what is, is cut off by the analyzer.
  static let maximumLength = 255

  /// The bytes of a term.
  func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number]) }

  /// A term as text.
  func text(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }

  /// Appends a term that is above all others.
  mutating func append(_ term: UnsafeBufferPointer<UInt8>, frequency: UInt32) {
    guard term.count <= TermList.maximumLength else { return }
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
  }

  /// The numbers of the terms that begin with a prefix.
  ///
  /// - Complexity: O(log n).
  func numbers(beginningWith prefix: [UInt8]) -> Range<Int> {
    let first = partition { !$0.lexicographicallyPrecedes(prefix) }
    return first..<partition { !$0.starts(with: prefix) && !$0.lexicographicallyPrecedes(prefix) }
  }

  /// The number of a term, or nil.
  func number(of term: [UInt8]) -> Int? {
    let number = partition { !$0.lexicographicallyPrecedes(term) }
    return number < count && bytes[range(number)].elementsEqual(term) ? number : nil
  }

  /// The first number for whose term a condition holds that holds for all later ones, too.
  private func partition(_ holds: (ArraySlice<UInt8>) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(bytes[range(middle)]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension TermList {
  /// The terms of two lists; the frequencies of those in both are added.
  static func merging(_ one: TermList, _ two: TermList) -> TermList {
    var merged = TermList()
    var (first, second) = (0, 0)
    one.bytes.withUnsafeBufferPointer { mine in
      two.bytes.withUnsafeBufferPointer { theirs in
        while first < one.count || second < two.count {
          let left = first < one.count ? UnsafeBufferPointer(rebasing: mine[one.range(first)]) : nil
          let right = second < two.count ? UnsafeBufferPointer(rebasing: theirs[two.range(second)]) : nil
          let takesLeft = left.map { left in right.map { !$0.lexicographicallyPrecedes(left) } ?? true } ?? false
          let takesRight = right.map { right in left.map { !$0.lexicographicallyPrecedes(right) } ?? true } ?? false
          guard let term = takesLeft ? left : right else { break }
          let (sum, overflows) = (takesLeft ? one.frequencies[first] : 0).addingReportingOverflow(
            takesRight ? two.frequencies[second] : 0)
          merged.append(term, frequency: overflows ? .max : sum)
          if takesLeft { first += 1 }
          if takesRight { second += 1 }
        }
      }
    }
    return merged
  }

  /// The terms that stand in at least so many documents.
  func filtered(minimumFrequency: UInt32) -> TermList {
    var kept = TermList()
    bytes.withUnsafeBufferPointer { bytes in
      for number in 0..<count where frequencies[number] >= minimumFrequency {
        kept.append(UnsafeBufferPointer(rebasing: bytes[range(number)]), frequency: frequencies[number])
      }
    }
    return kept
  }
}
