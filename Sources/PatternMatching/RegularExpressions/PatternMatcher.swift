import CPCRE2

/// Matches texts with a ``Pattern``. It keeps the memory that a match needs, so one serves many texts.
///
/// It belongs to one thread; make one for each.
public final class PatternMatcher {
  /// The expression.
  public let pattern: Pattern

  private let matchData: OpaquePointer
  private let context: OpaquePointer
  private let stack: OpaquePointer?
  /// Machine code begins with 32 KiB of the thread's stack, which patterns with many alternatives exceed.
  private static let maximumStack = 1 << 20

  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/engine(code:)`` when memory is short.
  public init(_ pattern: Pattern) throws {
    guard let context = pcre2_match_context_create_8(nil) else { throw PatternMatcher.noMemory(pattern) }
    guard let data = pcre2_match_data_create_from_pattern_8(pattern.code, nil) else {
      pcre2_match_context_free_8(context)
      throw PatternMatcher.noMemory(pattern)
    }
    let limits = pattern.options.limits
    pcre2_set_match_limit_8(context, limits.match)
    pcre2_set_depth_limit_8(context, limits.depth)
    pcre2_set_heap_limit_8(context, limits.heap)
    stack = limits.usesJIT ? pcre2_jit_stack_create_8(32 << 10, PatternMatcher.maximumStack, nil) : nil
    if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
    self.pattern = pattern
    self.context = context
    matchData = data
  }

  deinit {
    pcre2_match_data_free_8(matchData)
    pcre2_match_context_free_8(context)
    if let stack { pcre2_jit_stack_free_8(stack) }
  }

  /// Whether the expression matches anywhere in the text.
  public func matches(_ text: UnsafeRawBufferPointer) throws(PatternError) -> Bool {
    try run(text, from: 0, flags: 0)
  }

  /// Whether the expression matches the text from its beginning to its end.
  ///
  /// All ways to match are tried: `a|ab` matches all of `ab`.
  public func matchesWhole(_ text: UnsafeRawBufferPointer) throws(PatternError) -> Bool {
    try run(text, from: 0, flags: UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_ENDANCHORED))
  }

  /// Where the first match at or behind a byte stands, in bytes, or nil.
  public func firstMatch(
    in text: UnsafeRawBufferPointer, from start: Int = 0
  ) throws(PatternError) -> Range<Int>? {
    guard start <= text.count, try run(text, from: start, flags: 0) else { return nil }
    return range(of: 0)
  }

  /// Where a group of the last match stands; 0 is the match. Nil for a group that took no part.
  public func range(of group: Int) -> Range<Int>? {
    guard group >= 0, group <= pattern.groupCount, let offsets = pcre2_get_ovector_pointer_8(matchData) else {
      return nil
    }
    let (start, end) = (offsets[2 * group], offsets[2 * group + 1])
    // \K in a lookahead can put the start behind the end.
    guard start != Int(bitPattern: UInt.max), end != Int(bitPattern: UInt.max) else { return nil }
    return min(Int(start), Int(end))..<Int(end)
  }

  /// Calls `body` with each match, which do not overlap, until it returns false. Behind an empty match the search goes on
  /// one character later.
  public func forEachMatch(
    in text: UnsafeRawBufferPointer, _ body: (Range<Int>) -> Bool
  ) throws(PatternError) {
    var start = 0
    while let match = try firstMatch(in: text, from: start) {
      guard body(match) else { return }
      let previous = start
      start = max(match.upperBound, start)
      if match.isEmpty || start == previous {
        // An empty match at the end of a non-empty one is a match of its own, as in Perl.
        guard start < text.count else { return }
        start += 1
        while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
      }
    }
  }

  /// How many matches there are.
  public func count(in text: UnsafeRawBufferPointer) throws(PatternError) -> Int {
    var count = 0
    try forEachMatch(in: text) { _ in
      count += 1
      return true
    }
    return count
  }

  private func run(_ text: UnsafeRawBufferPointer, from start: Int, flags: UInt32) throws(PatternError) -> Bool {
    var nothing: UInt8 = 0
    let result = withUnsafePointer(to: &nothing) { empty in
      pcre2_match_8(
        pattern.code, text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty, text.count, start, flags,
        matchData, context)
    }
    if result >= 0 { return true }
    if result == PCRE2_ERROR_NOMATCH { return false }
    throw error(result)
  }

  private func error(_ code: Int32) -> PatternError {
    let limits = pattern.options.limits
    let kind: PatternError.Kind =
      switch code {
      case PCRE2_ERROR_MATCHLIMIT: .matchLimit(Int(limits.match))
      case PCRE2_ERROR_DEPTHLIMIT: .depthLimit(Int(limits.depth))
      case PCRE2_ERROR_HEAPLIMIT: .heapLimit(Int(limits.heap))
      case PCRE2_ERROR_JIT_STACKLIMIT: .stackLimit(PatternMatcher.maximumStack)
      default: .engine(code: Int(code))
      }
    return PatternError(kind: kind, pattern: pattern.text, reason: Pattern.message(of: code))
  }

  private static func noMemory(_ pattern: Pattern) -> PatternError {
    PatternError(
      kind: .engine(code: Int(PCRE2_ERROR_NOMEMORY)), pattern: pattern.text, reason: "no more memory")
  }
}
