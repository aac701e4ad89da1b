import QueryModel

/// A sort term of a query, created by ``Ordering``.
public protocol OrderingProtocol: Sendable {}

/// A sort term whose direction can be chosen; ascending by default.
public protocol QuerySortOrder: OrderingProtocol {
  /// Returns the sort term in ascending order.
  func ascending() -> any OrderingProtocol
  /// Returns the sort term in descending order.
  func descending() -> any OrderingProtocol
}

/// Creates the sort terms of a query.
///
/// Missing and null values sort first, then booleans and numbers, strings, arrays and dictionaries. Descending order is
/// the reverse.
public enum Ordering {
  /// Sorts by a property.
  ///
  /// - Parameter property: the path of the property; see ``Expression/property(_:)``.
  public static func property(_ property: String) -> any QuerySortOrder { expression(Expression.property(property)) }

  /// Sorts by the value of an expression. Strings are sorted with the collation of the expression; see
  /// ``ExpressionProtocol/collate(_:)``.
  ///
  /// - Parameter expression: the expression.
  public static func expression(_ expression: any ExpressionProtocol) -> any QuerySortOrder {
    BuiltOrdering(expression: BuiltExpression(expression))
  }
}

extension OrderingProtocol {
  /// Returns a sort term that puts rows with a null or missing value first. Not in Couchbase Lite.
  public func nullsFirst() -> any OrderingProtocol { BuiltOrdering(self).placingNulls(.first) }

  /// Returns a sort term that puts rows with a null or missing value last. Not in Couchbase Lite.
  public func nullsLast() -> any OrderingProtocol { BuiltOrdering(self).placingNulls(.last) }
}

/// A sort term converted to the syntax tree.
struct BuiltOrdering: QuerySortOrder {
  let expression: BuiltExpression
  var isAscending = true
  var nulls: SortTerm.NullPlacement?

  var term: SortTerm { SortTerm(expression.model, isAscending: isAscending, nulls: nulls) }

  func ascending() -> any OrderingProtocol { directed(ascending: true) }

  func descending() -> any OrderingProtocol { directed(ascending: false) }

  private func directed(ascending: Bool) -> BuiltOrdering {
    var copy = self
    copy.isAscending = ascending
    return copy
  }

  func placingNulls(_ nulls: SortTerm.NullPlacement) -> BuiltOrdering {
    var copy = self
    copy.nulls = nulls
    return copy
  }
}

extension BuiltOrdering {
  init(_ ordering: any OrderingProtocol) {
    self = ordering as? BuiltOrdering ?? BuiltOrdering(expression: .foreign(ordering, "Ordering"))
  }
}
