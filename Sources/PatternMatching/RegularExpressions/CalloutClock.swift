import CPCRE2

/// Ends a search that PCRE2 makes in one go when its time is over. PCRE2 calls it before every item of a pattern that was compiled
/// with `PCRE2_AUTO_CALLOUT`; pcre2callout(3).
final class CalloutClock {
  /// How long the search may keep the processor.
  private var limit = Duration.zero
  private var calls = 0
  private var workBefore: Duration?

  /// Of so many calls one looks at the clock, which takes as long as they do.
  private static let sample = 256

  /// Makes PCRE2 call it. It must outlive the matches.
  func attach(to context: OpaquePointer) {
    let data = Unmanaged.passUnretained(self).toOpaque()
    pcre2_set_callout_8(
      context,
      { _, data in
        guard let data else { return 0 }
        return Unmanaged<CalloutClock>.fromOpaque(data).takeUnretainedValue().isOver() ? PCRE2_ERROR_CALLOUT : 0
      }, data)
  }

  /// Begins a search.
  func begin(_ limit: Duration) {
    self.limit = limit
    calls = 0
    workBefore = nil
  }

  private func isOver() -> Bool {
    calls += 1
    guard calls % CalloutClock.sample == 0 else { return false }
    let now = PatternClock.work()
    guard let workBefore else {
      workBefore = now
      return false
    }
    return now - workBefore > limit
  }
}
