/// A query: the documents to read, the values to return, and their order.
///
/// Every query language is converted to this model: the classes of the query builder, SQL++ text, JSON and predicates.
/// It is the input of the compiler. It depends on neither documents nor SQLite and contains no source positions, so
/// equal queries compare equal regardless of the language in which they were written.
///
/// ```swift
/// let query = try SQLParser().parse("SELECT name FROM hotel WHERE stars >= 4 ORDER BY name LIMIT 10")
/// query.columns[0].expression   // .property(name, source: nil)
/// query.limit                   // .integer(10)
/// ```
///
/// A value of this type can be invalid: the model does not check that the source named in a property exists, or that
/// aggregates are allowed at their position. The compiler does.
public struct SelectQuery: Hashable, Sendable {
  /// Whether duplicate rows are removed.
  public var isDistinct: Bool
  /// The result columns, in order.
  public var columns: [ResultColumn]
  /// The sources of rows: `FROM` first, then the joins in order. Empty only if the query reads no document, as in
  /// `SELECT 1 + 1`.
  public var sources: [QuerySource]
  /// `WHERE`: only rows for which this is true are returned.
  public var filter: QueryExpression?
  /// `GROUP BY`: rows with equal values of all these expressions form a group.
  public var grouping: [QueryExpression]
  /// `HAVING`: only groups for which this is true are returned.
  public var groupFilter: QueryExpression?
  /// `ORDER BY`, the most important term first.
  public var ordering: [SortTerm]
  /// The maximum number of rows.
  public var limit: QueryExpression?
  /// The number of rows to skip.
  public var offset: QueryExpression?

  /// Creates a query.
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
  /// The alias. Without one, the compiler derives a name from the expression.
  public var alias: String?

  /// Creates a column.
  public init(_ expression: QueryExpression, alias: String? = nil) {
    self.expression = expression
    self.alias = alias
  }
}

/// One term of a sort order: a value, a direction, and the position of rows without the value.
public struct SortTerm: Hashable, Sendable {
  /// The position of rows whose value is null or missing.
  public enum NullPlacement: Hashable, Sendable, CaseIterable {
    case first, last
  }

  /// The value to sort by.
  public var expression: QueryExpression
  /// Whether the order is ascending.
  public var isAscending: Bool
  /// `NULLS FIRST` or `NULLS LAST`; nil for the default: first if ascending, last if descending.
  public var nulls: NullPlacement?

  /// Creates a term.
  public init(_ expression: QueryExpression, isAscending: Bool = true, nulls: NullPlacement? = nil) {
    self.expression = expression
    self.isAscending = isAscending
    self.nulls = nulls
  }
}
