import Foundation

/// Keeps the time of the matches in one text, or in several that are parts of one. PCRE2 has no clock, so its limit on steps begins low and is raised while there
/// is time, and long texts are searched in steps.
///
/// The limit on steps holds for each place where a match may begin. So the more steps are allowed, the fewer places are
/// tried at a time; both begin so that a first try takes a tenth of a second at worst.
struct PatternClock {
  /// How long the matches of one text may take.
  private(set) var limit: Duration
  /// How often PCRE2 may backtrack from one place.
  private(set) var matchLimit: UInt32
  /// How many bytes are searched at a time.
  private(set) var step = PatternClock.firstStep

  private static let firstLimit: UInt32 = 2000
  private static let firstStep = 1 << 15
  private static let longestStep = 1 << 16
  /// Of so many short searches of a text one is measured, since asking for the time takes as long as they do.
  private static let sample = 64
  /// Bytes of texts that share their time for which they get as much time as one text has.
  private static let sizeOfOneLimit = 8 << 20
  /// A search that takes longer is not short.
  private static let longest = Duration.microseconds(100)

  private let highestLimit: UInt32
  private let limitOfText: Duration
  /// Whether the time goes on from text to text.
  private var isShared = false
  private var text: UnsafeRawPointer?
  private var start = 0
  private var calls = 0
  private var spent = Duration.zero
  /// What the thread had worked when the first search of the text was measured.
  private var workBefore: Duration?
  /// What the last search took, zero if it was not measured.
  private var last = Duration.zero
  /// Whether every search is measured.
  private var isSlow = false
  /// How many searches that were measured were short, one after the other. After some, not all need be measured any more.
  private var quickCount = 0

  init(_ limits: PatternOptions.Limits) {
    limit = limits.time
    limitOfText = limits.time
    highestLimit = limits.match
    matchLimit = min(PatternClock.firstLimit, highestLimit)
  }

  /// Begins the first of several texts that share their time. So a text that is matched in many parts takes no longer than in one.
  ///
  /// - Parameters:
  ///   - size: the bytes of all of them; much text may take more time.
  ///   - remaining: an upper limit on the time; nil for none.
  mutating func beginTexts(size: Int, within remaining: Duration?) {
    isShared = true
    limit = limitOfText * (1 + size / PatternClock.sizeOfOneLimit)
    if let remaining { limit = min(limit, max(remaining, .zero)) }
    text = nil
    resetTime()
  }

  /// Begins a search. Behind the start of the text that was searched last, its time goes on.
  mutating func begin(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    defer { self.start = start }
    guard start <= self.start || bytes.baseAddress != text else { return }
    text = bytes.baseAddress
    step = PatternClock.firstStep
    matchLimit = min(PatternClock.firstLimit, highestLimit)
    if !isShared { resetTime() }
  }

  private mutating func resetTime() {
    calls = 0
    spent = .zero
    workBefore = nil
    (isSlow, isOver) = (false, false)
  }

  /// Ends the time: a search took what there was.
  mutating func end() { isOver = true }

  /// How long a search that begins now may keep the processor.
  var remaining: Duration { limit - spent }

  /// Whether the time is over, or not enough is left to get further than before.
  private(set) var isOver = false

  /// Notes that a search begins.
  ///
  /// - Returns: when it did, where its time may matter, for ``searchEnded(_:)``. (A closure for the search would make every access to
  ///   the clock one that is checked while the program runs, which takes as long as a short search.)
  mutating func searchBegins() -> ContinuousClock.Instant? {
    calls += 1
    guard isSlow || calls % PatternClock.sample == 0 else {
      last = .zero
      return nil
    }
    if workBefore == nil { workBefore = PatternClock.work() }
    return .now
  }

  /// Takes the time of a search that began then.
  mutating func searchEnded(_ start: ContinuousClock.Instant) {
    last = .now - start
    // A search may be interrupted by other programs, which tells nothing of those that are not measured.
    quickCount = last > PatternClock.longest ? 0 : quickCount + 1
    isSlow = quickCount == 0 || isSlow && quickCount < PatternClock.sample
    spent += isSlow ? last : last * PatternClock.sample
    // On a busy machine most of it may have gone to other programs. The thread's own time is asked for only now, since that
    // takes much longer than a look at the clock.
    if spent > limit / 2, let workBefore {
      let work = PatternClock.work() - workBefore
      (spent, last) = (min(spent, work), min(last, work))
    }
    isOver = spent > limit
  }

  /// How long this thread has had a processor.
  static func work() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Allows more steps from one place, after too few. False if these were all that are allowed.
  mutating func raiseMatchLimit() -> Bool {
    guard matchLimit < highestLimit else { return false }
    let factor = last > .zero ? min(4, (limit - spent) / last) : 4
    isOver = isOver || factor < 1
    (isSlow, quickCount) = (true, 0)
    matchLimit = UInt32(min(Double(highestLimit), Double(matchLimit) * max(factor, 1)))
    step = max(1, step / 4)
    return true
  }

  /// Goes on to the next part of a text.
  mutating func wentOn() {
    if last < .milliseconds(2) {
      let longest = PatternClock.longestStep * Int(PatternClock.firstLimit) / Int(matchLimit)
      step = max(step, min(4 * step, longest))
    } else if last > .milliseconds(20) {
      step = max(1, step / 4)
    }
    (isSlow, quickCount) = (true, 0)
  }
}
