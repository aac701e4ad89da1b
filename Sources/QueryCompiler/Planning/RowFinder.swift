import DocumentStore
import JSONText
import QueryModel
import TextIndex

/// Finds rows of a collection: with array indexes, for conditions on the elements of an array; or with several indexes,
/// for OR.
///
/// It finds all documents for which one condition of the query may be true. The condition is still tested.
struct RowFinder {
  /// SQL that selects rows, with the condition and the indexes that it uses.
  struct Finding {
    var rows: String
    var conjunct: Int
    var indexes: [String]
    var access: QueryPlan.Access
  }

  private let query: ResolvedQuery
  private let generator: SQLGenerator
  private let conjuncts: [Conjunct]
  private let source: ResolvedSource
  private let schema: CollectionSchema

  init(
    _ query: ResolvedQuery, _ generator: SQLGenerator, _ conjuncts: [Conjunct], source: ResolvedSource,
    _ schema: CollectionSchema
  ) {
    self.query = query
    self.generator = generator
    self.conjuncts = conjuncts
    self.source = source
    self.schema = schema
  }

  /// Returns the rows for the first condition that indexes answer; nil if there is none.
  func find() throws -> Finding? {
    try unnested() ?? quantified() ?? disjunction()
  }

  // MARK: Elements of arrays

  /// Returns the rows for conditions on the elements of an UNNEST.
  private func unnested() throws -> Finding? {
    let indexes = schema.usableArrayIndexes
    // Each path is followed back to the document, which takes long if many arrays are nested.
    guard !indexes.isEmpty else { return nil }
    for element in query.sources {
      guard case .elements = element.content, let path = path(of: element.name) else { continue }
      for index in indexes where index.definition.path?.isIdentical(to: path) == true {
        let match = IndexMatch(index, conjuncts: conjuncts, isUsable: isKnown) { $0.with(source: element.name) }
        if let finding = try finding(match, conjuncts) { return finding }
      }
    }
    return nil
  }

  /// Returns the path from the document to the elements of a source.
  private func path(of name: String) -> PropertyPath? {
    guard name != source.name else { return PropertyPath([]) }
    // The row of a left unnest for a document without elements is not in any index.
    guard let position = query.position(of: name), query.sources[position].join != .left,
      case .elements(let array) = query.sources[position].content
    else { return nil }
    let steps: [PropertyPath.Component]
    let parent: String?
    switch array {
    case .property(let path, let source): (steps, parent) = (path.components, source)
    case .everything(let source): (steps, parent) = ([], source)
    default: return nil
    }
    guard let parent, let outer = path(of: parent) else { return nil }
    return PropertyPath(outer.components + (outer.components.isEmpty ? [] : [.each]) + steps)
  }

  /// Returns the rows for `ANY v IN array SATISFIES … END`, `x IN array` and `ARRAY_CONTAINS(array, x)`.
  private func quantified() throws -> Finding? {
    for (position, conjunct) in conjuncts.enumerated() {
      let array: QueryExpression
      let variable: String
      let inner: [Conjunct]
      switch conjunct.inner {
      case .quantified(let quantifier, let name, let list, let condition) where quantifier != .every:
        (array, variable, inner) = (list, name, Conjunct.all(of: condition, collation: conjunct.collation))
      case .in(let value, let list):
        (array, variable, inner) = (list, "element", RowFinder.equality("element", value, conjunct.collation))
      case .function(.arrayContains, let arguments, _) where arguments.count == 2:
        // ARRAY_CONTAINS finds null among the elements, but a comparison with null is never true. So values that may be
        // null are not looked up in an index.
        guard let value = arguments[1].constantJSON, value != .null else { continue }
        array = arguments[0]
        (variable, inner) = ("element", RowFinder.equality("element", arguments[1], conjunct.collation))
      default: continue
      }
      guard case .property(let path, source.name) = array else { continue }
      for index in schema.usableArrayIndexes where index.definition.path?.isIdentical(to: path) == true {
        let match = IndexMatch(index, conjuncts: inner, isUsable: isKnown) { $0.with(variable: variable) }
        if var finding = try finding(match, inner) {
          finding.conjunct = position
          return finding
        }
      }
    }
    return nil
  }

