import QueryModel

/// How far a value index serves the conditions on a source.
struct IndexMatch {
  let index: StoredValueIndex
  /// The constraints that it answers, by column, in order; several for a range with two ends.
  var constraints: [(column: Int, constraint: Constraint, conjunct: Int)] = []
  /// The number of columns that are held to one value.
  var equalityCount = 0
  /// Whether a further column has a list of values or a range.
  var hasMembership = false
  var hasRange = false
  /// The conjuncts of the index's own condition, which hold for all that is in it.
  var impliedConjuncts: [Int] = []

  /// How good it is, the more the better. Its own condition counts: a smaller index that answers as much is the better one.
  var rank: Int {
    equalityCount * 1000 + (hasMembership ? 500 : 0) + (hasRange ? 300 : 0) + impliedConjuncts.count * 10
  }

  var answersConditions: Bool { !constraints.isEmpty }

  /// The best use of an index.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - source: the name of the source whose collection it is of.
  ///   - conjuncts: conditions that hold for every row that is wanted.
  ///   - isUsable: whether a value that the source is compared with is known when the index is searched.
  /// - Returns: nil where the index does not hold all documents that may be wanted.
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

  /// The same for the columns of an array index.
  ///
  /// - Parameter target: the expression of the query that a column holds.
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
        // A search for each value: the next column is in order behind each.
        continue
      }
      for (position, constraint) in ranges { constraints.append((number, constraint, position)) }
      hasRange = !ranges.isEmpty
      break
    }
  }

  /// Whether the index has the order in which a constraint compares. Tests for null and MISSING compare nothing.
  private static func isCompatible(_ constraint: Constraint, _ column: StoredValueIndex.Column) -> Bool {
    switch constraint.test {
    case .isNull, .isMissing, .isValued: true
    default: constraint.collation == column.collation
    }
  }
}

extension SQLGenerator {
  /// SQL for a constraint on a column of an index's table.
  func sql(_ constraint: Constraint, column: String, exactColumn: String, collation: QueryCollation) throws -> String {
    let name = try SQLGenerator.name(of: collation)
    func collated(_ sql: String) -> String {
      name.map { "concordance_collated(\(sql), \(SQLText.literal($0)))" } ?? sql
    }
    func value(_ expression: QueryExpression) throws -> String {
      try withCollation(.binary) { collated(try operand(expression)) }
    }
    /// The column, compared by bytes whatever is inside the value.
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
      // Behind the last string there are arrays and objects, which are blobs.
      let upper = text.successorOfPrefix.map { SQLText.literal($0) } ?? "x''"
      return "\(lower) AND \(column) < \(upper)"
    case .isNull: return "\(column) IS NULL AND \(exactColumn) IS NOT NULL"
    case .isMissing: return "\(column) IS NULL AND \(exactColumn) IS NULL"
    case .isValued: return "\(column) IS NOT NULL"
    }
  }
}

extension String {
  /// The first string behind all that begin with this one, by the bytes of UTF-8, which are in the order of the scalars; nil
  /// where there is none.
  var successorOfPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are no scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
