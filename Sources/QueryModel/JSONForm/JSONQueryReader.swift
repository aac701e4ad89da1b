import JSONText

/// Parses the clauses of a query in its JSON form. Expressions are in JSONQueryReader+Expressions.swift.
struct JSONQueryReader {
  /// The sources of the query. A path may begin with the name of one.
  var names = SourceNames(of: [])
  let stack = StackSpace()

  mutating func query(_ value: JSONValue) throws(JSONQueryError) -> SelectQuery {
    let root = LocatedJSON(value)
    guard let operation = root.operation else {
      if case .object = value { return try select(root) }
      throw root.error("a query is an object or an operation such as [\"=\", [\".name\"], \"x\"], not \(root.shown)")
    }
    if operation.name == "SELECT" {
      guard operation.operands.count == 1 else { throw root.error("SELECT takes one object") }
      return try select(operation.operands[0])
    }
    names = SourceNames(of: [QuerySource(.collection(.standard))])
    var query = SelectQuery(columns: Self.defaultColumns, sources: [QuerySource(.collection(.standard))])
    query.filter = try expression(root)
    return query
  }

  /// The columns of a query without `WHAT`.
  private static let defaultColumns = [
    ResultColumn(.metadata(.id, source: nil)), ResultColumn(.metadata(.sequence, source: nil)),
  ]

  private mutating func select(_ object: LocatedJSON) throws(JSONQueryError) -> SelectQuery {
    let members = try object.object("a query")
    var query = SelectQuery(columns: Self.defaultColumns, sources: [QuerySource(.collection(.standard))])
    // Read before the other clauses because the meaning of a path depends on the sources.
    let from = members.first { $0.key.uppercased() == "FROM" }
    if let from { names = SourceNames(of: try sources(from.value, withConditions: false)) }
    if from == nil { names = SourceNames(of: query.sources) }
    if let from, let (name, position) = names.duplicate {
      let path = from.value.elements?[position] ?? from.value
      throw path.error("two sources are called \"\(name)\": give one of them another name with AS")
    }
    for (key, value) in members { try clause(key, value, of: &query) }
    return query
  }

  private func clause(
    _ key: String, _ value: LocatedJSON, of query: inout SelectQuery
  ) throws(JSONQueryError) {
    switch key.uppercased() {
    case "WHAT": query.columns = try list(value, "WHAT") { v throws(JSONQueryError) in try column(v) }
    case "DISTINCT": query.isDistinct = try value.boolean("DISTINCT")
    case "FROM": query.sources = try sources(value, withConditions: true)
    case "WHERE": query.filter = try expression(value)
    case "GROUP_BY": query.grouping = try list(value, "GROUP_BY") { v throws(JSONQueryError) in try expression(v) }
    case "HAVING": query.groupFilter = try expression(value)
    case "ORDER_BY": query.ordering = try list(value, "ORDER_BY") { v throws(JSONQueryError) in try sortTerm(v) }
    case "LIMIT": query.limit = try expression(value)
    case "OFFSET": query.offset = try expression(value)
    default:
      throw value.error(
        "a query has no member \"\(key)\"; the members are WHAT, DISTINCT, FROM, WHERE, GROUP_BY, HAVING, ORDER_BY, LIMIT and OFFSET"
      )
    }
  }

  private func list<T>(
    _ value: LocatedJSON, _ what: String, _ element: (LocatedJSON) throws(JSONQueryError) -> T
  ) throws(JSONQueryError) -> [T] {
    // A common mistake with this schema: an expression instead of a list of expressions.
    if let operation = value.operation, operation.name.hasPrefix(".") {
      throw value.error("\(what) is a list of expressions: [[\"\(operation.name)\", …]], with two pairs of brackets")
    }
    var elements: [T] = []
    for item in try value.array(what) { elements.append(try element(item)) }
    return elements
  }

  // MARK: Columns and order

  private func column(_ value: LocatedJSON) throws(JSONQueryError) -> ResultColumn {
    guard let operation = value.operation, operation.name == "AS" else {
      return ResultColumn(try expression(value))
    }
    guard operation.operands.count == 2 else { throw value.error("AS takes an expression and a name") }
    let name = try operation.operands[1].string("the name of a column")
    return ResultColumn(try expression(operation.operands[0]), alias: name)
  }

