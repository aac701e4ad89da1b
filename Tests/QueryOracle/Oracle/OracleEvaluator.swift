import JSONText
import QueryModel

/// The context in which an expression is evaluated.
struct OracleScope {
  /// The row, or the first row of a group.
  var row: OracleRow
  /// The rows of the group, if rows are grouped.
  var group: [OracleRow]?
  /// The grouping expressions.
  var grouping: [QueryExpression] = []
  /// The variables of the enclosing quantifiers, the innermost last.
  var variables: [(name: String, value: OracleValue)] = []
  /// The collation of comparisons that do not specify one.
  var collation = QueryCollation.binary
}

/// Evaluates expressions by traversing them for every row.
struct OracleEvaluator {
  /// The names of the sources.
  let sources: [String]
  let parameters: [String: OracleValue]

  func value(of expression: QueryExpression, in scope: OracleScope) throws -> OracleValue {
    if scope.group != nil, scope.isGroupKey(expression) {
      // The value is the same for all rows of the group.
      return try value(of: expression, in: scope.ofFirstRow)
    }
    switch expression {
    case .missing: return .missing
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .double(let number): return OracleArithmetic.finite(number)
    case .string(let text): return .string(text)
    case .array(let elements): return .array(try elements.map { try value(of: $0, in: scope).orNull })
    case .dictionary(let entries):
      return .object(
        try entries.compactMap { entry in
          let value = try value(of: entry.value, in: scope)
          return value.isMissing ? nil : OracleValue.Member(entry.key, value)
        })
    case .property(let path, let source): return try item(source, scope)?.value.member(at: path.components) ?? .missing
    case .everything(let source): return try item(source, scope)?.value ?? .missing
    case .metadata(let field, let source): return try metadata(field, try item(source, scope))
    case .parameter(let name):
      guard let value = parameters[name] else { throw OracleError.invalid("$\(name) is not set") }
      return value
    case .variable(let name, let path):
      guard let variable = scope.variables.last(where: { $0.name == name }) else {
        throw OracleError.invalid("there is no variable \(name)")
      }
      return variable.value.member(at: path.components)
    case .member(let base, let path): return try value(of: base, in: scope).member(at: path.components)
    case .negated(let operand): return OracleArithmetic.negate(try value(of: operand, in: scope))
    case .arithmetic(let symbol, let left, let right):
      return try OracleArithmetic.apply(symbol, value(of: left, in: scope), value(of: right, in: scope))
    case .conditional(let subject, let branches, let otherwise):
      return try conditional(subject, branches, otherwise, scope)
    case .quantified(let quantifier, let variable, let array, let condition):
      return try quantified(quantifier, variable, array, condition, scope)
    case .collated(let operand, let collation):
      if case .unicode = collation { throw OracleError.undefined("Unicode collations") }
      var scope = scope
      scope.collation = collation
      return try value(of: operand, in: scope)
    case .function(let function, let arguments, let isDistinct):
      if function.isAggregate { return try aggregate(function, arguments, isDistinct, scope) }
      let values = try arguments.map { try value(of: $0, in: scope) }
      return try OracleFunctions(collation: scope.collation).call(function, values)
    case .match, .rank: throw OracleError.undefined("full text")
    default: return try test(expression, scope)
    }
  }

  // MARK: References

  private func item(_ source: String?, _ scope: OracleScope) throws -> OracleRow.Item? {
    guard scope.group == nil else { throw OracleError.invalid("neither a key of the group nor an aggregate") }
    guard let name = source ?? (sources.count == 1 ? sources[0] : nil), sources.contains(name) else {
      throw OracleError.invalid("the source is ambiguous: \(sources)")
    }
    return scope.row.items[name]
  }

  private func metadata(_ field: MetadataField?, _ item: OracleRow.Item?) throws -> OracleValue {
    guard let item else { return .missing }
    guard let document = item.document else { throw OracleError.undefined("metadata of an element") }
    switch field {
    case .id: return .string(document.id)
    case .sequence: return .integer(document.sequence)
    case .deleted: return .boolean(false)
    case .expiration: return .missing
    case .revisionID, nil: throw OracleError.undefined("META() and META().revisionID")
    }
  }

  // MARK: Compound expressions

  private func conditional(
    _ subject: QueryExpression?, _ branches: [ConditionalBranch], _ otherwise: QueryExpression?, _ scope: OracleScope
  ) throws -> OracleValue {
    for branch in branches {
      let condition = subject.map { QueryExpression.comparison(.equal, $0, branch.when) } ?? branch.when
      if OracleLogic.truth(of: try value(of: condition, in: scope)) == true {
        return try value(of: branch.then, in: scope)
      }
    }
    return try otherwise.map { try value(of: $0, in: scope) } ?? .null
  }

  private func quantified(
    _ quantifier: Quantifier, _ variable: String, _ array: QueryExpression, _ condition: QueryExpression,
    _ scope: OracleScope
  ) throws -> OracleValue {
    let elements = try value(of: array, in: scope).elements() ?? []
    let isTrue = try elements.map { element in
      var inner = scope
      inner.variables.append((variable, element))
      return OracleLogic.truth(of: try value(of: condition, in: inner)) == true
    }
    switch quantifier {
    case .any: return .boolean(isTrue.contains(true))
    case .every: return .boolean(!isTrue.contains(false))
    case .anyAndEvery: return .boolean(!isTrue.isEmpty && !isTrue.contains(false))
    }
  }

  private func aggregate(
    _ function: QueryFunction, _ arguments: [QueryExpression], _ isDistinct: Bool, _ scope: OracleScope
  ) throws -> OracleValue {
    guard let group = scope.group else { throw OracleError.invalid("an aggregate of a single row") }
    if function == .count, case .everything(nil)? = arguments.first { return .integer(Int64(group.count)) }
    guard arguments.count == 1 else { throw OracleError.invalid("an aggregate takes one argument") }
    let values = try group.map { row in
      try value(of: arguments[0], in: OracleScope(row: row, variables: scope.variables))
    }
    return try OracleAggregates.call(function, values, isDistinct: isDistinct)
  }
}

extension OracleScope {
  /// The scope of the first row outside the group. A group without rows has no keys either.
  var ofFirstRow: OracleScope {
    var copy = self
    copy.group = nil
    return copy
  }

  /// Returns whether an expression is a grouping expression, with or without the collation of the grouping.
  func isGroupKey(_ expression: QueryExpression) -> Bool {
    grouping.contains { key in
      if case .collated(let inner, _) = key, inner == expression { return true }
      return key == expression
    }
  }
}

extension OracleValue {
  /// Null for MISSING, as in an array.
  fileprivate var orNull: OracleValue { isMissing ? .null : self }
}
