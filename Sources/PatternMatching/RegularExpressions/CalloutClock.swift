import CPCRE2

/// Interrupts a search that PCRE2 runs in one call when the search exceeds its time limit. PCRE2 calls the clock before
/// every item of a pattern compiled with `PCRE2_AUTO_CALLOUT`; see pcre2callout(3).
final class CalloutClock {
  /// The processor time that the search may take.
  private var limit = Duration.zero
  private var calls = 0
  /// The processor time at the first reading of the clock during the search.
  private var timeBefore: Duration?
  private let shouldEnd: (() -> Bool)?
  /// Whether the caller has asked the search to stop.
  private(set) var isInterrupted = false

  /// The number of calls between two readings of the clock, because a reading is slow compared with a call.
  private static let sampleInterval = 256

  /// - Parameter shouldEnd: see ``PatternMatcher/init(_:shouldEnd:)``.
  init(shouldEnd: (() -> Bool)?) { self.shouldEnd = shouldEnd }

  /// Registers the clock as PCRE2's callout. The clock must outlive the matches.
  func attach(to context: OpaquePointer) {
    let data = Unmanaged.passUnretained(self).toOpaque()
    pcre2_set_callout_8(
      context,
      { _, data in
        guard let data else { return 0 }
        return Unmanaged<CalloutClock>.fromOpaque(data).takeUnretainedValue().hasExpired() ? PCRE2_ERROR_CALLOUT : 0
      }, data)
  }

  /// Begins a search.
  func begin(_ limit: Duration) {
    self.limit = limit
    isInterrupted = false
    calls = 0
    timeBefore = nil
  }

  private func hasExpired() -> Bool {
    calls += 1
    guard calls % CalloutClock.sampleInterval == 0 else { return false }
    isInterrupted = shouldEnd?() == true
    if isInterrupted { return true }
    let now = PatternClock.threadTime()
    guard let timeBefore else {
      timeBefore = now
      return false
    }
    return now - timeBefore > limit
  }
}
