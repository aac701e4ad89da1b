import Foundation

/// What the counters of a file can be. A damaged file may hold any number in their place.
enum CounterLimits {
  /// Sequences, counts of documents and versions of the catalog. No file reaches the end, and what is added to a number up to
  /// here does not overflow.
  static let counts: ClosedRange<Int64> = 0...(1 << 53)

  /// Revisions. The time in nanoseconds ends 4 seconds before the last one, in the year 2262, so that changes can still be
  /// numbered after it.
  static let revisions: ClosedRange<Int64> = 0...(.max - 1)

  /// The time in nanoseconds since 1970: 0 for clocks that are set to an earlier one, and the last that can be a revision for
  /// clocks that are set to a later one.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let latest = Int64.max - (1 << 32)
    guard time.tv_sec >= 0 else { return 0 }
    guard time.tv_sec < latest / 1_000_000_000 else { return latest }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
