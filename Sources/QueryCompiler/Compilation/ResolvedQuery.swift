import JSONText
import QueryModel

/// A query in which every name is resolved: each property, document and metadata field names its source, aliases of
/// columns are replaced by their expressions, and each column has a name.
struct ResolvedQuery: Sendable {
  var isDistinct: Bool
  var columns: [(expression: QueryExpression, name: String)]
  var sources: [ResolvedSource]
  var filter: QueryExpression?
  var grouping: [QueryExpression]
  var groupFilter: QueryExpression?
  var ordering: [SortTerm]
  var limit: QueryExpression?
  var offset: QueryExpression?

  /// Whether rows are grouped. Aggregates without GROUP BY form a single group.
  var isGrouped: Bool {
    !grouping.isEmpty || groupFilter != nil
      || (columns.map(\.expression) + ordering.map(\.expression)).contains { $0.contains(where: \.isAggregate) }
  }

  /// Whether the rows form a single group only because of HAVING or an aggregate in ORDER BY. There is one group even
  /// if there are no rows.
  ///
  /// SQLite decides by the columns whether a query without GROUP BY is grouped, so such a query has another column with
  /// an aggregate, which is not read. It has one row at most, so the column does not affect DISTINCT.
  var groupsByHiddenAggregate: Bool {
    grouping.isEmpty && isGrouped && !columns.contains { $0.expression.contains(where: \.isAggregate) }
  }

  /// Returns a resolved expression as SQL++ for display, without the name of the source if there is only one.
  func text(of expression: QueryExpression) -> String {
    guard sources.count > 1 else {
      return SQLPrinter().text(
        of: expression.map { part in
          switch part {
          case .property(let path, _): .property(path, source: nil)
          case .metadata(let field, _): .metadata(field, source: nil)
          case .everything: .everything(source: nil)
          case .match(let index, let query): .match(FullTextIndexName(index.name), query: query)
          case .rank(let index): .rank(FullTextIndexName(index.name))
          default: part
          }
        })
    }
    let named = sources.map { QuerySource(.collection(CollectionPath($0.name)), alias: $0.name) }
    return SQLPrinter().text(of: expression, sources: named)
  }

  /// Returns the position of the source with this name.
  func position(of source: String) -> Int? { sources.firstIndex { $0.name == source } }

  /// The top-level expressions of all clauses.
  var expressions: [QueryExpression] {
    var all = columns.map(\.expression)
    for source in sources {
      if case .elements(let array) = source.content { all.append(array) }
      if let condition = source.condition { all.append(condition) }
    }
    return all + [filter, groupFilter, limit, offset].compactMap { $0 } + grouping + ordering.map(\.expression)
  }

  /// Returns a copy in which every top-level expression is replaced.
  func mapExpressions(_ change: (QueryExpression) -> QueryExpression) -> ResolvedQuery {
    var query = self
    query.columns = columns.map { (change($0.expression), $0.name) }
    query.sources = sources.map { source in
      var source = source
      if case .elements(let array) = source.content { source.content = .elements(change(array)) }
      source.condition = source.condition.map(change)
      return source
    }
    query.filter = filter.map(change)
    query.grouping = grouping.map(change)
    query.groupFilter = groupFilter.map(change)
    query.ordering = ordering.map { term in
      var term = term
      term.expression = change(term.expression)
      return term
    }
    return query
  }
}

/// A source of rows in FROM.
struct ResolvedSource: Sendable {
  enum Content: Sendable {
    case collection(CollectionSchema)
    case elements(QueryExpression)
  }

  var name: String
  var content: Content
  var join: JoinKind?
  var condition: QueryExpression?

  var schema: CollectionSchema? {
    if case .collection(let schema) = content { schema } else { nil }
  }
}

extension QueryExpression {
  /// The sources that a resolved expression reads.
  var sourceNames: Set<String> {
    var names: Set<String> = []
    visit { expression in
      switch expression {
      case .property(_, let source?), .everything(let source?), .metadata(_, let source?): names.insert(source)
      case .match(let index, _), .rank(let index): if let source = index.source { names.insert(source) }
      default: break
      }
    }
    return names
  }

  /// The operands of nested ANDs as a flat list; the expression itself if it is not an AND.
  var conjuncts: [QueryExpression] {
    if case .and(let operands) = self { operands.flatMap(\.conjuncts) } else { [self] }
  }
}

extension QueryExpression {
  /// The operand and the collation of a COLLATE; for other expressions, the expression itself and the binary collation.
  var splittingCollation: (expression: QueryExpression, collation: QueryCollation) {
    if case .collated(let inner, let collation) = self { (inner, collation) } else { (self, .binary) }
  }

  /// The expression without the COLLATEs around it.
  var withoutCollations: QueryExpression {
    if case .collated(let inner, _) = self { inner.withoutCollations } else { self }
  }

  /// Whether there is a COLLATE in the expression.
  var hasCollation: Bool { contains { if case .collated = $0 { true } else { false } } }

  /// Returns the collation of the first operand that has a COLLATE.
  static func firstCollation(of operands: [QueryExpression]) -> QueryCollation? {
    for case .collated(_, let collation) in operands { return collation }
    return nil
  }

  /// A comparison with a collated operand, as an uncollated comparison and its collation: `a COLLATE NOCASE = b` is `(a
  /// = b) COLLATE NOCASE`, as in SQL. If several operands have a collation, the first one applies. Nil if no operand
  /// has one.
  var liftingCollation: (expression: QueryExpression, collation: QueryCollation)? {
    let first = QueryExpression.firstCollation(of:)
    switch self {
    case .comparison(let symbol, let one, let other):
      return first([one, other]).map { (.comparison(symbol, one.withoutCollations, other.withoutCollations), $0) }
    case .is(let one, let other):
      return first([one, other]).map { (.is(one.withoutCollations, other.withoutCollations), $0) }
    case .in(let value, let list):
      return first([value, list]).map { (.in(value.withoutCollations, list.withoutCollations), $0) }
    case .between(let value, let low, let high):
      return first([value, low, high]).map {
        (.between(value.withoutCollations, low: low.withoutCollations, high: high.withoutCollations), $0)
      }
    case .like(let text, let pattern):
      return first([text, pattern]).map { (.like(text.withoutCollations, pattern: pattern.withoutCollations), $0) }
    case .ilike(let text, let pattern):
      return first([text, pattern]).map { (.ilike(text.withoutCollations, pattern: pattern.withoutCollations), $0) }
    default: return nil
    }
  }
}

extension QueryExpression {
  /// Returns whether two expressions are equal byte for byte. Swift's `==` treats canonically equivalent strings as
  /// equal (`é` as one scalar or two), but keys and strings in documents are compared by bytes.
  func isIdentical(to other: QueryExpression) -> Bool {
    guard self == other else { return false }
    let printer = SQLPrinter()
    return printer.text(of: self).utf8.elementsEqual(printer.text(of: other).utf8)
  }
}

extension PropertyPath {
  func isIdentical(to other: PropertyPath) -> Bool { description.utf8.elementsEqual(other.description.utf8) }
}
