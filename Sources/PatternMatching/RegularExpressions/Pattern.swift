import CPCRE2

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
///
/// `@unchecked Sendable` without a lock: PCRE2's compiled patterns are read-only once made (pcre2api(3),
/// "Multithreading").
public final class Pattern: @unchecked Sendable {
  /// The expression as it was written.
  public let text: String
  /// How it was read.
  public let options: PatternOptions
  /// How many groups it captures.
  public let groupCount: Int

  let code: OpaquePointer

  /// Compiles an expression.
  ///
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/syntax(offset:)`` for text that is no expression.
  public init(_ text: String, options: PatternOptions = PatternOptions()) throws {
    var flags = UInt32(PCRE2_UTF) | UInt32(PCRE2_MATCH_INVALID_UTF)
    if options.isLiteral {
      flags |= UInt32(PCRE2_LITERAL)
    } else {
      // \C would match a part of a character.
      flags |= UInt32(PCRE2_UCP) | UInt32(PCRE2_NEVER_BACKSLASH_C)
      if options.isMultiline { flags |= UInt32(PCRE2_MULTILINE) }
      if options.dotMatchesNewlines { flags |= UInt32(PCRE2_DOTALL) }
      if options.isExtended { flags |= UInt32(PCRE2_EXTENDED) }
    }
    if options.ignoresCase { flags |= UInt32(PCRE2_CASELESS) }
    var errorCode: Int32 = 0
    var errorOffset = 0
    var source = text
    let compiled = source.withUTF8 { bytes in
      // PCRE2 takes no null pointer, which an empty string may have.
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) {
        pcre2_compile_8(bytes.baseAddress ?? $0, bytes.count, flags, &errorCode, &errorOffset, nil)
      }
    }
    guard let compiled else {
      throw PatternError(
        kind: .syntax(offset: errorOffset), pattern: text, reason: Pattern.message(of: errorCode))
    }
    code = compiled
    self.text = text
    self.options = options
    // Where there is no machine code for a processor or a pattern, PCRE2 interprets.
    if options.limits.usesJIT { pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE)) }
    var groups: UInt32 = 0
    pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
    groupCount = Int(groups)
  }

  deinit { pcre2_code_free_8(code) }

  /// The number of the group with this name, or nil.
  public func group(named name: String) -> Int? {
    let number = pcre2_substring_number_from_name_8(code, Array(name.utf8) + [0])
    return number > 0 ? Int(number) : nil
  }

  /// PCRE2's words for an error.
  static func message(of code: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = pcre2_get_error_message_8(code, &buffer, buffer.count)
    return length >= 0 ? String(decoding: buffer[..<Int(length)], as: UTF8.self) : "error \(code)"
  }
}
