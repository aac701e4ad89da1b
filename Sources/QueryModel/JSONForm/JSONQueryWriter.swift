public import JSONText

/// Writes queries and expressions in their JSON form. ``JSONQueryParser`` parses the output into an equal query.
///
/// ```swift
/// let query = try SQLParser().parse("SELECT name FROM hotel WHERE stars >= 4")
/// JSONQueryWriter().value(of: query).text
/// // {"WHAT":[[".name"]],"FROM":[{"COLLECTION":"hotel"}],"WHERE":[">=",[".stars"],4]}
/// ```
///
/// Infinities and NaN have no JSON form and become null.
public struct JSONQueryWriter: Sendable {
  /// Creates a writer.
  public init() {}

  /// Returns the JSON form of a query: an object.
  ///
  /// - Complexity: O(*n*) in the size of the query, which must not be nested deeper than ``SQLParser/maximumDepth``.
  public func value(of query: SelectQuery) -> JSONValue {
    let sources = query.sources.enumerated().map { source($1, isFirst: $0 == 0) }
    var members = [JSONMember("WHAT", list(query.columns.map(column))), JSONMember("FROM", .array(sources))]
    func add(_ key: String, _ expression: QueryExpression?) {
      if let expression { members.append(JSONMember(key, value(of: expression))) }
    }
    if query.isDistinct { members.insert(JSONMember("DISTINCT", .boolean(true)), at: 0) }
    add("WHERE", query.filter)
    if !query.grouping.isEmpty {
      members.append(JSONMember("GROUP_BY", list(query.grouping.map { value(of: $0) })))
    }
    add("HAVING", query.groupFilter)
    if !query.ordering.isEmpty { members.append(JSONMember("ORDER_BY", list(query.ordering.map(sortTerm)))) }
    add("LIMIT", query.limit)
    add("OFFSET", query.offset)
    return .object(members)
  }

  /// Returns a list that cannot be mistaken for an operation on a property.
  private func list(_ elements: [JSONValue]) -> JSONValue {
    guard case .string(let text)? = elements.first, text.hasPrefix(".") else { return .array(elements) }
    return .array([.array([.string("LITERAL"), .string(text)])] + elements.dropFirst())
  }

  private func column(_ column: ResultColumn) -> JSONValue {
    guard let alias = column.alias else { return value(of: column.expression) }
    return .array([.string("AS"), value(of: column.expression), .string(alias)])
  }

  private func sortTerm(_ term: SortTerm) -> JSONValue {
    if term.isAscending, term.nulls == nil { return value(of: term.expression) }
    let nulls = term.nulls.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? ""
    return .array([.string((term.isAscending ? "ASC" : "DESC") + nulls), value(of: term.expression)])
  }

  private func source(_ source: QuerySource, isFirst: Bool) -> JSONValue {
    var members: [JSONMember] = []
    switch source.content {
    case .collection(let path):
      let keys = [path.scope, path.name].compactMap { $0 }.map { PropertyPath.Component.key($0) }
      members.append(JSONMember("COLLECTION", .string(JSONPathText.text(keys))))
      if let join = source.join, !isFirst {
        members.append(JSONMember("JOIN", .string(JSONQueryWriter.name(of: join))))
      }
    case .unnest(let array):
      members.append(JSONMember("UNNEST", value(of: array)))
      if source.join == .left { members.append(JSONMember("JOIN", .string("LEFT UNNEST"))) }
    }
    if let alias = source.alias { members.append(JSONMember("AS", .string(alias))) }
    if let condition = source.condition { members.append(JSONMember("ON", value(of: condition))) }
    return .object(members)
  }

  private static func name(of join: JoinKind) -> String {
    switch join {
    case .inner: "INNER"
    case .left: "LEFT OUTER"
    case .cross: "CROSS"
    }
  }
}

