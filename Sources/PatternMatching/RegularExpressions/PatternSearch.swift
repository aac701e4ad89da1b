import CPCRE2

/// Runs PCRE2 for a ``PatternMatcher``. It selects the variant of the pattern that fits the text, starts at the offsets
/// at which a match can begin, and enforces the limits.
final class PatternSearch {
  private let pattern: Pattern
  private let matchData: OpaquePointer
  private let context: OpaquePointer
  /// A separate stack for JIT code that needs more than the default, 32 KiB of the thread's stack.
  private var stack: OpaquePointer?
  private let stackSize: Int
  private var compiled = [CompiledPattern?](repeating: nil, count: CompiledPattern.Variant.count)
  private let prefilter: LiteralPrefilter?
  /// Whether the pattern can be matched byte by byte on ASCII text, which is faster if it contains character classes.
  /// Every literal character must be one byte: `é*` would repeat only the second byte of `é`.
  let isFasterOnASCII: Bool
  /// Whether a search may be split into ranges of start offsets of matches. If not, a callout checks the clock.
  private let isDivisible: Bool
  /// Whether an attempt to match ends with its line; nil if its length is limited by the pattern.
  private let staysInLine: Bool?
  private var clock: PatternClock
  /// Limits the time of searches that cannot be split; nil if they can.
  private let calloutClock: CalloutClock?
  /// See ``PatternMatcher/init(_:shouldEnd:)``.
  private let shouldEnd: (() -> Bool)?
  /// The number of searches. Not every search calls ``shouldEnd``, because a call takes as long as a short search.
  private var searchCount = 0

  /// The number of searches between two calls to ``shouldEnd``. A long search also calls it between its steps.
  private static let searchesBetweenChecks = 64

  init(_ pattern: Pattern, shouldEnd: (() -> Bool)? = nil) throws(PatternError) {
    self.shouldEnd = shouldEnd
    let limits = pattern.options.limits
    guard let context = pcre2_match_context_create_8(nil) else { throw PatternSearch.noMemory(pattern) }
    guard let data = pcre2_match_data_create_8(UInt32(pattern.groupCount) + 1, nil) else {
      pcre2_match_context_free_8(context)
      throw PatternSearch.noMemory(pattern)
    }
    pcre2_set_depth_limit_8(context, limits.depth)
    pcre2_set_heap_limit_8(context, limits.heap)
    stackSize = max(1 << 20, Int(limits.heap) << 10)
    self.pattern = pattern
    self.context = context
    matchData = data
    isDivisible = pattern.isDivisible
    // A literal needs no prefilter, because PCRE2 searches for it just as fast.
    let analysis = pattern.options.isLiteral ? nil : pattern.analysis
    let isASCIIOnly =
      pattern.text.utf8.allSatisfy { $0 < 0x80 } && !["\\x{", "\\o{", "\\N{"].contains { pattern.text.contains($0) }
    isFasterOnASCII = isASCIIOnly && analysis?.usesCharacterClasses ?? false
    staysInLine = pattern.hasLimitedLength ? nil : analysis?.canMatchNewline == false
    prefilter = pattern.options.usesPrefilter ? analysis.flatMap(LiteralPrefilter.init) : nil
    clock = PatternClock(limits)
    calloutClock = isDivisible ? nil : CalloutClock(shouldEnd: shouldEnd)
    calloutClock?.attach(to: context)
  }

  deinit {
    pcre2_match_data_free_8(matchData)
    pcre2_match_context_free_8(context)
    if let stack { pcre2_jit_stack_free_8(stack) }
  }

  /// Starts the time limit that several texts share.
  func beginTexts(size: Int, within remaining: Duration?) { clock.beginTexts(size: size, within: remaining) }

  /// Returns whether the text contains the required literal.
  func mayMatch(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    prefilter.map { ByteSearch.first($0.literal, in: text, from: start) != nil } ?? true
  }

  /// Returns whether there is a match at or after `start`.
  func find(in text: PatternText, from start: Int) throws(PatternError) -> Bool {
    guard start >= 0, start <= text.bytes.count else { return false }
    clock.begin(text.bytes, from: start)
    let code = try code(for: text, isWhole: false)
    let start = PatternSearch.character(from: start, in: text.bytes)
    guard let prefilter, prefilter.marksMatchStart, isDivisible else {
      guard mayMatch(text.bytes, from: start) else { return false }
      return try find(code, in: text, from: start, through: text.bytes.count)
    }
    var offset = start
    var tries = 0
    while let hit = ByteSearch.first(prefilter.literal, in: text.bytes, from: offset) {
      tries += 1
      if tries > 32, hit - start < 64 * tries {
        // The literal is too frequent in this text.
        return try find(code, in: text, from: offset, through: text.bytes.count)
      }
      // A match in which this is the first occurrence of the literal begins on the same line, at or before the
      // occurrence.
      var begin = hit
      while begin > offset, text.bytes[begin - 1] != 0x0A { begin -= 1 }
      if try find(code, in: text, from: begin, through: hit) { return true }
      offset = PatternSearch.character(from: hit + 1, in: text.bytes)
    }
    return false
  }

  /// Returns whether the whole text matches.
  func findWhole(in text: PatternText) throws(PatternError) -> Bool {
    clock.begin(text.bytes, from: 0)
    return try find(code(for: text, isWhole: true), in: text, from: 0, through: 0)
  }

