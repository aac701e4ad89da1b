import Foundation

/// The valid ranges of a file's counters. A damaged file may contain any number.
enum CounterLimits {
  /// Sequences, document counts and catalog versions. No file reaches the upper bound, and adding to a number in this
  /// range does not overflow.
  static let counts: ClosedRange<Int64> = 0...(1 << 53)

  /// Revisions. The maximum is a time in the year 2262. Times are clamped to 4 seconds before it, which leaves
  /// numbers for changes made after the latest time.
  static let revisions: ClosedRange<Int64> = 0...(.max - 1)

  /// Returns the time of the system's clock in nanoseconds since 1970, clamped to the range of revisions.
  static func currentNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return nanoseconds(now)
  }

  /// Returns a time in nanoseconds since 1970, clamped to the range of revisions.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let latest = Int64.max - (1 << 32)
    guard time.tv_sec >= 0 else { return 0 }
    guard time.tv_sec < latest / 1_000_000_000 else { return latest }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