extension JSONQueryWriter {
  /// Returns the JSON form of an expression.
  public func value(of expression: QueryExpression) -> JSONValue {
    switch expression {
    case .missing: operation("MISSING")
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .int64(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .string(let text): .string(text)
    case .array(let elements): operation("[]", elements)
    case .dictionary(let entries): .object(entries.map { JSONMember($0.key, value(of: $0.value)) })
    case .property(let path, let source): property(path, source)
    case .everything(let source): .array([.string(source.map { "." + text([.key($0)]) + "." } ?? ".")])
    case .metadata(nil, let source): .array([.string("META()")] + [source].compactMap { $0 }.map { .string($0) })
    case .metadata(let field?, let source):
      .array([.string("." + text([source, field.propertyName].compactMap { $0 }.map { .key($0) }))])
    case .parameter(let name): .array([.string("$" + name)])
    case .variable(let name, let path): .array([.string("?" + text([.key(name)] + path.components))])
    case .member(let base, let path): member(value(of: base), path.components)
    case .negated(let operand): operation("-", [operand])
    case .arithmetic(let symbol, let left, let right): operation(symbol.rawValue, [left, right])
    case .concatenation(let left, let right): operation("||", [left, right])
    case .comparison(let symbol, let left, let right): operation(symbol.rawValue, [left, right])
    case .is(let left, let right): operation("IS", [left, right])
    case .isValued(let operand): operation("IS VALUED", [operand])
    case .in(let left, let array): operation("IN", [left, array])
    case .between(let operand, let low, let high): operation("BETWEEN", [operand, low, high])
    case .like(let left, let pattern): operation("LIKE", [left, pattern])
    case .ilike(let left, let pattern): operation("ILIKE", [left, pattern])
    case .exists(let operand): operation("EXISTS", [operand])
    case .not(.is(let left, let right)): operation("IS NOT", [left, right])
    case .not(.in(let left, let array)): operation("NOT IN", [left, array])
    case .not(let operand): operation("NOT", [operand])
    case .and(let operands): operation("AND", operands)
    case .or(let operands): operation("OR", operands)
    case .collated(let operand, let collation):
      .array([.string("COLLATE"), options(collation), value(of: operand)])
    case .conditional(let subject, let branches, let otherwise): conditional(subject, branches, otherwise)
    case .quantified(let quantifier, let variable, let array, let condition):
      .array([.string(quantifier.rawValue), .string(variable), value(of: array), value(of: condition)])
    case .function(let function, let arguments, isDistinct: false): operation(function.rawValue + "()", arguments)
    case .function(let function, let arguments, isDistinct: true):
      .array([.string(function.rawValue + "()"), operation("DISTINCT", arguments)])
    case .match(let index, let query): .array([.string("MATCH()"), name(of: index), value(of: query)])
    case .rank(let index): .array([.string("RANK()"), name(of: index)])
    }
  }

  private func operation(_ name: String, _ operands: [QueryExpression] = []) -> JSONValue {
    .array([.string(name)] + operands.map { value(of: $0) })
  }

  private func text(_ components: [PropertyPath.Component]) -> String { JSONPathText.text(components) }

  private func property(_ path: PropertyPath, _ source: String?) -> JSONValue {
    // A document may have a property named `_id`, or one with an empty name. The short form would change its meaning.
    if case .key(let first)? = path.components.first, first.isEmpty || MetadataField(propertyName: first) != nil {
      return member(value(of: .everything(source: source)), path.components)
    }
    let keys = [source].compactMap { $0 }.map { PropertyPath.Component.key($0) } + path.components
    return .array([.string("." + text(keys))])
  }

  private func member(_ base: JSONValue, _ components: [PropertyPath.Component]) -> JSONValue {
    guard components.first == .key("") else { return .array([.string("_." + text(components)), base]) }
    // The short form cannot begin with an empty key.
    let parts = components.map { component -> JSONValue in
      switch component {
      case .key(let key): .string(key)
      case .position(let position): .array([.int64(Int64(position))])
      case .each: .array([])
      }
    }
    return .array([.string("_."), base] + parts)
  }

  private func conditional(
    _ subject: QueryExpression?, _ branches: [ConditionalBranch], _ otherwise: QueryExpression?
  ) -> JSONValue {
    // A JSON null means that there is no subject.
    let first = subject == .null ? operation("NULL") : subject.map { value(of: $0) } ?? .null
    let pairs = branches.flatMap { [value(of: $0.when), value(of: $0.then)] }
    return .array([.string("CASE"), first] + pairs + [otherwise].compactMap { $0 }.map { value(of: $0) })
  }

  private func options(_ collation: QueryCollation) -> JSONValue {
    switch collation {
    case .binary: return .object([])
    case .asciiIgnoringCase: return .object([JSONMember("CASE", .boolean(false))])
    case .unicode(let locale, let ignoresCase, let ignoresAccents):
      var options = [JSONMember("UNICODE", .boolean(true))]
      if let locale { options.append(JSONMember("LOCALE", .string(locale))) }
      if ignoresCase { options.append(JSONMember("CASE", .boolean(false))) }
      if ignoresAccents { options.append(JSONMember("DIAC", .boolean(false))) }
      return .object(options)
    }
  }

  private func name(of index: FullTextIndexName) -> JSONValue {
    .string((index.source.map { $0 + "." } ?? "") + index.name)
  }
}
