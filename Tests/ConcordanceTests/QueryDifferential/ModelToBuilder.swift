import Concordance
import JSONText
import QueryModel

/// Converts the model of a query into calls to the query builder's public API.
///
/// Some queries cannot be built with these calls: those with UNNEST, CASE, EXISTS, `||`, `-x`, MISSING, DISTINCT in
/// aggregates or OFFSET without LIMIT. For them, the functions return nil.
struct ModelToBuilder {
  /// Returns the collection of a path; nil if it does not exist.
  let collection: (CollectionPath) throws -> Concordance.Collection?

  /// Returns the query that the builder creates.
  ///
  /// - Parameter query: a query that calls the default collection by its name, see
  ///   ``SelectQuery/namingDefaultCollection``.
  func query(_ query: SelectQuery) throws -> Query? {
    let columns = query.columns.compactMap(column)
    guard columns.count == query.columns.count else { return nil }
    var built: Query = query.isDistinct ? QueryBuilder.selectDistinct(columns) : QueryBuilder.select(columns)
    /// Adds the remaining clauses; returns false if the builder has no such call.
    func add(_ next: Query?) -> Bool {
      if let next { built = next }
      return next != nil
    }
    if let first = query.sources.first {
      guard let source = try source(first), add((built as? any FromRouter)?.from(source)) else { return nil }
    }
    let joins = try query.sources.dropFirst().compactMap(join)
    guard joins.count == max(query.sources.count - 1, 0) else { return nil }
    if !joins.isEmpty, !add((built as? any JoinRouter)?.join(joins)) { return nil }
    if let filter = query.filter {
      guard let condition = expression(filter), add((built as? any WhereRouter)?.where(condition)) else { return nil }
    }
    if !query.grouping.isEmpty {
      guard let keys = expressions(query.grouping), add((built as? any GroupByRouter)?.groupBy(keys)) else {
        return nil
      }
    }
    if let filter = query.groupFilter {
      guard let condition = expression(filter), add((built as? any HavingRouter)?.having(condition)) else { return nil }
    }
    if !query.ordering.isEmpty {
      let terms = query.ordering.compactMap(term)
      guard terms.count == query.ordering.count, add((built as? any OrderByRouter)?.orderBy(terms)) else { return nil }
    }
    return limited(built, query)
  }

  // MARK: Clauses

  private func column(_ column: ResultColumn) -> (any SelectResultProtocol)? {
    let result: any SelectResultAs
    switch column.expression {
    case .everything(let source) where column.alias == nil: return SelectResult.all().from(source)
    case .property(let path, nil): result = SelectResult.property(path.description)
    default:
      guard let expression = expression(column.expression) else { return nil }
      result = SelectResult.expression(expression)
    }
    return column.alias == nil ? result : result.as(column.alias)
  }

  private func source(_ source: QuerySource) throws -> (any DataSourceProtocol)? {
    guard case .collection(let path) = source.content, let collection = try collection(path) else { return nil }
    let result = DataSource.collection(collection)
    return source.alias.map { result.as($0) } ?? result
  }

  private func join(_ source: QuerySource) throws -> (any JoinProtocol)? {
    guard let data = try self.source(source) else { return nil }
    if source.join == .cross { return Join.crossJoin(data) }
    guard let condition = source.condition.flatMap(expression) else { return nil }
    return (source.join == .left ? Join.leftJoin(data) : Join.join(data)).on(condition)
  }

  private func term(_ term: SortTerm) -> (any OrderingProtocol)? {
    guard let expression = expression(term.expression) else { return nil }
    let ordering = Ordering.expression(expression)
    let directed = term.isAscending ? ordering.ascending() : ordering.descending()
    switch term.nulls {
    case .first: return directed.nullsFirst()
    case .last: return directed.nullsLast()
    case nil: return directed
    }
  }

  private func limited(_ built: Query, _ query: SelectQuery) -> Query? {
    guard query.limit != nil || query.offset != nil else { return built }
    guard let limit = query.limit.flatMap(expression), let router = built as? any LimitRouter else { return nil }
    guard let offset = query.offset else { return router.limit(limit) }
    return expression(offset).map { router.limit(limit, offset: $0) }
  }
}

extension SelectQuery {
  /// This query with the default collection named `_default`, as in the builder, instead of `_`.
  var namingDefaultCollection: SelectQuery {
    var copy = self
    var renamed: String?
    for index in sources.indices where sources[index].content == .collection(.standard) {
      copy.sources[index].content = .collection(CollectionPath(Concordance.Collection.defaultCollectionName))
      if sources[index].alias == nil { renamed = CollectionPath.standard.name }
    }
    guard let renamed else { return copy }
    func name(_ source: String?) -> String? {
      source == renamed ? Concordance.Collection.defaultCollectionName : source
    }
    return copy.mapExpressions { expression in
      switch expression {
      case .property(let path, let source): .property(path, source: name(source))
      case .everything(let source): .everything(source: name(source))
      case .metadata(let field, let source): .metadata(field, source: name(source))
      default: expression
      }
    }
  }
}
