import QueryModel

/// A query that can be followed by `FROM`.
public protocol FromRouter: Query {}

extension FromRouter {
  /// Returns the query over the documents of a source.
  ///
  /// - Parameter dataSource: the source; see ``DataSource``.
  public func from(_ dataSource: any DataSourceProtocol) -> From {
    From(draft.adding { $0.add(BuiltSource(dataSource)) })
  }
}

/// A query that can be followed by `JOIN`.
public protocol JoinRouter: Query {}

extension JoinRouter {
  /// Returns the query with each row joined to rows of other sources.
  ///
  /// - Parameter joins: the joins; see ``Join``.
  public func join(_ joins: any JoinProtocol...) -> Joins { join(joins) }

  /// Returns the query with each row joined to rows of other sources.
  ///
  /// - Parameter joins: the joins; see ``Join``.
  public func join(_ joins: [any JoinProtocol]) -> Joins {
    Joins(draft.adding { for join in joins { $0.add(BuiltSource(join)) } })
  }
}

/// A query that can be followed by `WHERE`.
public protocol WhereRouter: Query {}

extension WhereRouter {
  /// Returns the query with only the rows that satisfy a condition.
  ///
  /// - Parameter expression: the condition.
  public func `where`(_ expression: any ExpressionProtocol) -> Where {
    Where(draft.adding { $0.query.filter = $0.take(expression) })
  }
}

/// A query that can be followed by `GROUP BY`.
public protocol GroupByRouter: Query {}

extension GroupByRouter {
  /// Returns the query with one row for each group of rows that have equal values of the expressions. Aggregates such
  /// as ``Function/count(_:)`` are computed over the rows of a group.
  ///
  /// - Parameter expressions: the expressions.
  public func groupBy(_ expressions: any ExpressionProtocol...) -> GroupBy { groupBy(expressions) }

  /// Returns the query with one row for each group of rows that have equal values of the expressions.
  ///
  /// - Parameter expressions: the expressions.
  public func groupBy(_ expressions: [any ExpressionProtocol]) -> GroupBy {
    GroupBy(draft.adding { for expression in expressions { $0.query.grouping.append($0.take(expression)) } })
  }
}

/// A query that can be followed by `HAVING`.
public protocol HavingRouter: Query {}

extension HavingRouter {
  /// Returns the query with only the groups that satisfy a condition.
  ///
  /// - Parameter expression: the condition, which can contain aggregates.
  public func having(_ expression: any ExpressionProtocol) -> Having {
    Having(draft.adding { $0.query.groupFilter = $0.take(expression) })
  }
}

/// A query that can be followed by `ORDER BY`.
public protocol OrderByRouter: Query {}

extension OrderByRouter {
  /// Returns the query with its rows sorted.
  ///
  /// - Parameter orderings: the sort terms, the most significant first; see ``Ordering``.
  public func orderBy(_ orderings: any OrderingProtocol...) -> OrderBy { orderBy(orderings) }

  /// Returns the query with its rows sorted.
  ///
  /// - Parameter orderings: the sort terms, the most significant first; see ``Ordering``.
  public func orderBy(_ orderings: [any OrderingProtocol]) -> OrderBy {
    OrderBy(
      draft.adding { draft in
        for ordering in orderings {
          let built = BuiltOrdering(ordering)
          draft.note(built.expression.fault)
          draft.query.ordering.append(built.term)
        }
      })
  }
}

/// A query that can be followed by `LIMIT`.
public protocol LimitRouter: Query {}

extension LimitRouter {
  /// Returns the query with a maximum number of rows.
  ///
  /// - Parameter limit: the maximum number of rows, such as an integer or a parameter.
  public func limit(_ limit: any ExpressionProtocol) -> Limit { self.limit(limit, offset: nil) }

  /// Returns the query with a maximum number of rows and a number of rows to skip.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows.
  ///   - offset: the number of rows to skip; nil for none.
  public func limit(_ limit: any ExpressionProtocol, offset: (any ExpressionProtocol)?) -> Limit {
    Limit(
      draft.adding { draft in
        draft.query.limit = draft.take(limit)
        draft.query.offset = offset.map { draft.take($0) }
      })
  }
}
