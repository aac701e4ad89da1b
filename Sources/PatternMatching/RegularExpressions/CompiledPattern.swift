import CPCRE2

/// An expression compiled by PCRE2 for one kind of text.
///
/// `@unchecked Sendable` without a lock: PCRE2's compiled patterns are read-only after compilation (pcre2api(3),
/// "Multithreading").
final class CompiledPattern: @unchecked Sendable {
  /// The kind of text, and whether the whole text has to match.
  struct Variant: Hashable {
    enum Text: Int {
      /// UTF-8 that PCRE2 does not validate.
      case utf8
      /// Bytes that may be invalid UTF-8. No match crosses an invalid byte.
      case bytes
      /// ASCII only. PCRE2 then processes single bytes and needs no Unicode tables.
      case ascii
    }

    var text: Text
    var isWhole: Bool

    static let count = 6
    var index: Int { 2 * text.rawValue + (isWhole ? 1 : 0) }
  }

  let code: OpaquePointer
  /// Whether the JIT compiled the pattern. If it does not support the pattern or the processor, PCRE2 interprets the
  /// pattern.
  let hasMachineCode: Bool

  /// Compiles an expression.
  ///
  /// - Parameter checksTime: whether a search calls a ``CalloutClock``, which makes it slower.
  /// - Throws: ``PatternError`` of kind ``PatternError/Kind/syntax(offset:)`` or
  ///   ``PatternError/Kind/unsupportedOption(_:)``.
  init(
    _ pattern: String, _ options: PatternOptions, _ variant: Variant, checksTime: Bool
  ) throws(PatternError) {
    var errorCode: Int32 = 0
    var errorOffset = 0
    var source = pattern
    // The newline convention must not depend on PCRE2's build options.
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    if let context { pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF)) }
    let flags = CompiledPattern.flags(options, variant) | (checksTime ? UInt32(PCRE2_AUTO_CALLOUT) : 0)
    let compiled = source.withUTF8 { bytes in
      // PCRE2 rejects a null pointer, which an empty string may have.
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) {
        pcre2_compile_8(bytes.baseAddress ?? $0, bytes.count, flags, &errorCode, &errorOffset, context)
      }
    }
    guard let compiled else {
      throw PatternError(
        kind: .syntax(offset: errorOffset), pattern: pattern, reason: PatternError.message(of: errorCode))
    }
    guard options.limits.usesJIT, pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE)) == 0 else {
      code = compiled
      hasMachineCode = false
      return
    }
    var size = 0
    pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_JITSIZE), &size)
    // PCRE2 reports success for a pattern that begins with (*NO_JIT), and then rejects each match.
    guard size > 0 else {
      pcre2_code_free_8(compiled)
      throw PatternError(kind: .unsupportedOption("(*NO_JIT)"), pattern: pattern, reason: "no machine code")
    }
    code = compiled
    hasMachineCode = true
  }

  deinit { pcre2_code_free_8(code) }

  private static func flags(_ options: PatternOptions, _ variant: Variant) -> UInt32 {
    // Long texts are searched in steps.
    var flags = UInt32(PCRE2_USE_OFFSET_LIMIT)
    if variant.text != .ascii { flags |= UInt32(PCRE2_UTF) }
    if variant.text == .bytes { flags |= UInt32(PCRE2_MATCH_INVALID_UTF) }
    if variant.isWhole { flags |= UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_ENDANCHORED) }
    if options.isLiteral {
      flags |= UInt32(PCRE2_LITERAL)
    } else {
      // \C would match a part of a character.
      flags |= UInt32(PCRE2_NEVER_BACKSLASH_C)
      if variant.text != .ascii { flags |= UInt32(PCRE2_UCP) }
      if options.isMultiline { flags |= UInt32(PCRE2_MULTILINE) }
      if options.dotMatchesNewlines { flags |= UInt32(PCRE2_DOTALL) }
      if options.isExtended { flags |= UInt32(PCRE2_EXTENDED) }
    }
    if options.ignoresCase { flags |= UInt32(PCRE2_CASELESS) }
    return flags
  }
}
