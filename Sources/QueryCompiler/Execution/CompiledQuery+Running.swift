public import GRDB
public import JSONText
import QueryModel
public import SQLiteAccess
public import TextIndex

extension CompiledQuery {
  /// Binds the values of the parameters to a statement of ``sql``.
  ///
  /// - Parameters:
  ///   - parameters: the values of the query's parameters.
  ///   - statement: the statement.
  ///   - given: the rows for a query that was compiled for given rows.
  ///   - candidates: the sorted rows to which matches of full-text queries are restricted; nil for all.
  ///   - db: the connection.
  /// - Throws: ``QueryCompilationError`` for a parameter that has no value, `QuerySyntaxError` and `TextIndexError` for
  ///   a parameter whose text is not a full-text query.
  public func bind(
    _ parameters: [ExactString: JSONValue], to statement: SQLStatement, given: MatchSet? = nil,
    among candidates: [Int64]? = nil, in db: Database
  ) throws {
    try requireValues(of: parameters)
    for (offset, binding) in bindings.enumerated() {
      let index = Int32(offset + 1)
      switch binding {
      case .double(let number): statement.bind(index, number)
      case .parameter(let name, let form): statement.bind(index, QueryValue(parameters[name] ?? .null), form)
      case .predictionRun: statement.bind(index, PredictionRun.next())
      case .givenRows:
        if let given {
          statement.bind(index, object: given, type: MatchTableFunction.pointerType)
        } else {
          statement.bindNull(index)
        }
      case .match(.literal(let text), let id): try bindMatch(text, id, index, statement, candidates, db)
      case .match(.parameter(let name), let id):
        guard case .string(let text)? = parameters[name] else {
          throw QueryCompilationError(.unsetParameter, "the parameter $\(name.text) of MATCH must be a string")
        }
        try bindMatch(text, id, index, statement, candidates, db)
      }
    }
  }

  /// Throws ``QueryCompilationError`` if a parameter has no value.
  public func requireValues(of parameters: [ExactString: JSONValue]) throws {
    let unset = parameterNames.filter { parameters[$0] == nil }
    guard unset.isEmpty else {
      let names = MessageNames.list(unset, prefix: "$")
      let known = Set(parameterNames.map { ExactString($0) })
      let unknown = parameters.keys.filter { !known.contains($0) }.sorted().map(\.text)
      throw QueryCompilationError(
        .unsetParameter,
        "the query has no value for \(names); set its parameters before it runs"
          + (unknown.isEmpty ? "" : " (it does not use \(MessageNames.list(unknown, prefix: "$")), which is set)"))
    }
  }

  private func bindMatch(
    _ text: String, _ id: Int64, _ index: Int32, _ statement: SQLStatement, _ candidates: [Int64]?,
    _ db: Database
  ) throws {
    guard let fullTextIndex = fullTextIndexes[id] else { return statement.bindNull(index) }
    var matches = try FullTextQuery(MatchParser().parse(text), in: fullTextIndex).matches(fullTextIndex.reader(db))
    if let candidates { matches = MatchSet(try matches.scoredRows(among: candidates)) }
    // In a batch, the index may change while the statement runs, because a model may save documents.
    if db.hasWritten { try matches.load() }
    statement.bind(index, object: matches, type: MatchTableFunction.pointerType)
  }

  /// Returns the values of the current row.
  public func values(_ row: StatementRow) -> [ColumnValue] {
    (0..<columnNames.count).map { ColumnValue(row, Int32($0)) }
  }
}

extension SQLStatement {
  fileprivate func bind(_ index: Int32, _ value: QueryValue, _ form: QueryBinding.Form) {
    switch (value, form) {
    case (.missing, _), (.null, .sortKey): bindNull(index)
    case (.boolean(let boolean), .sortKey): bind(index, boolean ? 1 as Int64 : 0)
    case (.integer(let number), _): bind(index, number)
    case (.double(let number), _): bind(index, number)
    case (.string(let string), _): bind(index, copying: Array(string.utf8), asText: true)
    case (_, .sortKey): bind(index, copying: CanonicalJSON.bytes(of: value.json ?? .null), asText: false)
    case (_, .exact): bind(index, copying: Array((value.json ?? .null).text.utf8), asText: false)
    }
  }
}
