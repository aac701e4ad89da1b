import DocumentStore
import JSONText
import QueryModel
import SQLiteAccess
import TextIndex

/// Resolves the names of a query and checks that each expression is allowed in its clause.
struct QueryResolver {
  /// The clause that contains an expression, which decides what the expression may contain.
  private struct ExpressionContext {
    var name: String
    var allowsAliases = false
    var allowsAggregates = false
    var sourceCount = Int.max
  }

  /// A resolved column with an alias. Its properties are computed once, because a query may refer to it often.
  private struct AliasedColumn {
    let expression: QueryExpression
    let size: QuerySize
    let hasAggregate: Bool

    init(_ expression: QueryExpression) {
      self.expression = expression
      size = QuerySize(of: [expression])
      hasAggregate = expression.contains(where: \.isAggregate)
    }
  }

  private let query: SelectQuery
  private let names: SourceNames
  private var schemas: [CollectionSchema?] = []
  /// Columns by the bytes of their alias: Swift's strings compare by canonical equivalence, not by bytes.
  private var aliases: [[UInt8]: AliasedColumn] = [:]
  /// The size of the query with the columns that have replaced aliases.
  private var size: QuerySize
  private var hasReplacedAliases = false
  private var variables: [String] = []
  private var failure: QueryCompilationError?
  private var makesPredictions = false
  /// Notes about parts of the query whose meaning may surprise the user.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - collectionNames: returns the names of all collections.
  ///   - schema: returns a collection; nil if there is none with this name.
  init(
    _ query: SelectQuery, _ collectionNames: () throws -> [String], schema: (CollectionPath) throws -> CollectionSchema?
  ) throws {
    self.query = query
    names = query.sourceNames
    try QuerySize.check(columnCount: query.columns.count)
    try QuerySize.check(sourceCount: query.sources.count)
    let expressions = query.expressions
    // The depth comes first, because measuring the size is recursive.
    for expression in expressions { try QueryResolver.checkDepth(expression) }
    size = QuerySize(of: expressions)
    try size.check()
    if let (name, _) = names.duplicate {
      throw QueryCompilationError(
        .invalid, "two sources are called \"\(MessageNames.visible(name))\"; give one of them another name with AS")
    }
    for source in query.sources {
      guard case .collection(let path) = source.content else {
        schemas.append(nil)
        continue
      }
      guard let found = try schema(path) else {
        throw QueryCompilationError(noCollection: path, among: try collectionNames())
      }
      schemas.append(found)
    }
  }

  /// Returns the resolved query.
  ///
  /// - Parameter selectingRows: whether the query returns single rows, so that grouping is not allowed.
  mutating func resolve(selectingRows: Bool = false) throws -> ResolvedQuery {
    let sources = try self.sources()
    let columns = try self.columns(sources)
    var resolved = ResolvedQuery(
      isDistinct: query.isDistinct, columns: columns, sources: sources, grouping: [], ordering: [])
    resolved.filter = try query.filter.map { try resolve($0, ExpressionContext(name: "WHERE", allowsAliases: true)) }
    resolved.grouping = try query.grouping.map {
      try resolve($0, ExpressionContext(name: "GROUP BY", allowsAliases: true))
    }
    resolved.groupFilter = try query.groupFilter.map {
      try resolve($0, ExpressionContext(name: "HAVING", allowsAliases: true, allowsAggregates: true))
    }
    let orderContext =
      selectingRows
      ? ExpressionContext(name: "the sort order of documents")
      : ExpressionContext(name: "ORDER BY", allowsAliases: true, allowsAggregates: true)
    resolved.ordering = try query.ordering.map {
      var term = $0
      term.expression = try resolve($0.expression, orderContext)
      return term
    }
    resolved.limit = try query.limit.map { try resolve($0, ExpressionContext(name: "LIMIT", sourceCount: 0)) }
    resolved.offset = try query.offset.map { try resolve($0, ExpressionContext(name: "OFFSET", sourceCount: 0)) }
    try checkHiddenColumn(resolved, selectingRows: selectingRows)
    if hasReplacedAliases {
      // A column at the maximum depth may replace an alias at the maximum depth.
      for expression in resolved.expressions { try QueryResolver.checkDepth(expression) }
    }
    // Columns are named before this: `PREDICTION(m, x).label` is called label.
    return makesPredictions ? resolved.mapExpressions(\.joiningPredictionPaths) : resolved
  }