  /// Returns the range of a group of the last match.
  func range(of group: Int) -> Range<Int>? {
    guard let offsets = pcre2_get_ovector_pointer_8(matchData) else { return nil }
    let (start, end) = (offsets[2 * group], offsets[2 * group + 1])
    // \K in a lookahead can put the start after the end.
    guard start != Int(bitPattern: UInt.max), end != Int(bitPattern: UInt.max) else { return nil }
    return min(Int(start), Int(end))..<Int(end)
  }

  /// The offset at which the last match began, before `\K` moved its start.
  var startOfMatch: Int { Int(pcre2_get_startchar_8(matchData)) }

  private func code(for text: PatternText, isWhole: Bool) throws(PatternError) -> CompiledPattern {
    // Without character classes, the UTF-8 variant is as fast, and one variant is enough.
    let kind = text.kind == .ascii && !isFasterOnASCII ? .utf8 : text.kind
    let variant = CompiledPattern.Variant(text: kind, isWhole: isWhole)
    if let known = compiled[variant.index] { return known }
    let code = try pattern.compiled(variant)
    compiled[variant.index] = code
    return code
  }

  /// Returns whether a match begins in a range of the text. The range is searched in steps, between which the clock is
  /// checked.
  private func find(
    _ code: CompiledPattern, in text: PatternText, from start: Int, through end: Int
  ) throws(PatternError) -> Bool {
    var offset = start
    searchCount += 1
    var isDue = searchCount % PatternSearch.searchesBetweenChecks == 0
    while true {
      if isDue, shouldEnd?() == true { throw interrupted }
      isDue = true
      if clock.hasExpired {
        throw PatternSearch.error(pattern, .timeLimit(clock.limit), "the time limit was exceeded")
      }
      let last =
        isDivisible
        ? clock.lastOffset(from: offset, through: end, in: text.bytes, staysInLine: staysInLine) : end
      pcre2_set_match_limit_8(context, clock.matchLimit)
      pcre2_set_offset_limit_8(context, last)
      calloutClock?.begin(clock.remaining)
      let begin = clock.searchBegins()
      let result = run(code, text, from: offset)
      if let begin { clock.searchEnded(begin) }
      if result >= 0 { return true }
      switch result {
      case PCRE2_ERROR_NOMATCH:
        guard last < end else { return false }
        offset = PatternSearch.character(from: last + 1, in: text.bytes)
        guard offset <= end else { return false }
        clock.adaptStep()
      case PCRE2_ERROR_CALLOUT:
        if calloutClock?.isInterrupted == true { throw interrupted }
        clock.end()
      case PCRE2_ERROR_MATCHLIMIT: guard clock.raiseMatchLimit() else { throw error(result) }
      case PCRE2_ERROR_JIT_STACKLIMIT: guard makeStack() else { throw error(result) }
      default: throw error(result)
      }
    }
  }

  private var interrupted: PatternError {
    PatternSearch.error(pattern, .interrupted, "the search was interrupted")
  }

  /// Allocates a separate stack for JIT code. Returns false if one already exists or if the allocation fails. The
  /// system commits the memory only when it is used.
  private func makeStack() -> Bool {
    guard stack == nil, let stack = pcre2_jit_stack_create_8(32 << 10, stackSize, nil) else { return false }
    pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    self.stack = stack
    return true
  }

  /// Returns the offset of the first character boundary at or after `index`. PCRE2 must not start within a character.
  static func character(from index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var index = index
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }

  private func run(_ code: CompiledPattern, _ text: PatternText, from start: Int) -> Int32 {
    var nothing: UInt8 = 0
    return withUnsafePointer(to: &nothing) { empty in
      let subject = text.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty
      let count = text.bytes.count
      if code.hasMachineCode, text.kind != .bytes {
        return pcre2_jit_match_8(code.code, subject, count, start, 0, matchData, context)
      }
      let flags = text.kind == .bytes ? 0 : UInt32(PCRE2_NO_UTF_CHECK)
      return pcre2_match_8(code.code, subject, count, start, flags, matchData, context)
    }
  }

  private func error(_ code: Int32) -> PatternError {
    let limits = pattern.options.limits
    let kind: PatternError.Kind =
      switch code {
      case PCRE2_ERROR_MATCHLIMIT: .matchLimit(Int(limits.match))
      case PCRE2_ERROR_DEPTHLIMIT: .depthLimit(Int(limits.depth))
      case PCRE2_ERROR_HEAPLIMIT: .heapLimit(Int(limits.heap))
      case PCRE2_ERROR_JIT_STACKLIMIT: .stackLimit(stackSize)
      default: .engine(code: Int(code))
      }
    return PatternSearch.error(pattern, kind, PatternError.message(of: code))
  }

  private static func noMemory(_ pattern: Pattern) -> PatternError {
    error(pattern, .engine(code: Int(PCRE2_ERROR_NOMEMORY)), "out of memory")
  }

  private static func error(_ pattern: Pattern, _ kind: PatternError.Kind, _ reason: String) -> PatternError {
    PatternError(
      kind: kind, pattern: pattern.origin.text, reason: reason, patternCount: pattern.origin.count,
      totalPatternCount: pattern.origin.totalCount)
  }
}
