import CPCRE2
import Synchronization

/// A compiled PCRE2 regular expression, over UTF-8 with Unicode properties.
///
/// ```swift
/// let matcher = try PatternMatcher(Pattern("spin_(un)?lock"))
/// try matcher.firstMatch(in: bytes)   // 12..<21
/// ```
///
/// A pattern is immutable, so threads may share it; the state of matching is in a ``PatternMatcher``. Invalid UTF-8 is
/// safe: no match crosses an invalid byte.
///
/// - Complexity: Compilation takes a few microseconds, or tens of microseconds with the JIT. Reuse patterns, for
///   example with ``PatternCache``.
public final class Pattern: Sendable {
  /// The text of the expression.
  public let text: String
  /// The options of the expression.
  public let options: PatternOptions
  /// The number of capturing groups.
  public let groupCount: Int
  /// A lower bound on the length of a match in characters, computed by PCRE2.
  public let minimumLength: Int
  /// The names of the groups by number; nil for unnamed groups. Number 0 is the match.
  public let groupNames: [String?]

  /// What the messages of errors quote.
  let origin: PatternOrigin
  /// Whether a search of a text may be split into steps, each of which looks for matches that start in one range.
  let isDivisible: Bool

  /// Whether the text that an attempt to match reads is limited by the length of the pattern, which has no repetitions,
  /// calls of groups or escapes. May be false for other patterns with this property.
  let hasLimitedLength: Bool

  private let state: Mutex<State>

  /// State that is computed on first use.
  private struct State {
    var compiled: [CompiledPattern?]
    var analysis: PatternAnalysis?
  }

  /// Compiles an expression.
  ///
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/syntax(offset:)`` for an invalid expression, or one that is
  ///   too large for PCRE2.
  public convenience init(_ text: String, options: PatternOptions = PatternOptions()) throws(PatternError) {
    try self.init(text, options: options, origin: PatternOrigin(text: text))
  }

  /// Compiles an expression that was generated from other patterns.
  ///
  /// - Parameter origin: what the messages of errors while matching quote.
  package init(_ text: String, options: PatternOptions, origin: PatternOrigin) throws(PatternError) {
    let variant = CompiledPattern.Variant(text: .utf8, isWhole: false)
    // Only these constructs can make a search indivisible; the analysis determines whether they do.
    let mayBeIndivisible = !options.isLiteral && (text.contains("\\G") || text.contains("(*"))
    let analysis = mayBeIndivisible ? PatternAnalysis(text, options: options) : nil
    isDivisible = analysis?.isDivisible ?? true
    let compiled = try CompiledPattern(text, options, variant, checksTime: !isDivisible)
    self.text = text
    self.options = options
    self.origin = origin
    hasLimitedLength = options.isLiteral || !text.utf8.contains { Pattern.unlimited.contains($0) }
    var groups: UInt32 = 0
    pcre2_pattern_info_8(compiled.code, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
    groupCount = Int(groups)
    var minimum: UInt32 = 0
    pcre2_pattern_info_8(compiled.code, UInt32(PCRE2_INFO_MINLENGTH), &minimum)
    minimumLength = Int(minimum)
    groupNames = Pattern.groupNames(compiled.code, count: Int(groups))
    var all = [CompiledPattern?](repeating: nil, count: CompiledPattern.Variant.count)
    all[variant.index] = compiled
    state = Mutex(State(compiled: all, analysis: analysis))
  }

  /// Characters of repetitions, calls of groups and escapes. `(*` also contains one of them.
  private static let unlimited = Array("*+?{\\".utf8)

  /// Returns the number of the group with this name, or nil. If several groups have the name, returns the first.
  public func group(named name: String) -> Int? {
    groupNames.firstIndex { $0.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
  }

  /// The analysis of the expression, such as the literals that every match contains. Computed on first use.
  public var analysis: PatternAnalysis {
    if let known = state.withLock({ $0.analysis }) { return known }
    // Computed outside the lock: two threads may do so at the same time, and both results are valid.
    let analysis = PatternAnalysis(text, options: options)
    state.withLock { $0.analysis = analysis }
    return analysis
  }

  /// Returns the expression compiled for a kind of text.
  ///
  /// - Throws: ``PatternError`` if memory allocation fails.
  func compiled(_ variant: CompiledPattern.Variant) throws(PatternError) -> CompiledPattern {
    if let known = state.withLock({ $0.compiled[variant.index] }) { return known }
    let compiled: CompiledPattern
    if variant.text == .ascii, let forASCII = try? CompiledPattern(text, options, variant, checksTime: !isDivisible) {
      compiled = forASCII
    } else if variant.text == .ascii {
      // The expression uses character codes above 255, which the ASCII variant does not support.
      compiled = try self.compiled(CompiledPattern.Variant(text: .utf8, isWhole: variant.isWhole))
    } else {
      compiled = try CompiledPattern(text, options, variant, checksTime: !isDivisible)
    }
    state.withLock { $0.compiled[variant.index] = compiled }
    return compiled
  }

  /// Reads the group names from PCRE2's table. Its entries have a fixed size and consist of a two-byte group number and
  /// a C string; see PCRE2_INFO_NAMETABLE in pcre2api(3).
  private static func groupNames(_ code: OpaquePointer, count: Int) -> [String?] {
    var names = [String?](repeating: nil, count: count + 1)
    var (entries, size): (UInt32, UInt32) = (0, 0)
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &entries)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return names }
    for entry in 0..<Int(entries) {
      let bytes = UnsafeBufferPointer(start: table + entry * Int(size), count: Int(size))
      let number = Int(bytes[0]) << 8 | Int(bytes[1])
      names[number] = String(decoding: bytes[2...].prefix { $0 != 0 }, as: UTF8.self)
    }
    return names
  }
}
