/// The rules for comparing and sorting strings.
///
/// In SQL++ after `COLLATE`: `UNICODE`, `NOCASE`, `(UNICODE:de NOCASE NODIAC)`.
public enum QueryCollation: Hashable, Sendable {
  /// By the bytes of UTF-8, the default.
  case binary
  /// By bytes, with the letters A to Z equal to a to z.
  case asciiIgnoringCase
  /// By the Unicode Collation Algorithm with the rules of a locale, or the root rules for nil.
  case unicode(locale: String? = nil, ignoresCase: Bool = false, ignoresAccents: Bool = false)

  /// Creates the collation for a set of flags, as in SQL++ and JSON.
  ///
  /// Only Unicode's rules separate accents from letters, so ignoring accents implies a Unicode collation.
  init(isUnicode: Bool, locale: String?, isCaseSensitive: Bool, isAccentSensitive: Bool) {
    if isUnicode || !isAccentSensitive {
      self = .unicode(locale: locale, ignoresCase: !isCaseSensitive, ignoresAccents: !isAccentSensitive)
    } else {
      self = isCaseSensitive ? .binary : .asciiIgnoringCase
    }
  }
}
