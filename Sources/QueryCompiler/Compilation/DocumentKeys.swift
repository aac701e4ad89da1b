import QueryModel

/// Conditions on metadata that is indexed in the table of documents itself: the id, the sequence and the expiration.
///
/// Each condition is written twice: once in a form for which SQLite uses these indexes, and once as the exact test. The
/// indexed form alone is not enough because SQLite converts the other operand to the type of the column, so a number
/// would equal a string of the same digits.
enum DocumentKeys {
  /// The fields that have an index.
  private static let fields: [MetadataField] = [.id, .sequence, .expiration]

  /// Returns a condition that looks up the document by its id; nil if the conjunct does not constrain the id.
  static func lookup(
    _ conjunct: Conjunct, _ source: String, _ alias: String, _ generator: SQLGenerator
  ) throws -> String? {
    for constraint in constraints(conjunct, on: .id, of: source) {
      switch constraint.test {
      case .equal(.string(let id)): return "\(alias).id = \(SQLText.literal(id))"
      case .equal(let value): return "\(alias).id = concordance_text(\(try generator.key(value)))"
      case .among(let values):
        let keys = try values.map { "concordance_text(\(try generator.key($0)))" }
        return keys.isEmpty ? nil : "\(alias).id IN (\(keys.joined(separator: ", ")))"
      case .amongElements(let list):
        let ids = "SELECT concordance_text(value) FROM concordance_each(\(try generator.exact(list)))"
        return "\(alias).id IN (\(ids))"
      default: continue
      }
    }
    return nil
  }

  /// Returns a condition that SQLite can answer with a range or equality search in the index of a field; nil if the
  /// conjunct contains no such condition.
  ///
  /// - Parameter isUsable: returns whether a value is known when the index is searched.
  static func range(
    _ conjunct: Conjunct, _ source: String, _ alias: String, _ generator: SQLGenerator,
    isUsable: (QueryExpression) -> Bool
  ) throws -> (field: MetadataField, sql: String)? {
    for field in fields {
      for constraint in constraints(conjunct, on: field, of: source) where constraint.values.allSatisfy(isUsable) {
        let column = "\(alias).\(field.rawValue)"
        func bound(_ value: QueryExpression) throws -> String { try self.bound(value, field, generator) }
        switch constraint.test {
        case .equal(let value) where field != .id: return (field, "\(column) = \(try bound(value))")
        case .among(let values) where field != .id && !values.isEmpty:
          return (field, "\(column) IN (\(try values.map(bound).joined(separator: ", ")))")
        case .compared(let symbol, let value): return (field, "\(column) \(symbol.rawValue) \(try bound(value))")
        case .between(let low, let high): return (field, "\(column) BETWEEN \(try bound(low)) AND \(try bound(high))")
        case .prefix(let text, _) where field == .id:
          let upper = text.successorOfPrefix.map { " AND \(column) < \(SQLText.literal($0))" } ?? ""
          return (field, "\(column) >= \(SQLText.literal(text))\(upper)")
        default: continue
        }
      }
    }
    return nil
  }

  private static func constraints(_ conjunct: Conjunct, on field: MetadataField, of source: String) -> [Constraint] {
    conjunct.constraints.filter { constraint in
      constraint.target == .metadata(field, source: source) && constraint.collation == .binary
        && !constraint.values.contains { $0.sourceNames.contains(source) }
    }
  }

  /// Returns the value to compare a column with. A value that SQLite would convert to the column's type is replaced by
  /// one that sorts in the same position: numbers sort before all ids, strings after all numbers.
  private static func bound(
    _ value: QueryExpression, _ field: MetadataField, _ generator: SQLGenerator
  ) throws -> String {
    switch (value, field) {
    case (.string(let text), .id): return SQLText.literal(text)
    case (.integer, .sequence), (.integer, .expiration): return try generator.key(value)
    default: break
    }
    let key = try generator.key(value)
    return SQLGenerator.bytewise(
      field == .id
        ? "CASE WHEN typeof(\(key)) IN ('integer', 'real') THEN '' ELSE \(key) END"
        : "CASE typeof(\(key)) WHEN 'text' THEN x'' ELSE \(key) END")
  }
}
