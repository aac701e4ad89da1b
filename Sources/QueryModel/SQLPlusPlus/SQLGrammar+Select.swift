import JSONText

/// Parsing of the clauses of a query.
extension SQLGrammar {
  /// The first words of statements that other databases support.
  private static let otherStatements: Set = ["WITH", "INSERT", "UPDATE", "UPSERT", "DELETE", "MERGE", "CREATE", "DROP"]

  mutating func query() throws(QuerySyntaxError) -> SelectQuery {
    if current.kind == .end { throw source.error(.emptyQuery, at: current.span, expected: [.symbol("SELECT")]) }
    if case .name = current.kind, SQLGrammar.otherStatements.contains(source.text(current.span).uppercased()) {
      throw unexpected([.symbol("SELECT")], hint: .onlyQueries)
    }
    try expect(.select)
    readSourceNames()
    var query = SelectQuery(columns: [])
    query.isDistinct = distinct()
    query.columns = try list { grammar throws(QuerySyntaxError) in try grammar.column() }
    if accept(.from) {
      query.sources = try sources()
      try rejectDuplicates()
    }
    if accept(.where) { query.filter = try expression() }
    if accept(.group) {
      try expect(.by)
      query.grouping = try list { grammar throws(QuerySyntaxError) in try grammar.expression() }
    }
    if accept(.having) { query.groupFilter = try expression() }
    if accept(.order) {
      try expect(.by)
      query.ordering = try list { grammar throws(QuerySyntaxError) in try grammar.sortTerm() }
    }
    try limits(of: &query)
    try finish(expected: nextClauses(after: query))
    return query
  }

  /// Parses an expression that makes up the whole text.
  mutating func wholeExpression() throws(QuerySyntaxError) -> QueryExpression {
    try whole { grammar throws(QuerySyntaxError) in try grammar.expression() }
  }

  /// Parses comma-separated expressions that make up the whole text.
  mutating func wholeExpressions() throws(QuerySyntaxError) -> [QueryExpression] {
    try whole { grammar throws(QuerySyntaxError) in
      try grammar.list { grammar throws(QuerySyntaxError) in try grammar.expression() }
    }
  }

  /// Parses sort terms that make up the whole text.
  mutating func wholeOrdering() throws(QuerySyntaxError) -> [SortTerm] {
    try whole { grammar throws(QuerySyntaxError) in
      try grammar.list { grammar throws(QuerySyntaxError) in try grammar.sortTerm() }
    }
  }

  private mutating func whole<T>(
    _ part: (inout SQLGrammar) throws(QuerySyntaxError) -> T
  ) throws(QuerySyntaxError) -> T {
    if current.kind == .end {
      throw source.error(.emptyQuery, at: current.span, expected: [.element("an expression")])
    }
    let result = try part(&self)
    guard current.kind == .end else { throw unexpectedAfterExpression([]) }
    return result
  }

  /// Parses one or more elements separated by commas.
  mutating func list<T>(
    _ element: (inout SQLGrammar) throws(QuerySyntaxError) -> T
  ) throws(QuerySyntaxError) -> [T] {
    var elements = [try element(&self)]
    while accept(.comma) { elements.append(try element(&self)) }
    return elements
  }

  // MARK: Parts of clauses

  private mutating func column() throws(QuerySyntaxError) -> ResultColumn {
    let first = current
    let expression: QueryExpression = accept(.star) ? .everything(source: nil) : try expression()
    let isNamedWithoutAs = current.name != nil
    // The server's RAW would otherwise be parsed as a property with the next word as its alias.
    if isNamedWithoutAs, expression.isProperty(namedAnyOf: ["raw", "element"]), !source.text(first.span).hasPrefix("`")
    {
      throw source.error(.unsupported, at: first.span, hint: .nameTheColumn)
    }
    return ResultColumn(expression, alias: try alias())
  }

  /// Parses an alias, with or without `AS`.
  mutating func alias() throws(QuerySyntaxError) -> String? {
    if accept(.as) { return try expectName("a name") }
    guard let name = current.name else { return nil }
    advance()
    return name
  }

  private mutating func sortTerm() throws(QuerySyntaxError) -> SortTerm {
    var term = SortTerm(try expression())
    if accept(.descending) { term.isAscending = false } else { _ = accept(.ascending) }
    if acceptWord("NULLS") {
      if acceptWord("FIRST") {
        term.nulls = .first
      } else if acceptWord("LAST") {
        term.nulls = .last
      } else {
        throw unexpected([.symbol("FIRST"), .symbol("LAST")])
      }
    }
    return term
  }

  /// Parses `LIMIT` and `OFFSET`, in either order and each at most once.
  private mutating func limits(of query: inout SelectQuery) throws(QuerySyntaxError) {
    while true {
      if query.limit == nil, accept(.limit) {
        query.limit = try expression()
      } else if query.offset == nil, accept(.offset) {
        query.offset = try expression()
      } else {
        return
      }
    }
  }

  private mutating func finish(expected: [Diagnostic.Expectation]) throws(QuerySyntaxError) {
    _ = accept(.semicolon)
    guard current.kind == .end else { throw unexpectedAfterExpression(expected) }
  }

  /// Returns the clauses that may follow the last one present.
  private func nextClauses(after query: SelectQuery) -> [Diagnostic.Expectation] {
    var clauses: [SQLKeyword] = []
    if query.limit == nil { clauses = [.limit] }
    if query.offset == nil { clauses += [.offset] }
    if clauses.count == 2, query.ordering.isEmpty {
      clauses = [.order] + clauses
      if query.groupFilter == nil {
        clauses = [.having] + clauses
        if query.grouping.isEmpty {
          clauses = [.group] + clauses
          if query.filter == nil { clauses = (query.sources.isEmpty ? [.from] : [.join, .where]) + clauses }
        }
      }
    }
    return clauses.map { .symbol($0.rawValue) }
  }
}

extension QueryExpression {
  fileprivate func isProperty(namedAnyOf words: [String]) -> Bool {
    guard case .property(let path, _) = self, path.components.count == 1, case .key(let key)? = path.components.first
    else { return false }
    return words.contains(key.lowercased())
  }
}
