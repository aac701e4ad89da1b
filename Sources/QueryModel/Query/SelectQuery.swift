/// A query: which documents, what of them, in which order.
///
/// This is the one model behind every way to write a query: the classes of the query builder, SQL++ text, JSON and
/// predicates all end here, and the compiler starts here. It knows neither documents nor SQLite, and holds no places
/// in a text: two queries that ask the same in the same way are equal, wherever they came from.
///
/// ```swift
/// let query = try SQLParser().parse("SELECT name FROM hotel WHERE stars >= 4 ORDER BY name LIMIT 10")
/// query.columns[0].expression   // .property(name, source: nil)
/// query.limit                   // .integer(10)
/// ```
///
/// Not every value makes sense: nothing here checks that a source of the name in a property exists, or that
/// aggregates stand where they may. The compiler does.
public struct SelectQuery: Hashable, Sendable {
  /// Whether equal rows are returned once.
  public var isDistinct: Bool
  /// What each row holds, in order.
  public var columns: [ResultColumn]
  /// Where rows come from: the `FROM` source first, then the joins in order. Empty only when nothing of a document is
  /// asked for, as in `SELECT 1 + 1`.
  public var sources: [QuerySource]
  /// `WHERE`: rows for which this is not true are left out.
  public var filter: QueryExpression?
  /// `GROUP BY`: rows that agree in all of these become one.
  public var grouping: [QueryExpression]
  /// `HAVING`: groups for which this is not true are left out.
  public var groupFilter: QueryExpression?
  /// `ORDER BY`, the most important term first.
  public var ordering: [SortTerm]
  /// The greatest number of rows.
  public var limit: QueryExpression?
  /// The number of rows left out at the beginning.
  public var offset: QueryExpression?

  /// Makes a query.
  public init(
    isDistinct: Bool = false, columns: [ResultColumn], sources: [QuerySource] = [],
    filter: QueryExpression? = nil, grouping: [QueryExpression] = [], groupFilter: QueryExpression? = nil,
    ordering: [SortTerm] = [], limit: QueryExpression? = nil, offset: QueryExpression? = nil
  ) {
    self.isDistinct = isDistinct
    self.columns = columns
    self.sources = sources
    self.filter = filter
    self.grouping = grouping
    self.groupFilter = groupFilter
    self.ordering = ordering
    self.limit = limit
    self.offset = offset
  }
}

/// A column of the result.
public struct ResultColumn: Hashable, Sendable {
  /// The value.
  public var expression: QueryExpression
  /// The name that was given to it. Without one, the compiler derives a name from the expression.
  public var alias: String?

  /// Makes a column.
  public init(_ expression: QueryExpression, alias: String? = nil) {
    self.expression = expression
    self.alias = alias
  }
}

/// One term of an order: a value, a direction, and where rows without the value go.
public struct SortTerm: Hashable, Sendable {
  /// Where rows whose value is null or missing go.
  public enum NullPlacement: Hashable, Sendable, CaseIterable {
    case first, last
  }

  /// The value to sort by.
  public var expression: QueryExpression
  /// Whether small values come first.
  public var isAscending: Bool
  /// `NULLS FIRST` or `NULLS LAST`; nil for the usual place: first when ascending, last when descending.
  public var nulls: NullPlacement?

  /// Makes a term.
  public init(_ expression: QueryExpression, isAscending: Bool = true, nulls: NullPlacement? = nil) {
    self.expression = expression
    self.isAscending = isAscending
    self.nulls = nulls
  }
}
