import QueryModel

/// The use of a value index for the conditions on a source.
struct IndexMatch {
  let index: StoredValueIndex
  /// The constraints that it answers, in the order of the columns; a range with two bounds has two.
  var constraints: [(column: Int, constraint: Constraint, conjunct: Int)] = []
  /// The number of columns that are constrained to one value.
  var equalityCount = 0
  /// Whether a column is constrained to a list of values.
  var hasMembership = false
  /// Whether a column is constrained to a range.
  var hasRange = false
  /// The conjuncts that the condition of a partial index implies.
  var impliedConjuncts: [Int] = []

  /// The rank by which the uses of several indexes are compared; higher is better. A partial index ranks higher,
  /// because a smaller index that answers the same conditions is faster.
  var rank: Int {
    equalityCount * 1000 + (hasMembership ? 500 : 0) + (hasRange ? 300 : 0) + impliedConjuncts.count * 10
  }

  var answersConditions: Bool { !constraints.isEmpty }

  /// Finds the best use of an index.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - source: the name of the source whose collection has the index.
  ///   - conjuncts: conditions that all rows of the result satisfy.
  ///   - isUsable: returns whether a value is known when the index is searched.
  /// - Returns: nil if the index does not contain all documents that may satisfy the conditions.
  init?(
    _ index: StoredValueIndex, source: String, conjuncts: [Conjunct], isUsable: (QueryExpression) -> Bool
  ) {
    var implied: [Int] = []
    for part in Conjunct.all(of: index.definition.condition?.with(source: source)) {
      guard let position = conjuncts.firstIndex(where: { $0.isEquivalent(part) }) else { return nil }
      implied.append(position)
    }
    self.init(index, conjuncts: conjuncts, implied, isUsable: isUsable) { $0.with(source: source) }
  }

  /// Finds the best use of the columns of an index whose condition is already matched, such as an array index.
  ///
  /// - Parameter target: returns the expression of the query for the expression of a column.
  init(
    _ index: StoredValueIndex, conjuncts: [Conjunct], _ impliedConjuncts: [Int] = [],
    isUsable: (QueryExpression) -> Bool,
    target: (QueryExpression) -> QueryExpression
  ) {
    self.index = index
    self.impliedConjuncts = impliedConjuncts
    columns: for (number, column) in index.columns.enumerated() {
      let target = target(column.expression)
      var ranges: [(Int, Constraint)] = []
      var membership: (Int, Constraint)?
      for (position, conjunct) in conjuncts.enumerated() {
        for constraint in conjunct.constraints
        where constraint.target.isIdentical(to: target) && IndexMatch.isCompatible(constraint, column)
          && constraint.values.allSatisfy(isUsable)
        {
          if constraint.isEquality {
            constraints.append((number, constraint, position))
            equalityCount += 1
            continue columns
          }
          if constraint.isMembership {
            membership = membership ?? (position, constraint)
          } else {
            ranges.append((position, constraint))
          }
        }
      }
      if let (position, constraint) = membership {
        constraints.append((number, constraint, position))
        hasMembership = true
        // The index is searched for each value, and the next column is sorted within the entries of each value.
        continue
      }
      for (position, constraint) in ranges { constraints.append((number, constraint, position)) }
      hasRange = !ranges.isEmpty
      break
    }
  }

  /// Returns whether a column contains the values that a constraint compares, sorted by its collation. Tests for null
  /// and MISSING do not depend on the order.
  private static func isCompatible(_ constraint: Constraint, _ column: StoredValueIndex.Column) -> Bool {
    guard !constraint.dependsOnCollation else { return false }
    return switch constraint.test {
    case .isNull, .isMissing, .isValued: true
    default: constraint.collation == column.collation
    }
  }
}

extension SQLGenerator {
  /// Returns SQL for a constraint on a column of an index's table.
  func sql(_ constraint: Constraint, column: String, exactColumn: String, collation: QueryCollation) throws -> String {
    let name = try SQLGenerator.name(of: collation)
    func collated(_ sql: String) -> String {
      name.map { "concordance_collated(\(sql), \(SQLText.literal($0)))" } ?? sql
    }
    func value(_ expression: QueryExpression) throws -> String {
      try withCollation(.binary) { collated(try operand(expression)) }
    }
    /// Returns the column, compared by bytes even if the other operand contains a COLLATE.
    func compared(with other: String) -> String { SQLGenerator.bytewise(column, with: other) }
    switch constraint.test {
    case .equal(let other):
      let other = try value(other)
      return "\(compared(with: other)) = \(other)"
    case .compared(let symbol, let other):
      let other = try value(other)
      return "\(compared(with: other)) \(symbol.rawValue) \(other)"
    case .between(let low, let high):
      let (low, high) = (try value(low), try value(high))
      return "\(compared(with: low + high)) BETWEEN \(low) AND \(high)"
    case .among(let elements): return "\(column) IN (\(try elements.map(value).joined(separator: ", ")))"
    case .amongElements(let list):
      let values = "SELECT \(collated("concordance_sort(value)")) FROM concordance_each(\(try exact(list)))"
      return "\(column) IN (\(values))"
    case .prefix(let text, _):
      let lower = "\(column) >= \(SQLText.literal(text))"
      // Arrays and objects, which are blobs, sort after the last string.
      let upper = text.successorOfPrefix.map { SQLText.literal($0) } ?? "x''"
      return "\(lower) AND \(column) < \(upper)"
    case .isNull: return "\(column) IS NULL AND \(exactColumn) IS NOT NULL"
    case .isMissing: return "\(column) IS NULL AND \(exactColumn) IS NULL"
    case .isValued: return "\(column) IS NOT NULL"
    }
  }
}

extension String {
  /// The least string that is greater than all strings with this prefix; nil if there is none. Strings are compared by
  /// their UTF-8 bytes, which is also the order of their scalars.
  var successorOfPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are not scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
