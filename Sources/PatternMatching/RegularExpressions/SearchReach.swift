import Foundation

/// Limits the start offsets of one search by the amount of text that PCRE2 may read from each of them.
///
/// Machine code for possessive repetitions, atomic groups, assertions and repeated classes does not count steps. Each
/// attempt may therefore read to the end of the line without reaching the match limit, and the time of a search is the
/// number of start offsets times the length of the line.
struct SearchReach {
  /// The maximum number of start offsets times the number of bytes to the end of the line. It grows while searches are
  /// quick.
  private var work = SearchReach.firstWork
  /// The long line of the last search.
  private var line = 0..<0
  /// Whether ``work`` limited the last search.
  private(set) var isLimited = false

  /// Reading this number of bytes takes well below a tenth of a second.
  private static let firstWork = 1 << 25

  /// Returns the last start offset of the next search.
  ///
  /// - Parameters:
  ///   - offset: The first start offset.
  ///   - last: The last start offset if the length of lines did not matter.
  ///   - staysInLine: Whether an attempt ends with its line.
  mutating func last(from offset: Int, through last: Int, in bytes: UnsafeRawBufferPointer, staysInLine: Bool) -> Int {
    isLimited = false
    // In a short text, no line needs to be examined.
    guard (last - offset) * (bytes.count - offset) > SearchReach.firstWork else { return last }
    if !staysInLine {
      line = offset..<bytes.count
    } else if !line.contains(last) {
      let end = SearchReach.lineEnd(of: last, in: bytes)
      guard (last - offset) * (end - last) > SearchReach.firstWork else { return last }
      // Each long line is examined once, so that many searches in it do not take quadratic time.
      var start = last
      while start > offset, bytes[start - 1] != 0x0A { start -= 1 }
      line = start..<end
      work = SearchReach.firstWork
    }
    // The lines before a long one do not show how long a search of it takes.
    guard line.lowerBound <= offset else { return line.lowerBound - 1 }
    let limited = offset + work / (line.upperBound - offset)
    isLimited = limited < last
    return min(limited, last)
  }

  /// Begins a text.
  mutating func reset() { self = SearchReach() }

  /// Adapts the limit after a search without a match.
  ///
  /// - Parameter duration: The duration of the search; zero if it was not timed.
  mutating func adapt(to duration: Duration) {
    if duration > .milliseconds(20) {
      reduce()
    } else if duration > .zero, duration < .milliseconds(2) {
      work *= duration < .microseconds(200) ? 16 : 4
    }
  }

  /// Reduces the limit, because attempts take longer than expected.
  mutating func reduce() { work = max(1, work / 4) }

  private static func lineEnd(of offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    guard offset < bytes.count, let base = bytes.baseAddress,
      let hit = memchr(base + offset, 0x0A, bytes.count - offset)
    else { return bytes.count }
    return UnsafeRawPointer(hit) - base
  }
}
