import Foundation

/// Limits the time of the matches in one text, or in several texts that are parts of one. PCRE2 has no time limit, so
/// its match limit starts low and is raised while time remains, and long texts are searched in steps.
///
/// The match limit applies to each offset at which a match may begin. Therefore, the higher the limit, the fewer
/// offsets are tried at a time. Both start at values for which the first attempt takes at most a tenth of a second.
struct PatternClock {
  /// The time limit for the matches of one text.
  private(set) var limit: Duration
  /// The number of times PCRE2 may backtrack from one offset.
  private(set) var matchLimit: UInt32
  /// The number of bytes searched at a time.
  private var step = PatternClock.longestStep
  /// Limits the offsets that are searched at a time in long lines.
  private var reach = SearchReach()

  private static let firstLimit: UInt32 = 2000
  private static let longestStep = 1 << 15
  /// One in this number of short searches is timed, because reading the clock takes as long as a short search.
  private static let sampleInterval = 64
  /// The amount of text, in bytes, for which texts that share a time limit get additional time equal to the limit of
  /// one text.
  private static let sizeOfOneLimit = 8 << 20
  /// The maximum duration of a short search.
  private static let longest = Duration.microseconds(100)

  private let highestLimit: UInt32
  private let limitOfText: Duration
  /// Whether texts share their time limit.
  private var isShared = false
  private var text: UnsafeRawPointer?
  private var start = 0
  private var calls = 0
  private var spent = Duration.zero
  /// The thread's processor time when the first search of the text was timed.
  private var timeBefore: Duration?
  /// The duration of the last search; zero if it was not timed.
  private var last = Duration.zero
  /// Whether every search is timed.
  private var isSlow = false
  /// The number of consecutive timed searches that were short. After `sampleInterval` of them, only samples are timed.
  private var quickCount = 0

  init(_ limits: PatternOptions.Limits) {
    limit = limits.time
    limitOfText = limits.time
    highestLimit = limits.match
    matchLimit = min(PatternClock.firstLimit, highestLimit)
  }

  /// Begins the first of several texts that share their time limit, so that a text that is matched in parts gets no
  /// more time than a text that is matched as a whole.
  ///
  /// - Parameters:
  ///   - size: the total number of bytes; a large text gets more time.
  ///   - remaining: an upper limit on the time; nil for none.
  mutating func beginTexts(size: Int, within remaining: Duration?) {
    isShared = true
    limit = limitOfText * (1 + size / PatternClock.sizeOfOneLimit)
    if let remaining { limit = min(limit, max(remaining, .zero)) }
    text = nil
    resetTime()
  }

  /// Begins a search. If it continues the previous search of the same text, both share the time limit.
  mutating func begin(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    defer { self.start = start }
    guard start <= self.start || bytes.baseAddress != text else { return }
    text = bytes.baseAddress
    step = PatternClock.longestStep
    reach.reset()
    matchLimit = min(PatternClock.firstLimit, highestLimit)
    if !isShared { resetTime() }
  }

  private mutating func resetTime() {
    calls = 0
    spent = .zero
    timeBefore = nil
    (isSlow, hasExpired) = (false, false)
  }

  /// Returns the last offset at which a match of the next search may begin.
  ///
  /// - Parameters:
  ///   - offset: the first offset.
  ///   - end: the last offset that remains to be searched.
  ///   - staysInLine: whether an attempt to match ends with its line; nil if its length is limited by the pattern.
  mutating func lastOffset(
    from offset: Int, through end: Int, in bytes: UnsafeRawBufferPointer, staysInLine: Bool?
  ) -> Int {
    let last = min(end, offset + step)
    guard let staysInLine else { return last }
    return reach.last(from: offset, through: last, in: bytes, staysInLine: staysInLine)
  }

  /// Marks the time limit as exceeded.
  mutating func end() { hasExpired = true }

  /// The processor time available for a search that begins now.
  var remaining: Duration { limit - spent }

  /// Whether the time limit is exceeded, or the remaining time is shorter than the last attempt took.
  private(set) var hasExpired = false

  /// Records the start of a search.
  ///
  /// - Returns: The start time to pass to ``searchEnded(_:)``, or nil if the search is not timed. (If the search were
  ///   passed as a closure, Swift would check each access to the clock dynamically, which takes as long as a short
  ///   search.)
  mutating func searchBegins() -> ContinuousClock.Instant? {
    calls += 1
    guard isSlow || calls % PatternClock.sampleInterval == 0 else {
      last = .zero
      return nil
    }
    if timeBefore == nil { timeBefore = PatternClock.threadTime() }
    return .now
  }

  /// Records the end of a search that began at the given time.
  mutating func searchEnded(_ start: ContinuousClock.Instant) {
    last = .now - start
    // Other programs may interrupt a search, so one long search does not mean that the untimed searches are long.
    quickCount = last > PatternClock.longest ? 0 : quickCount + 1
    isSlow = quickCount == 0 || isSlow && quickCount < PatternClock.sampleInterval
    spent += isSlow ? last : last * PatternClock.sampleInterval
    // On a busy machine, other programs may have used most of the time. The thread's processor time is read only now,
    // because that takes much longer than reading the clock.
    if spent > limit / 2, let timeBefore {
      let threadTime = PatternClock.threadTime() - timeBefore
      (spent, last) = (min(spent, threadTime), min(last, threadTime))
    }
    hasExpired = spent > limit
  }

  /// Returns the processor time of this thread.
  static func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Raises the match limit after it was reached. Returns false if it is at its maximum.
  mutating func raiseMatchLimit() -> Bool {
    guard matchLimit < highestLimit else { return false }
    let factor = last > .zero ? min(4, (limit - spent) / last) : 4
    hasExpired = hasExpired || factor < 1
    (isSlow, quickCount) = (true, 0)
    matchLimit = UInt32(min(Double(highestLimit), Double(matchLimit) * max(factor, 1)))
    step = max(1, step / 4)
    reach.reduce()
    return true
  }

  /// Adapts the step for the next part of a text.
  mutating func adaptStep() {
    if reach.isLimited {
      reach.adapt(to: last)
    } else if last < .milliseconds(2) {
      let longest = PatternClock.longestStep * Int(PatternClock.firstLimit) / Int(matchLimit)
      step = max(step, min(4 * step, longest))
    } else if last > .milliseconds(20) {
      step = max(1, step / 4)
    }
    (isSlow, quickCount) = (true, 0)
  }
}
