import QueryModel

/// A collation of strings, created by ``Collation``.
public protocol CollationProtocol: Sendable {}

/// Defines how strings are compared and sorted, for ``ExpressionProtocol/collate(_:)``. Without a collation, they are
/// compared by bytes.
///
/// ```swift
/// let name = Expression.property("name").collate(Collation.unicode().ignoreCase(true).ignoreAccents(true))
/// ```
public enum Collation {
  /// Creates a collation that compares bytes.
  public static func ascii() -> ASCII { ASCII() }

  /// Creates a collation that uses the Unicode Collation Algorithm.
  public static func unicode() -> Unicode { Unicode() }

  /// A collation that compares bytes.
  public struct ASCII: CollationProtocol, Hashable {
    private var ignoresCase = false

    /// Returns the collation with a setting for case.
    ///
    /// - Parameter ignoreCase: whether the ASCII letters A to Z equal a to z; false by default.
    public func ignoreCase(_ ignoreCase: Bool) -> Self {
      var copy = self
      copy.ignoresCase = ignoreCase
      return copy
    }
  }

  /// A collation that uses the Unicode Collation Algorithm.
  public struct Unicode: CollationProtocol, Hashable {
    private var ignoresCase = false
    private var ignoresAccents = false
    private var locale: String?

    /// Returns the collation with a setting for case.
    ///
    /// - Parameter ignoreCase: whether letter case is ignored; false by default.
    public func ignoreCase(_ ignoreCase: Bool) -> Self {
      var copy = self
      copy.ignoresCase = ignoreCase
      return copy
    }

    /// Returns the collation with a setting for accents.
    ///
    /// - Parameter ignoreAccents: whether accents are ignored; false by default.
    public func ignoreAccents(_ ignoreAccents: Bool) -> Self {
      var copy = self
      copy.ignoresAccents = ignoreAccents
      return copy
    }

    /// Returns the collation with the rules of a language.
    ///
    /// - Parameter locale: the locale, such as `de` or `en_US`; nil or "" for the root rules. The locale of the machine
    ///   is never used, so the same query gives the same order everywhere.
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
