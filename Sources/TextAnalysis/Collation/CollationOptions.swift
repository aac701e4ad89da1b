/// How strings are compared: by ASCII letters or by Unicode's rules, with or without case and accents, in which language.
///
/// Each has a ``name``, which SQLite knows it by; from the name it can be made again.
public struct CollationOptions: Hashable, Sendable {
  /// Whether strings are compared by the Unicode Collation Algorithm (UTS #10), as ICU has it. Otherwise by their bytes.
  public var isUnicode: Bool
  /// Whether `a` equals `A`; without ``isUnicode`` only in ASCII.
  public var ignoresCase: Bool
  /// Whether `e` equals `é`. Of no effect without ``isUnicode``.
  public var ignoresAccents: Bool
  /// The language whose order counts, such as `sv` or `de_AT`; nil for the order that is common to most. Of no effect
  /// without ``isUnicode``. Never the locale of the machine.
  public var locale: String?

  /// The collation with these options.
  public init(
    isUnicode: Bool = false, ignoresCase: Bool = false, ignoresAccents: Bool = false, locale: String? = nil
  ) {
    self.isUnicode = isUnicode
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
    self.locale = locale
  }

  /// Whether strings are compared by their bytes: SQLite's own `BINARY`.
  public var isBinary: Bool { !isUnicode && !ignoresCase }

  /// The name in SQL: `BINARY`, `concordance_ascii_nocase`, `concordance_unicode_nocase_nodiac_sv_se`. Letters, digits and
  /// underscores, so that it needs no quotes; SQLite ignores case in it.
  ///
  /// A locale that ``isWellFormed`` refuses is left out.
  public var name: String {
    guard isUnicode else { return ignoresCase ? CollationOptions.asciiName : "BINARY" }
    var name = CollationOptions.unicodePrefix
    if ignoresCase { name += "_nocase" }
    if ignoresAccents { name += "_nodiac" }
    if let locale, isWellFormed, !locale.isEmpty {
      name += "_" + locale.lowercased().split(separator: "-").joined(separator: "_")
    }
    return name
  }

  /// Whether the locale is a language, behind which words of letters and digits may follow, joined by `_` or `-`. A word of
  /// ``name`` is no language.
  public var isWellFormed: Bool {
    guard let locale, !locale.isEmpty else { return true }
    let separators = Set("_-".utf8)
    let words = locale.utf8.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
    let isLetter = { (byte: UInt8) in (byte | 0x20) &- 0x61 < 26 }
    guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 } }),
      let language = words.first, language.allSatisfy(isLetter)
    else { return false }
    return !["nocase", "nodiac"].contains(String(decoding: language, as: UTF8.self).lowercased())
  }

  /// The options that a name stands for, or nil for a name of another kind. Case does not count.
  public init?(name: String) {
    let lower = name.lowercased()
    if lower == "binary" || lower == CollationOptions.asciiName {
      self.init(ignoresCase: lower != "binary")
      return
    }
    guard lower.hasPrefix(CollationOptions.unicodePrefix) else { return nil }
    var rest = lower.dropFirst(CollationOptions.unicodePrefix.count)
    self.init(isUnicode: true)
    if rest == "_nocase" || rest.hasPrefix("_nocase_") {
      ignoresCase = true
      rest = rest.dropFirst("_nocase".count)
    }
    if rest == "_nodiac" || rest.hasPrefix("_nodiac_") {
      ignoresAccents = true
      rest = rest.dropFirst("_nodiac".count)
    }
    guard !rest.isEmpty else { return }
    guard rest.first == "_", rest.count > 1 else { return nil }
    locale = String(rest.dropFirst())
    guard isWellFormed else { return nil }
  }

  private static let asciiName = "concordance_ascii_nocase"
  private static let unicodePrefix = "concordance_unicode"
}