  private func sortTerm(_ value: LocatedJSON) throws(JSONQueryError) -> SortTerm {
    guard let operation = value.operation else { return SortTerm(try expression(value)) }
    let words = operation.name.split(separator: " ")
    guard let direction = words.first, direction == "ASC" || direction == "DESC" else {
      return SortTerm(try expression(value))
    }
    guard operation.operands.count == 1 else { throw value.error("\(direction) takes one expression") }
    let nulls: SortTerm.NullPlacement?
    switch words.dropFirst() {
    case []: nulls = nil
    case ["NULLS", "FIRST"]: nulls = .first
    case ["NULLS", "LAST"]: nulls = .last
    default: throw value.error("\(direction) can be followed only by NULLS FIRST or NULLS LAST")
    }
    return SortTerm(try expression(operation.operands[0]), isAscending: direction == "ASC", nulls: nulls)
  }

  // MARK: Sources

  private func sources(_ value: LocatedJSON, withConditions: Bool) throws(JSONQueryError) -> [QuerySource] {
    var sources: [QuerySource] = []
    for item in try value.array("FROM") {
      sources.append(try source(item, isFirst: sources.isEmpty, withConditions: withConditions))
    }
    return sources
  }

  private func source(
    _ value: LocatedJSON, isFirst: Bool, withConditions: Bool
  ) throws(JSONQueryError) -> QuerySource {
    var source = QuerySource(.collection(.standard), join: isFirst ? nil : .inner)
    var scope: String?
    for (key, item) in try value.object("a source") {
      switch key.uppercased() {
      case "COLLECTION": source.content = .collection(try collection(item))
      case "SCOPE": scope = try item.string("SCOPE")
      case "UNNEST":
        // Errors in conditions are reported later; only the names are needed here.
        source.content = .unnest(withConditions ? try expression(item) : (try? expression(item)) ?? .null)
      case "AS": source.alias = try item.string("AS")
      case "JOIN": source.join = try join(item)
      case "ON": source.condition = withConditions ? try expression(item) : nil
      default:
        throw item.error(
          "a source has no member \"\(key)\"; the members are COLLECTION, SCOPE, UNNEST, AS, JOIN and ON")
      }
    }
    if let scope, case .collection(let path) = source.content {
      source.content = .collection(CollectionPath(path.name, scope: scope))
    }
    if withConditions { try check(source, value, isFirst: isFirst) }
    return source
  }

  private func collection(_ value: LocatedJSON) throws(JSONQueryError) -> CollectionPath {
    let text = try value.string("COLLECTION")
    let parts = try JSONPathText.components(of: text, at: value)
    switch parts.count {
    case 1: if case .key(let name) = parts[0] { return CollectionPath(name) }
    case 2:
      if case .key(let scope) = parts[0], case .key(let name) = parts[1] { return CollectionPath(name, scope: scope) }
    default: break
    }
    throw value.error("a collection is called \"name\" or \"scope.name\", not \(value.shown)")
  }

  private func join(_ value: LocatedJSON) throws(JSONQueryError) -> JoinKind {
    switch try value.string("JOIN").uppercased() {
    case "INNER", "UNNEST", "INNER UNNEST": return .inner
    case "LEFT", "LEFT OUTER", "LEFT UNNEST": return .left
    case "CROSS": return .cross
    default: throw value.error("only INNER, LEFT OUTER and CROSS joins are supported, not \(value.shown)")
    }
  }

  private func check(_ source: QuerySource, _ value: LocatedJSON, isFirst: Bool) throws(JSONQueryError) {
    if SourceNames(of: [source]).all == [""] { throw value.error("this source needs a name: \"AS\"") }
    switch source.content {
    case .unnest:
      if isFirst { throw value.error("the first source must be a collection; UNNEST comes after it") }
      if source.condition != nil { throw value.error("UNNEST takes no ON") }
    case .collection:
      if isFirst, source.join != nil { throw value.error("the first source takes no JOIN") }
      let needsCondition = !isFirst && source.join != .cross
      if needsCondition, source.condition == nil { throw value.error("this join needs a condition: \"ON\"") }
      if !needsCondition, source.condition != nil {
        throw value.error(isFirst ? "the first source takes no ON" : "a CROSS join takes no ON")
      }
    }
  }
}
