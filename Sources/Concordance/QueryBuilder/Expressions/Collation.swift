import QueryModel

/// How strings are compared and sorted, made by ``Collation``.
public protocol CollationProtocol: Sendable {}

/// How strings are compared and sorted, for ``ExpressionProtocol/collate(_:)``; by their bytes without one.
///
/// ```swift
/// let name = Expression.property("name").collate(Collation.unicode().ignoreCase(true).ignoreAccents(true))
/// ```
public enum Collation {
  /// By bytes.
  public static func ascii() -> ASCII { ASCII() }

  /// By the Unicode Collation Algorithm.
  public static func unicode() -> Unicode { Unicode() }

  /// By bytes.
  public struct ASCII: CollationProtocol, Hashable {
    private var ignoresCase = false

    /// Whether A to Z are taken for a to z; they are not unless this is called.
    public func ignoreCase(_ ignoreCase: Bool) -> Self {
      var copy = self
      copy.ignoresCase = ignoreCase
      return copy
    }
  }

  /// By the Unicode Collation Algorithm.
  public struct Unicode: CollationProtocol, Hashable {
    private var ignoresCase = false
    private var ignoresAccents = false
    private var locale: String?

    /// Whether letter case is ignored; it is not unless this is called.
    public func ignoreCase(_ ignoreCase: Bool) -> Self {
      var copy = self
      copy.ignoresCase = ignoreCase
      return copy
    }

    /// Whether accents are ignored; they are not unless this is called.
    public func ignoreAccents(_ ignoreAccents: Bool) -> Self {
      var copy = self
      copy.ignoresAccents = ignoreAccents
      return copy
    }

    /// The locale whose rules are used, such as `de` or `en_US`; nil or "" for those of no language. Never the locale of the
    /// machine: the same query gives the same order everywhere.
    public func locale(_ locale: String?) -> Self {
      var copy = self
      copy.locale = locale?.isEmpty == true ? nil : locale
      return copy
    }
  }
}

/// A collation of this library.
protocol BuilderCollation: CollationProtocol {
  var model: QueryCollation { get }
}

extension Collation.ASCII: BuilderCollation {
  var model: QueryCollation { ignoresCase ? .asciiIgnoringCase : .binary }
}

extension Collation.Unicode: BuilderCollation {
  var model: QueryCollation { .unicode(locale: locale, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents) }
}
