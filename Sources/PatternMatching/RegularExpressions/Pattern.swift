import CPCRE2
import Synchronization

/// A compiled regular expression in the language of Perl, by PCRE2, over UTF-8 with Unicode's properties.
///
/// ```swift
/// let matcher = PatternMatcher(try Pattern("spin_(un)?lock"))
/// try matcher.firstMatch(in: bytes)   // 12..<21
/// ```
///
/// It never changes, so threads may share it; what a match needs belongs to a ``PatternMatcher``. Text that is not UTF-8 is
/// no danger: no match reaches across a broken byte.
///
/// - Complexity: making one takes microseconds, with machine code tens of them. Keep it: ``PatternCache``.
public final class Pattern: Sendable {
  /// The expression as it was written.
  public let text: String
  /// How it was read.
  public let options: PatternOptions
  /// How many groups it captures.
  public let groupCount: Int
  /// How many characters a match has at least, as far as PCRE2 knows.
  public let minimumLength: Int
  /// The names of the groups by number; nil for those without. Number 0 is the match.
  public let groupNames: [String?]

  /// Whether a search may be divided by the places where matches begin.
  let isDivisible: Bool

  private let state: Mutex<State>

  /// What is made when it is first needed.
  private struct State {
    var compiled: [CompiledPattern?]
    var analysis: PatternAnalysis?
  }

  /// Compiles an expression.
  ///
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/syntax(offset:)`` for text that is no expression, or one that is
  ///   larger than PCRE2 takes.
  public init(_ text: String, options: PatternOptions = PatternOptions()) throws(PatternError) {
    let variant = CompiledPattern.Variant(text: .utf8, isWhole: false)
    // Only in these can there be something that a divided search would notice; what they mean the analysis tells.
    let mayBeIndivisible = !options.isLiteral && (text.contains("\\G") || text.contains("(*"))
    let analysis = mayBeIndivisible ? PatternAnalysis(text, options: options) : nil
    isDivisible = analysis?.isDivisible ?? true
    let compiled = try CompiledPattern(text, options, variant, asksForTime: !isDivisible)
    self.text = text
    self.options = options
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

  /// The number of the group with this name, or nil. Of several, the first one.
  public func group(named name: String) -> Int? {
    groupNames.firstIndex { $0.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
  }

  /// What can be said of every match. It is found out when somebody asks first.
  public var analysis: PatternAnalysis {
    if let known = state.withLock({ $0.analysis }) { return known }
    // Outside of the lock: two threads may do so at a time, and both results are right.
    let analysis = PatternAnalysis(text, options: options)
    state.withLock { $0.analysis = analysis }
    return analysis
  }

  /// The expression for a kind of text.
  ///
  /// - Throws: ``PatternError`` when memory is short.
  func compiled(_ variant: CompiledPattern.Variant) throws(PatternError) -> CompiledPattern {
    if let known = state.withLock({ $0.compiled[variant.index] }) { return known }
    let compiled: CompiledPattern
    if variant.text == .ascii, let forASCII = try? CompiledPattern(text, options, variant, asksForTime: !isDivisible) {
      compiled = forASCII
    } else if variant.text == .ascii {
      // It names characters by numbers that bytes do not have.
      compiled = try self.compiled(CompiledPattern.Variant(text: .utf8, isWhole: variant.isWhole))
    } else {
      compiled = try CompiledPattern(text, options, variant, asksForTime: !isDivisible)
    }
    state.withLock { $0.compiled[variant.index] = compiled }
    return compiled
  }

  /// The names from PCRE2's table: entries of one size, a number of two bytes and a C string; pcre2api(3), PCRE2_INFO_NAMETABLE.
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
