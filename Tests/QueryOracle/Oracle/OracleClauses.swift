import QueryModel

/// WHERE and the clauses after it, in the order in which SQL applies them: GROUP BY, HAVING, SELECT, DISTINCT, ORDER
/// BY, OFFSET, LIMIT.
struct OracleClauses {
  let query: SelectQuery
  let evaluator: OracleEvaluator

  /// An intermediate row of the result.
  private struct Output {
    let cells: [OracleValue]
    let keys: [OracleValue]
  }

  func result(of rows: [OracleRow]) throws -> OracleResult {
    let kept = try rows.filter { try holds(query.filter, OracleScope(row: $0)) }
    var output = try scopes(of: kept).filter { try holds(query.groupFilter, $0) }.map { scope in
      Output(
        cells: try query.columns.map { try evaluator.value(of: $0.expression, in: scope) },
        keys: try query.ordering.map { try evaluator.value(of: $0.expression, in: scope) })
    }
    if query.isDistinct {
      var seen: Set<[[UInt8]]> = []
      output = output.filter { row in
        seen.insert(zip(row.cells, query.columns).map { $0.identity($1.expression.collation) }).inserted
      }
    }
    return try limited(sorted(output))
  }

  private func holds(_ condition: QueryExpression?, _ scope: OracleScope) throws -> Bool {
    guard let condition else { return true }
    return OracleLogic.truth(of: try evaluator.value(of: condition, in: scope)) == true
  }

  // MARK: Groups

  /// Returns the scopes for evaluating columns: rows, or groups of them.
  private func scopes(of rows: [OracleRow]) throws -> [OracleScope] {
    guard query.isGrouped else { return rows.map { OracleScope(row: $0) } }
    if query.grouping.isEmpty { return [OracleScope(row: rows.first ?? OracleRow(), group: rows)] }
    var groups: [(key: [[UInt8]], rows: [OracleRow])] = []
    for row in rows {
      let key = try query.grouping.map {
        try evaluator.value(of: $0, in: OracleScope(row: row)).identity($0.collation)
      }
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].rows.append(row)
      } else {
        groups.append((key, [row]))
      }
    }
    return groups.map { OracleScope(row: $0.rows[0], group: $0.rows, grouping: query.grouping) }
  }

  // MARK: Order

  private func order(_ one: Output, _ two: Output) -> Int {
    for (term, (left, right)) in zip(query.ordering, zip(one.keys, two.keys)) {
      let order = order(left, right, term)
      if order != 0 { return order }
    }
    return 0
  }

  private func order(_ one: OracleValue, _ two: OracleValue, _ term: SortTerm) -> Int {
    if one.isValued, two.isValued {
      return one.order(two, term.expression.collation) * (term.isAscending ? 1 : -1)
    }
    if one.isValued == two.isValued { return 0 }
    let nullsAreFirst = term.nulls.map { $0 == .first } ?? term.isAscending
    return one.isValued == nullsAreFirst ? 1 : -1
  }

  private func sorted(_ rows: [Output]) -> [Output] {
    // Swift's sort is stable in practice but not documented to be.
    rows.enumerated().sorted { one, two in
      let order = order(one.element, two.element)
      return order != 0 ? order < 0 : one.offset < two.offset
    }.map(\.element)
  }

  // MARK: Limits

  private func limited(_ rows: [Output]) throws -> OracleResult {
    let start = min(max(try number(query.offset) ?? 0, 0), rows.count)
    let count = max(try number(query.limit) ?? rows.count, 0)
    let end = start + min(count, rows.count - start)
    // Rows that are equal in the order have the same number.
    var ties = [0]
    for index in rows.indices.dropFirst() {
      ties.append(ties[index - 1] + (order(rows[index - 1], rows[index]) == 0 ? 0 : 1))
    }
    var result = OracleResult(columns: query.resultColumns, rows: rows[start..<end].map(\.cells))
    result.ties = query.ordering.isEmpty || rows.isEmpty ? [] : Array(ties[start..<end])
    result.isDeterminate =
      start == end || (!isSplit(rows, ties, at: start) && !isSplit(rows, ties, at: end) && !hasNearTies(rows))
    return result
  }

  private func number(_ expression: QueryExpression?) throws -> Int? {
    guard let expression else { return nil }
    guard case .integer(let number) = try evaluator.value(of: expression, in: OracleScope(row: OracleRow())) else {
      throw OracleError.undefined("LIMIT and OFFSET that are not integers")
    }
    return Int(number)
  }

  /// Returns whether a cut separates rows that differ but are equal in the order.
  private func isSplit(_ rows: [Output], _ ties: [Int], at cut: Int) -> Bool {
    guard cut > 0, cut < rows.count, ties[cut - 1] == ties[cut] else { return false }
    let tied = rows.indices.filter { ties[$0] == ties[cut] }.map { index in rows[index].cells.map(\.description) }
    return Set(tied).count > 1
  }

  /// Returns whether the order depends on rounding errors of a sum.
  private func hasNearTies(_ rows: [Output]) -> Bool {
    zip(rows, rows.dropFirst()).contains { one, two in
      zip(query.ordering, zip(one.keys, two.keys)).contains { term, keys in
        guard term.expression.tolerance.isFuzzy, let left = OracleArithmetic.number(keys.0),
          let right = OracleArithmetic.number(keys.1)
        else { return false }
        // Small multiples of a quarter are added without rounding.
        let isExact = left == right && abs(left) < 0x1p50 && (left * 4).rounded() == left * 4
        return !isExact && OracleTolerance.areClose(left, right)
      }
    }
  }
}

extension SelectQuery {
  /// Whether rows of the result represent groups.
  var isGrouped: Bool {
    if !grouping.isEmpty { return true }
    let expressions = columns.map(\.expression) + [groupFilter].compactMap { $0 } + ordering.map(\.expression)
    return expressions.contains { $0.containsAggregate }
  }
}

extension QueryExpression {
  /// The collation by which the values of the expression itself are grouped and sorted.
  var collation: QueryCollation {
    if case .collated(_, let collation) = self { return collation }
    return .binary
  }

  /// Whether the expression contains an aggregate.
  var containsAggregate: Bool {
    if case .function(let function, _, _) = self, function.isAggregate { return true }
    return children.contains { $0.containsAggregate }
  }
}
