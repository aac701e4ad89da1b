import JSONText
import QueryModel

/// Columns, sort terms and limits.
extension RandomQueries {
  /// Returns columns, some with an alias. No alias is the name of a property.
  mutating func columns(
    _ count: ClosedRange<Int>, _ make: (inout RandomExpressions) -> QueryExpression
  ) -> [ResultColumn] {
    let aliases = ["first", "total", "two words", "Größe", "alias"]
    return expressions.several(count, make).enumerated().map { position, expression in
      ResultColumn(expression, alias: expressions.choices.chance(3) ? aliases[position] : nil)
    }
  }

  /// Returns sort terms, some of them aliases of columns.
  mutating func terms(
    _ count: ClosedRange<Int>, of query: SelectQuery, _ make: (inout RandomExpressions) -> QueryExpression
  ) -> [SortTerm] {
    let aliases = query.columns.compactMap(\.alias)
    return expressions.several(count, make).map { expression in
      guard !aliases.isEmpty, expressions.choices.chance(2) else { return term(expression) }
      return term(.property(PropertyPath([.key(expressions.choices.one(of: aliases))]), source: nil))
    }
  }

  mutating func term(_ expression: QueryExpression) -> SortTerm {
    let nulls = expressions.choices.chance(3) ? expressions.choices.one(of: SortTerm.NullPlacement.allCases) : nil
    var sorted = expression
    // A different collation could distinguish values that were treated as equal.
    if expression.withoutCollation == expression, expressions.choices.chance(8) {
      sorted = .collated(expression, expressions.collation())
    }
    return SortTerm(sorted, isAscending: !expressions.choices.chance(3), nulls: nulls)
  }

  mutating func limit(_ query: inout SelectQuery) {
    let limits = [-1, 0, 1, 2, 2, 3, 3, 4, 5, 20]
    if expressions.choices.chance(2) {
      query.limit = expressions.literal(.int64(Int64(expressions.choices.one(of: limits))))
    }
    if expressions.choices.chance(3), query.limit != nil || !expressions.isPlain {
      query.offset = expressions.literal(.int64(Int64(expressions.choices.number(-1...3))))
    }
  }

  /// Gives a column the name of a property, which then refers to the column in the other clauses.
  mutating func shadow(in query: inout SelectQuery) {
    guard let last = query.columns.last, query.columns.count > 1, last.alias == nil else { return }
    var isRead = false
    for column in query.columns {
      if column.expression.lastKey == "b" { isRead = true }
      column.expression.visit { part in
        if case .property(let path, nil) = part, path.components.first == .key("b") { isRead = true }
      }
    }
    // The meaning of the name inside columns, and next to a column with the same derived name, is not specified.
    if !isRead { query.columns[query.columns.count - 1].alias = "b" }
  }
}
