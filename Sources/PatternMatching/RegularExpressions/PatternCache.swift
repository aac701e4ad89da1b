import Synchronization

/// Compiled expressions kept for reuse, by text and options; the one that was asked for longest ago goes first.
///
/// Faults are not kept: a pattern with one is compiled again each time.
public final class PatternCache: Sendable {
  /// The cache that all connections share.
  public static let shared = PatternCache(capacity: 256)

  private struct Key: Hashable {
    let text: String
    let options: PatternOptions

    // Strings of Swift are equal when Unicode calls them so; patterns when their bytes are.
    static func == (one: Key, other: Key) -> Bool {
      one.options == other.options && one.text.utf8.elementsEqual(other.text.utf8)
    }
  }

  private struct State {
    var patterns: [Key: (pattern: Pattern, used: UInt64)] = [:]
    var clock: UInt64 = 0
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A cache for at most `capacity` expressions.
  public init(capacity: Int) { self.capacity = max(capacity, 1) }

  /// The expression, compiled now or before.
  ///
  /// - Throws: ``PatternError`` for text that is no expression.
  public func pattern(_ text: String, options: PatternOptions = PatternOptions()) throws(PatternError) -> Pattern {
    let key = Key(text: text, options: options)
    let known = state.withLock { state -> Pattern? in
      state.clock += 1
      guard let entry = state.patterns[key] else { return nil }
      state.patterns[key] = (entry.pattern, state.clock)
      return entry.pattern
    }
    if let known { return known }
    // Compiled outside of the lock: two threads may do so at a time, and both results are right.
    let pattern = try Pattern(text, options: options)
    state.withLock { state in
      if state.patterns.count >= capacity, let oldest = state.patterns.min(by: { $0.value.used < $1.value.used }) {
        state.patterns[oldest.key] = nil
      }
      state.patterns[key] = (pattern, state.clock)
    }
    return pattern
  }
}
