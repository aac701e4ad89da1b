import JSONText
import QueryModel

/// Chooses the index for the first source of a query and explains why the others are not used.
struct IndexPlanner {
  private let query: ResolvedQuery
  private let source: ResolvedSource
  private let schema: CollectionSchema
  private let conjuncts: [Conjunct]
  private let includesDeletedDocuments: Bool

  init(
    _ query: ResolvedQuery, source: ResolvedSource, _ schema: CollectionSchema, _ conjuncts: [Conjunct],
    includesDeletedDocuments: Bool
  ) {
    self.query = query
    self.source = source
    self.schema = schema
    self.conjuncts = conjuncts
    self.includesDeletedDocuments = includesDeletedDocuments
  }

  /// The position of the conjunct that looks up documents by id.
  var idLookup: Int? {
    conjuncts.firstIndex { conjunct in
      conjunct.constraints.contains { constraint in
        constraint.target == .metadata(.id, source: source.name) && constraint.collation == .binary
          && (constraint.isEquality || constraint.isMembership) && !constraint.values.isEmpty
          && constraint.values.allSatisfy { $0.sourceNames.isEmpty }
      }
    }
  }

  /// The best index; nil if none is better than reading all documents.
  var choice: IndexMatch? {
    guard !includesDeletedDocuments else { return nil }
    let matches = schema.usableIndexes.compactMap { match($0) }
    var best: (match: IndexMatch, rank: Int)?
    for match in matches {
      var rank = match.rank
      if isOrdered(by: match) { rank += query.limit != nil || match.answersConditions ? 50 : 0 }
      if isCovered(by: match) { rank += 20 }
      if rank > best?.rank ?? 0 { best = (match, rank) }
    }
    return best?.match
  }

  private func match(_ index: StoredValueIndex) -> IndexMatch? {
    IndexMatch(index, source: source.name, conjuncts: conjuncts) { $0.sourceNames.isEmpty }
  }

  /// Returns whether the entries that match the conditions are in the order of ORDER BY.
  private func isOrdered(by match: IndexMatch) -> Bool {
    guard let first = query.ordering.first, !query.isGrouped, !query.isDistinct else { return false }
    var column = match.equalityCount
    for term in query.ordering {
      let (expression, collation) = term.expression.splittingCollation
      guard column < match.index.columns.count, term.isAscending == first.isAscending,
        match.index.columns[column].expression.with(source: source.name) == expression,
        match.index.columns[column].collation == collation,
        !expression.depends(on: collation),
        // For the first term of the order, SQLite can read the entries with NULL and those without in either order.
        column == match.equalityCount || term.nulls == nil || (term.nulls == .first) == term.isAscending
      else { return false }
      column += 1
    }
    return true
  }

  /// Returns whether the index contains everything that the query reads, so that no document is read. This is
  /// considered only if rows are grouped or a condition uses the index; otherwise it is rarely faster than reading the
  /// documents.
  private func isCovered(by match: IndexMatch) -> Bool {
    guard query.sources.count == 1, query.isGrouped || query.isDistinct || match.answersConditions else { return false }
    let covered = match.index.columns.filter { $0.collation == .binary }.map { $0.expression.with(source: source.name) }
    let answered = Set(match.constraints.map(\.conjunct) + match.impliedConjuncts)
    let rest = conjuncts.indices.filter { !answered.contains($0) }.map { conjuncts[$0].expression }
    let read =
      query.columns.map(\.expression) + query.grouping + [query.groupFilter].compactMap { $0 }
      + query.ordering.map(\.expression) + rest
    return read.contains { !IndexPlanner.isConstant($0) }
      && read.allSatisfy { IndexPlanner.isReadFromIndex($0, covered) }
  }

  private static func isConstant(_ expression: QueryExpression) -> Bool {
    if case .function(.count, let arguments, false) = expression, case .everything(nil)? = arguments.first {
      return false
    }
    return expression.sourceNames.isEmpty
  }

  private static func isReadFromIndex(_ expression: QueryExpression, _ covered: [QueryExpression]) -> Bool {
    if covered.contains(expression) { return true }
    switch expression {
    case .property, .metadata, .match, .rank: return false
    case .function(.count, let arguments, false):
      if case .everything(nil)? = arguments.first { return true }
      return arguments.allSatisfy { isReadFromIndex($0, covered) }
    case .everything: return false
    default: return expression.children.allSatisfy { isReadFromIndex($0, covered) }
    }
  }

  // MARK: Reasons

  /// Returns the indexes that are not used, with the reasons.
  func unused(excluding chosen: String?) -> [QueryPlan.UnusedIndex] {
    schema.valueIndexes.filter { $0.name != chosen }.map { index in
      QueryPlan.UnusedIndex(name: index.name, reason: reason(against: index, chosen: chosen))
    }
  }

  private func reason(against index: StoredValueIndex, chosen: String?) -> String {
    if index.isIncomplete { return "it lacks documents for which no prediction could be made; create it again" }
    if index.isOutdated { return "it was built by another version and must be rebuilt" }
    if includesDeletedDocuments { return "the query includes deleted documents, which indexes do not contain" }
    guard index.isOfDocuments else {
      return
        "no condition on the elements of \(index.definition.path.map { "\($0)" } ?? "the array") with ANY or UNNEST"
    }
    guard let match = match(index) else {
      let condition = index.definition.condition.map { SQLPrinter().text(of: $0) } ?? ""
      return "it contains only documents with \(condition), which is not among the conditions of the query"
    }
    if match.answersConditions {
      return chosen.map { "\"\($0)\" answers at least as many conditions" } ?? "the lookup by id is faster"
    }
    guard let column = index.columns.first else {
      let call = index.definition.prediction.map { SQLPrinter().text(of: $0) } ?? ""
      return "it contains \(call), which the query does not use"
    }
    let text = SQLPrinter().text(of: column.expression)
    return reasonAgainst(column) ?? "no condition compares \(text) with a value"
  }

  /// Returns why no condition on the first column uses the index.
  private func reasonAgainst(_ column: StoredValueIndex.Column) -> String? {
    let target = column.expression.with(source: source.name)
    let text = SQLPrinter().text(of: column.expression)
    for conjunct in conjuncts {
      for constraint in conjunct.constraints where constraint.target == target {
        if constraint.collation != column.collation { return "\(text) is compared with another collation" }
        if constraint.dependsOnCollation {
          return "the index contains values without the collation, which the comparison evaluates differently"
        }
        if !constraint.values.allSatisfy({ $0.sourceNames.isEmpty }) {
          return "\(text) is compared with another property, not with a value"
        }
      }
      switch conjunct.inner {
      case .comparison(.notEqual, target, _), .comparison(.notEqual, _, target):
        return "!= excludes few documents"
      case .like(target, _): return "the pattern of LIKE begins with a wildcard or is not a constant"
      case .ilike(target, _): return "ILIKE ignores case, which only a pattern index supports"
      case .or(let operands) where operands.contains(where: { $0.contains(where: { $0 == target }) }):
        return "\(text) is compared inside OR"
      case .not(let operand) where operand.contains(where: { $0 == target }): return "\(text) is compared inside NOT"
      default: break
      }
    }
    return nil
  }
}