  /// Throws if the columns and the one that ``StatementWriter`` adds for a group without aggregates are too many.
  private func checkHiddenColumn(_ resolved: ResolvedQuery, selectingRows: Bool) throws {
    let (count, limit) = (resolved.columns.count, QuerySize.maximumColumnCount)
    guard count >= limit, !selectingRows, resolved.groupsByHiddenAggregate else { return }
    throw QueryCompilationError(
      .invalid,
      "the query has \(count) columns and needs one more for HAVING or an aggregate in ORDER BY; the limit is \(limit): "
        + "remove a column, or select an array")
  }

  // MARK: Sources

  private mutating func sources() throws -> [ResolvedSource] {
    var sources: [ResolvedSource] = []
    for (position, source) in query.sources.enumerated() {
      let content: ResolvedSource.Content
      switch source.content {
      case .collection:
        guard let schema = schemas[position] else { continue }
        content = .collection(schema)
      case .unnest(let array):
        guard position > 0 else {
          throw QueryCompilationError(.invalid, "UNNEST needs a collection before it in FROM")
        }
        content = .elements(try resolve(array, ExpressionContext(name: "UNNEST", sourceCount: position)))
      }
      guard position == 0 || source.join != nil else {
        throw QueryCompilationError(
          .invalid, "the source \"\(MessageNames.visible(names.all[position]))\" has no join type")
      }
      if case .collection = content, source.join == .inner || source.join == .left, source.condition == nil {
        throw QueryCompilationError(
          .invalid,
          "the join with \"\(MessageNames.visible(names.all[position]))\" has no ON; use CROSS JOIN for all pairs")
      }
      sources.append(
        ResolvedSource(
          name: names.all[position], content: content, join: position == 0 ? nil : source.join,
          condition: try source.condition.map {
            try resolve($0, ExpressionContext(name: "ON", sourceCount: position + 1))
          }))
    }
    return sources
  }

  // MARK: Columns

  private mutating func columns(
    _ sources: [ResolvedSource]
  ) throws -> [(expression: QueryExpression, name: String)] {
    var columns: [(expression: QueryExpression, alias: String?)] = []
    for column in query.columns {
      if case .everything(nil) = column.expression, sources.count > 1, column.alias == nil {
        // One column for each source, as on the server.
        for source in sources {
          columns.append((.everything(source: source.name), nil))
        }
        continue
      }
      let expression = try resolve(column.expression, ExpressionContext(name: "SELECT", allowsAggregates: true))
      if let alias = column.alias {
        guard aliases[Array(alias.utf8)] == nil else {
          throw QueryCompilationError(
            .invalid, "duplicate column name \"\(MessageNames.visible(alias))\"; rename one of the columns")
        }
        aliases[Array(alias.utf8)] = AliasedColumn(expression)
      }
      columns.append((expression, column.alias))
    }
    guard !columns.isEmpty else { throw QueryCompilationError(.invalid, "the query selects no columns") }
    // * may have added columns.
    try QuerySize.check(columnCount: columns.count)
    var sourceColumnNames: [String: String] = [:]
    for (resolved, source) in zip(sources, query.sources) where source.alias == nil {
      sourceColumnNames[resolved.name] = source.columnName
    }
    var namer = ColumnNamer(
      taken: Set(query.columns.compactMap(\.alias)), sourceColumnNames: sourceColumnNames)
    return columns.map { ($0.expression, $0.alias ?? namer.name(of: $0.expression)) }
  }

  // MARK: Expressions

  private mutating func resolve(_ expression: QueryExpression, _ context: ExpressionContext) throws -> QueryExpression {
    let resolved = rewrite(expression, context)
    if let failure { throw failure }
    return resolved
  }

