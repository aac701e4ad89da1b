/// The rules for comparing strings: by bytes, by bytes ignoring the case of ASCII letters, or by Unicode's rules for a
/// language, optionally ignoring case and accents.
///
/// Each value has a ``name``, under which the collation is registered with SQLite and from which the value can be
/// recreated.
public struct CollationOptions: Hashable, Sendable {
  /// Whether strings are compared by the Unicode Collation Algorithm (UTS #10), as implemented in ICU, instead of by
  /// bytes.
  public var isUnicode: Bool
  /// Whether `a` equals `A`; without ``isUnicode`` only for ASCII letters.
  public var ignoresCase: Bool
  /// Whether `e` equals `é`. Has no effect without ``isUnicode``.
  public var ignoresAccents: Bool
  /// The language whose order is used, such as `sv` or `de_AT`; nil for the root order. Has no effect without
  /// ``isUnicode``. Never defaults to the locale of the machine.
  public var locale: String?

  /// Creates the collation with these options.
  public init(
    isUnicode: Bool = false, ignoresCase: Bool = false, ignoresAccents: Bool = false, locale: String? = nil
  ) {
    self.isUnicode = isUnicode
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
    self.locale = locale
  }

  /// Whether strings are compared by bytes: SQLite's own `BINARY`.
  public var isBinary: Bool { !isUnicode && !ignoresCase }

  /// The name in SQL: `BINARY`, `concordance_ascii_nocase`, `concordance_unicode_nocase_nodiac_sv_se`. It consists of
  /// letters, digits and underscores, so that it needs no quotes. SQLite ignores its case.
  ///
  /// A locale that is not ``isWellFormed`` is omitted.
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

  /// Whether the locale is a language code, optionally followed by subtags of letters and digits joined by `_` or `-`.
  /// `nocase` and `nodiac`, which ``name`` uses, are not accepted as language codes.
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

  /// Creates the options that have this ``name``, whose case is ignored. Returns nil if the name has another form.
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
