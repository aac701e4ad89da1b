import Synchronization

/// A cache of compiled expressions by text and options, which evicts the least recently used.
///
/// Errors are not cached: an invalid pattern is compiled again each time.
public final class PatternCache: Sendable {
  /// The cache shared by all connections.
  public static let shared = PatternCache(capacity: 256)

  private struct Key: Hashable {
    let text: String
    let options: PatternOptions

    // Swift strings are equal if they are canonically equivalent; patterns are equal if their bytes are.
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

  /// Creates a cache for at most `capacity` expressions.
  public init(capacity: Int) { self.capacity = max(capacity, 1) }

  /// Returns the expression from the cache, or compiles it.
  ///
  /// - Throws: ``PatternError`` for an invalid expression.
  public func pattern(_ text: String, options: PatternOptions = PatternOptions()) throws(PatternError) -> Pattern {
    let key = Key(text: text, options: options)
    let known = state.withLock { state -> Pattern? in
      state.clock += 1
      guard let entry = state.patterns[key] else { return nil }
      state.patterns[key] = (entry.pattern, state.clock)
      return entry.pattern
    }
    if let known { return known }
    // Compiled outside the lock: two threads may do so at the same time, and both results are valid.
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