  private mutating func rewrite(_ expression: QueryExpression, _ context: ExpressionContext) -> QueryExpression {
    guard failure == nil else { return expression }
    switch expression {
    case .property(let path, let source): return property(path, source, context)
    case .everything(let name?) where context.allowsAliases && aliases[Array(name.utf8)] != nil:
      // A column with the same name as its source: `COUNT(*) AS hotels … ORDER BY hotels`.
      return alias(name, context) ?? expression
    case .everything(let source):
      guard let source = self.source(source, context, "*") else { return expression }
      return .everything(source: source)
    case .metadata(let field, let source):
      guard let source = self.source(source, context, "META()") else { return expression }
      if let position = names.all.firstIndex(of: source), schemas[position] == nil {
        fail(
          "\"\(MessageNames.visible(source))\" is an element of an array, which has no META(); use the collection that "
            + "contains the array")
      }
      return .metadata(field, source: source)
    case .variable(let name, _):
      if !variables.contains(name) {
        fail("the variable \"\(MessageNames.visible(name))\" is used outside its ANY or EVERY")
      }
      return expression
    case .quantified(let quantifier, let variable, let array, let condition):
      var context = context
      if context.allowsAggregates {
        context.allowsAggregates = false
        context.name = "ANY or EVERY"
      }
      let array = rewrite(array, context)
      variables.append(variable)
      defer { variables.removeLast() }
      return .quantified(quantifier, variable: variable, in: array, satisfies: rewrite(condition, context))
    case .match(let index, let query): return .match(self.index(index, context), query: rewrite(query, context))
    case .rank(let index): return .rank(self.index(index, context))
    case .function(let function, let arguments, let isDistinct): return call(function, arguments, isDistinct, context)
    default:
      var copy = self
      let changed = expression.mapChildren { copy.rewrite($0, context) }
      failure = copy.failure
      notes = copy.notes
      makesPredictions = copy.makesPredictions
      size = copy.size
      hasReplacedAliases = copy.hasReplacedAliases
      return changed
    }
  }

  private mutating func call(
    _ function: QueryFunction, _ arguments: [QueryExpression], _ isDistinct: Bool, _ context: ExpressionContext
  ) -> QueryExpression {
    let count = function.argumentCount
    guard arguments.count >= count.minimum, arguments.count <= count.maximum ?? .max else {
      fail("\(function.rawValue) does not take \(arguments.count) arguments")
      return .null
    }
    if function == .prediction { makesPredictions = true }
    var inner = context
    if function.isAggregate {
      guard context.allowsAggregates else {
        fail("\(function.rawValue) is an aggregate function, which is not allowed in \(context.name)")
        return .null
      }
      inner.allowsAggregates = false
      inner.name = "another aggregate function"
      if function == .count, case .everything(nil)? = arguments.first {
        if isDistinct, names.all.count != 1 {
          fail(
            names.all.isEmpty
              ? "COUNT(DISTINCT *) in a query without FROM: there is no document to count"
              : "COUNT(DISTINCT *) may count any of the sources \(QueryResolver.list(names.all)); specify one, as in "
                + "COUNT(DISTINCT \(MessageNames.visible(names.all[0])))")
        }
        return .function(.count, [.everything(source: nil)], isDistinct: isDistinct)
      }
    } else if isDistinct {
      fail("DISTINCT is not allowed in \(function.rawValue), which is not an aggregate function")
    }
    return .function(function, arguments.map { rewrite($0, inner) }, isDistinct: isDistinct)
  }

  private mutating func property(_ path: PropertyPath, _ source: String?, _ context: ExpressionContext)
    -> QueryExpression
  {
    if source == nil, case .key(let first)? = path.components.first, let column = alias(first, context) {
      return column.member(at: Array(path.components.dropFirst()))
    }
    if path.components.contains(.each) {
      let name = MessageNames.visible(path.description)
      fail("the path \"\(name)\" contains [], which selects several values; use UNNEST, ANY or EVERY")
      return .null
    }
    if source == nil { noteHiddenName(path) }
    guard let source = self.source(source, context, "\"\(MessageNames.visible(path.description))\"") else {
      return .null
    }
    return QueryExpression.everything(source: source).member(at: path.components)
  }

  /// Adds a note if a path begins with the name of a collection that has an alias: such a path refers to a property
  /// with that name, not to the collection.
  private mutating func noteHiddenName(_ path: PropertyPath) {
    guard path.components.count > 1, case .key(let first)? = path.components.first else { return }
    for source in query.sources {
      guard case .collection(let collection) = source.content, let alias = source.alias,
        collection.name.utf8.elementsEqual(first.utf8)
      else { continue }
      let rest = PropertyPath(Array(path.components.dropFirst()))
      let shown = MessageNames.visible(alias)
      let note =
        "\(MessageNames.visible(path.description)) refers to the property \"\(MessageNames.visible(first))\" of the "
        + "document, because the alias of the collection is \(shown); "
        + "write \(shown).\(MessageNames.visible(rest.description)) for the property of the collection"
      if !notes.contains(note) { notes.append(note) }
    }
  }

