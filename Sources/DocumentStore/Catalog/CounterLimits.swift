import Foundation

/// The valid ranges of a file's counters. A damaged file may contain any number.
enum CounterLimits {
  /// Sequences, counts of documents and versions of the catalog. No file reaches the upper bound, and additions to a
  /// number in this range do not overflow.
  static let counts: ClosedRange<Int64> = 0...(1 << 53)

  /// Revisions. The time in nanoseconds reaches its maximum, in the year 2262, 4 seconds before the last revision, so
  /// that changes can still be numbered after it.
  static let revisions: ClosedRange<Int64> = 0...(.max - 1)

  /// Returns the time in nanoseconds since 1970, clamped to the range of revisions.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let latest = Int64.max - (1 << 32)
    guard time.tv_sec >= 0 else { return 0 }
    guard time.tv_sec < latest / 1_000_000_000 else { return latest }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
