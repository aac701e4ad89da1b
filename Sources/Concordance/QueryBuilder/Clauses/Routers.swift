import QueryModel

/// What `FROM` may follow.
public protocol FromRouter: Query {}

extension FromRouter {
  /// The same query over the documents of a source.
  public func from(_ dataSource: any DataSourceProtocol) -> From {
    From(draft.adding { $0.add(BuiltSource(dataSource)) })
  }
}

/// What `JOIN` may follow.
public protocol JoinRouter: Query {}

extension JoinRouter {
  /// The same query, each row put together with rows of other sources.
  public func join(_ joins: any JoinProtocol...) -> Joins { join(joins) }

  /// The same query, each row put together with rows of other sources.
  public func join(_ joins: [any JoinProtocol]) -> Joins {
    Joins(draft.adding { for join in joins { $0.add(BuiltSource(join)) } })
  }
}

/// What `WHERE` may follow.
public protocol WhereRouter: Query {}

extension WhereRouter {
  /// The same query without the rows for which the condition is not true.
  public func `where`(_ expression: any ExpressionProtocol) -> Where {
    Where(draft.adding { $0.query.filter = $0.take(expression) })
  }
}

/// What `GROUP BY` may follow.
public protocol GroupByRouter: Query {}

extension GroupByRouter {
  /// The same query, with one row for all rows that agree in the expressions. Aggregates such as
  /// ``Function/count(_:)`` are taken over them.
  public func groupBy(_ expressions: any ExpressionProtocol...) -> GroupBy { groupBy(expressions) }

  /// The same query, with one row for all rows that agree in the expressions.
  public func groupBy(_ expressions: [any ExpressionProtocol]) -> GroupBy {
    GroupBy(draft.adding { for expression in expressions { $0.query.grouping.append($0.take(expression)) } })
  }
}

/// What `HAVING` may follow.
public protocol HavingRouter: Query {}

extension HavingRouter {
  /// The same query without the groups for which the condition is not true.
  public func having(_ expression: any ExpressionProtocol) -> Having {
    Having(draft.adding { $0.query.groupFilter = $0.take(expression) })
  }
}

/// What `ORDER BY` may follow.
public protocol OrderByRouter: Query {}

extension OrderByRouter {
  /// The same query, sorted; the first ordering is the most important one.
  public func orderBy(_ orderings: any OrderingProtocol...) -> OrderBy { orderBy(orderings) }

  /// The same query, sorted; the first ordering is the most important one.
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

/// What `LIMIT` may follow.
public protocol LimitRouter: Query {}

extension LimitRouter {
  /// The same query, but no more rows than this.
  public func limit(_ limit: any ExpressionProtocol) -> Limit { self.limit(limit, offset: nil) }

  /// The same query, but no more rows than this, without the first ones.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of rows.
  ///   - offset: how many rows are left out at the beginning; nil for none.
  public func limit(_ limit: any ExpressionProtocol, offset: (any ExpressionProtocol)?) -> Limit {
    Limit(
      draft.adding { draft in
        draft.query.limit = draft.take(limit)
        draft.query.offset = offset.map { draft.take($0) }
      })
  }
}
