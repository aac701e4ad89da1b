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
  /// The long line of the last search, or the rest of the text if attempts do not end with their line.
  private var line = 0..<0
  /// Lines before this offset are not examined again. Start offsets ascend within a text.
  private var examined = 0
  /// Whether ``work`` limited the last search.
  private(set) var isLimited = false

  /// Reading this number of bytes takes well below a tenth of a second.
  private static let firstWork = 1 << 25
  /// Lines of at least twice this number of bytes are long. A step of 32 KiB in shorter lines reads at most twice
  /// ``firstWork``.
  private static let halfOfLongLine = 1 << 11

  /// Returns the last start offset of the next search.
  ///
  /// - Parameters:
  ///   - offset: the first start offset.
  ///   - last: the last start offset if the length of lines did not matter.
  ///   - staysInLine: whether an attempt ends with its line.
  mutating func last(from offset: Int, through last: Int, in bytes: UnsafeRawBufferPointer, staysInLine: Bool) -> Int {
    isLimited = false
    // In a short text, no line needs to be examined.
    guard (last - offset) * (bytes.count - offset) > SearchReach.firstWork else { return last }
    if !staysInLine {
      line = offset..<bytes.count
    } else if !line.contains(offset) {
      guard let start = longLine(from: offset, through: last, in: bytes) else { return last }
      // The lines before a long one do not show how long a search of it takes. Its end may be far away and is searched
      // for only when the search has reached the line.
      guard start == offset else { return start - 1 }
      line = start..<SearchReach.lineEnd(of: start, in: bytes)
      work = SearchReach.firstWork
    }
    let limited = offset + work / (line.upperBound - offset)
    // The next line may be long, too.
    let end = min(last, line.upperBound)
    isLimited = limited < end
    return min(limited, end)
  }

  /// Returns the start of the first long line that begins in a range; nil if there is none. A line that begins before
  /// `offset` counts from there.
  ///
  /// Lines are examined once, so that many searches of a text do not take quadratic time. Most of the text is skipped:
  /// if the second half of the next 4 KiB contains a line break, all lines before it are short.
  private mutating func longLine(from offset: Int, through last: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    let half = SearchReach.halfOfLongLine
    var start = max(offset, examined)
    defer { examined = start }
    while start <= last, bytes.count - start >= 2 * half {
      let middle = start + half
      if let lineBreak = SearchReach.lineBreak(in: middle..<middle + half, of: bytes) {
        start = lineBreak + 1
        continue
      }
      var next = middle
      while next > start, bytes[next - 1] != 0x0A { next -= 1 }
      if next == start { return start }
      start = next
    }
    return nil
  }

  /// Begins a text.
  mutating func reset() { self = SearchReach() }

  /// Adapts the limit after a search without a match.
  ///
  /// - Parameter duration: the duration of the search; zero if it was not timed.
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
    lineBreak(in: offset..<bytes.count, of: bytes) ?? bytes.count
  }

  /// Returns the offset of the first line break in a range.
  private static func lineBreak(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let hit = memchr(base + range.lowerBound, 0x0A, range.count) else {
      return nil
    }
    return UnsafeRawPointer(hit) - base
  }
}