  private static func equality(
    _ variable: String, _ value: QueryExpression, _ collation: QueryCollation
  ) -> [Conjunct] {
    Conjunct.all(of: .comparison(.equal, .variable(variable, PropertyPath([])), value), collation: collation)
  }

  /// Returns whether a value is known before a document is read.
  private func isKnown(_ value: QueryExpression) -> Bool {
    value.sourceNames.isEmpty && !value.contains { if case .variable = $0 { true } else { false } }
  }

  private func finding(_ match: IndexMatch, _ conjuncts: [Conjunct]) throws -> Finding? {
    guard match.answersConditions else { return nil }
    return Finding(
      rows: try rows(match), conjunct: match.constraints[0].conjunct, indexes: [match.index.name],
      access: match.index.isOfDocuments ? .valueIndexSearch : .arrayIndexSearch)
  }

  private func rows(_ match: IndexMatch) throws -> String {
    let conditions = try match.constraints.map { column, constraint, _ in
      try generator.sql(
        constraint, column: "k\(column)", exactColumn: "e\(column)", collation: match.index.columns[column].collation)
    }
    return "SELECT doc FROM \(match.index.tableName) WHERE \(SQLText.joined(conditions, by: "AND"))"
  }

  // MARK: OR

  /// Returns the rows for an OR if an index answers each of its operands.
  private func disjunction() throws -> Finding? {
    for (position, conjunct) in conjuncts.enumerated() {
      guard case .or(let operands) = conjunct.inner, operands.count <= RowFinder.maximumOperands else { continue }
      var parts: [(rows: String, index: String, access: QueryPlan.Access)] = []
      for operand in operands {
        guard let part = try rows(for: Conjunct.all(of: operand, collation: conjunct.collation)) else { break }
        parts.append(part)
      }
      guard parts.count == operands.count, let first = parts.first else { continue }
      var indexes: [String] = []
      for part in parts where !indexes.contains(part.index) { indexes.append(part.index) }
      return Finding(
        rows: parts.map(\.rows).joined(separator: " UNION ALL "), conjunct: position, indexes: indexes,
        access: parts.allSatisfy { $0.access == first.access } ? first.access : .indexUnion)
    }
    return nil
  }

  /// SQLite limits a compound SELECT to 500 parts.
  private static let maximumOperands = 100

  /// Returns the rows for which all conditions of an operand may be true; nil if no index answers any of them.
  func rows(
    for operand: [Conjunct]
  ) throws -> (rows: String, index: String, access: QueryPlan.Access)? {
    if let condition = try keyCondition(operand) {
      return (
        "SELECT rowid FROM \(schema.record.table) AS d0 WHERE \(condition.sql)", condition.index, condition.access
      )
    }
    let matches = schema.usableIndexes.compactMap { index in
      IndexMatch(index, source: source.name, conjuncts: operand) { $0.sourceNames.isEmpty }
    }
    if let best = matches.filter(\.answersConditions).max(by: { $0.rank < $1.rank }) {
      return (try rows(best), best.index.name, .valueIndexSearch)
    }
    for conjunct in operand {
      guard case .match(let name, let text) = conjunct.inner, name.source == source.name else { continue }
      return (try generator.matchSelection(name, text), name.name, .fullTextIndex)
    }
    return nil
  }

  /// Returns a condition that an index on the table of documents answers.
  private func keyCondition(
    _ operand: [Conjunct]
  ) throws -> (sql: String, index: String, access: QueryPlan.Access)? {
    for conjunct in operand where conjunct.constraints.contains(where: { $0.values.allSatisfy(isKnown) }) {
      if let sql = try DocumentKeys.lookup(conjunct, source.name, "d0", generator) {
        return (sql, "META().id", .documentID)
      }
      if let (field, sql) = try DocumentKeys.range(conjunct, source.name, "d0", generator, isUsable: isKnown) {
        return (sql, "META().\(field.rawValue)", .metadataSearch)
      }
    }
    return nil
  }
}

extension QueryExpression {
  /// Returns a copy in which expressions without a source refer to a variable.
  fileprivate func with(variable: String) -> QueryExpression {
    map { expression in
      switch expression {
      case .property(let path, nil): .variable(variable, path)
      case .everything(nil): .variable(variable, PropertyPath([]))
      default: expression
      }
    }
  }
}
