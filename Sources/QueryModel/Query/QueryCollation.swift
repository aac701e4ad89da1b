/// How strings are compared and sorted.
///
/// In SQL++ after `COLLATE`: `UNICODE`, `NOCASE`, `(UNICODE:de NOCASE NODIAC)`.
public enum QueryCollation: Hashable, Sendable {
  /// By the bytes of UTF-8. This is what is done without a collation.
  case binary
  /// By bytes, with the letters A to Z taken for a to z.
  case asciiIgnoringCase
  /// By the Unicode Collation Algorithm: the rules of a locale, or the root rules for nil.
  case unicode(locale: String? = nil, ignoresCase: Bool = false, ignoresAccents: Bool = false)

  /// The collation of a set of flags, as SQL++ and JSON write them.
  ///
  /// Accents can be told from their letters only by Unicode's rules: ignoring them asks for these.
  init(isUnicode: Bool, locale: String?, isCaseSensitive: Bool, isAccentSensitive: Bool) {
    if isUnicode || !isAccentSensitive {
      self = .unicode(locale: locale, ignoresCase: !isCaseSensitive, ignoresAccents: !isAccentSensitive)
    } else {
      self = isCaseSensitive ? .binary : .asciiIgnoringCase
    }
  }
}