  /// Returns the column with this name, if the clause may refer to columns.
  private mutating func alias(_ name: String, _ context: ExpressionContext) -> QueryExpression? {
    guard context.allowsAliases, let column = aliases[Array(name.utf8)] else { return nil }
    if !context.allowsAggregates, column.hasAggregate {
      let shown = MessageNames.visible(name)
      fail("the column \"\(shown)\" contains an aggregate function, which is not allowed in \(context.name)")
    }
    hasReplacedAliases = true
    let error = size.add(column.size, of: name)
    failure = failure ?? error
    return column.expression
  }

  /// Returns the name of the source that an expression refers to. If it names no source, returns the only visible
  /// source.
  private mutating func source(
    _ name: String?, _ context: ExpressionContext, _ what: @autoclosure () -> String
  ) -> String? {
    let visible = names.all.prefix(context.sourceCount)
    guard let name else {
      if visible.count == 1 { return names.all[0] }
      let described = what()
      let clause = names.all.isEmpty ? "a query without FROM" : context.name
      fail(
        visible.isEmpty
          ? "\(described) in \(clause): there is no document to read it from"
          : "\(described) may belong to any of the sources \(QueryResolver.list(Array(visible))); "
            + "specify one, as in \(QueryResolver.example(described, of: names.all[0]))")
      return nil
    }
    guard visible.contains(name) else {
      fail(
        names.all.contains(name)
          ? "\"\(MessageNames.visible(name))\" is not available in \(context.name): FROM is read from left to right"
          : "there is no source \"\(MessageNames.visible(name))\" in FROM"
            + (names.all.isEmpty ? "" : "; the sources are \(QueryResolver.list(names.all))"))
      return nil
    }
    return name
  }

  private mutating func index(_ index: FullTextIndexName, _ context: ExpressionContext) -> FullTextIndexName {
    guard let source = indexSource(index, context) else { return index }
    guard let position = names.all.firstIndex(of: source), let schema = schemas[position] else {
      fail("\"\(MessageNames.visible(source))\" is an element of an array, which has no full-text index")
      return index
    }
    guard let found = schema.fullTextIndex(index.name) else {
      let known = MessageNames.list(schema.fullTextIndexes.map(\.name), quoted: true)
      failure =
        failure
        ?? QueryCompilationError(
          .missingIndex,
          "the collection \(schema.record.name) has no full-text index \"\(MessageNames.visible(index.name))\""
            + (known.isEmpty ? "; it has no full-text indexes" : "; it has \(known)"))
      return index
    }
    return FullTextIndexName(found.name, source: source)
  }

  /// Returns the source that a full-text index belongs to. If the query names no source and several sources have the
  /// index, as in a self-join, returns the first of them.
  private mutating func indexSource(_ index: FullTextIndexName, _ context: ExpressionContext) -> String? {
    if index.source == nil, names.all.count > 1,
      let first = schemas.prefix(context.sourceCount).firstIndex(where: { $0?.fullTextIndex(index.name) != nil })
    {
      return names.all[first]
    }
    return source(index.source, context, "the full-text index \"\(MessageNames.visible(index.name))\"")
  }

  private mutating func fail(_ reason: String) {
    failure = failure ?? QueryCompilationError(.invalid, reason)
  }

  /// Returns an ambiguous expression qualified with the name of a source.
  private static func example(_ what: String, of source: String) -> String {
    let source = MessageNames.visible(source)
    return switch what {
    case "*": "\(source).*"
    case "META()": "META(\(source))"
    default: what.split(separator: "\"").last.map { "\(source).\($0)" } ?? source
    }
  }

  private static func list(_ names: [String]) -> String {
    MessageNames.list(names, quoted: true)
  }

  /// Throws if an expression is nested too deeply. It does not recurse, since the expression may be too deep for the
  /// stack.
  static func checkDepth(_ expression: QueryExpression) throws {
    var level = [expression]
    for depth in 0...SQLParser.maximumDepth {
      guard level.isEmpty else {
        level = level.flatMap(\.children)
        continue
      }
      guard StackSpace().hasRoom(forLevels: depth) else {
        throw QueryCompilationError(
          .invalid,
          "the query is nested \(depth) levels deep, too deep for the stack of this thread; split it")
      }
      return
    }
    throw QueryCompilationError(
      .invalid, "the query is nested more than \(SQLParser.maximumDepth) levels deep; split it")
  }
}
