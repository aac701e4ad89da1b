public import DocumentStore
public import GRDB
public import JSONText
import QueryModel
import TextIndex

extension CompiledQuery {
  /// Binds the values of the parameters to a statement of ``sql``.
  ///
  /// - Throws: ``QueryCompilationError`` for a parameter that has no value, `QuerySyntaxError` and `TextIndexError` for a
  ///   parameter whose text is no full-text query.
  public func bind(_ parameters: [String: JSONValue], to statement: SQLStatement, in db: Database) throws {
    let unset = parameterNames.filter { parameters[$0] == nil }
    guard unset.isEmpty else {
      let names = unset.map { "$\($0)" }.joined(separator: ", ")
      let unknown = parameters.keys.filter { !parameterNames.contains($0) }.sorted().map { "$\($0)" }
      throw QueryCompilationError(
        .unsetParameter,
        "the query has no value for \(names); set its parameters before it runs"
          + (unknown.isEmpty ? "" : " (there is one for \(unknown.joined(separator: ", ")), which it does not use)"))
    }
    for (offset, binding) in bindings.enumerated() {
      let index = Int32(offset + 1)
      switch binding {
      case .double(let number): statement.bind(index, number)
      case .parameter(let name, let form): statement.bind(index, QueryValue(parameters[name] ?? .null), form)
      case .match(.literal(let text), let id, let form): try bindMatch(text, id, form, index, statement, db)
      case .match(.parameter(let name), let id, let form):
        guard case .string(let text)? = parameters[name] else {
          throw QueryCompilationError(.unsetParameter, "the parameter $\(name) of MATCH must be a string")
        }
        try bindMatch(text, id, form, index, statement, db)
      }
    }
  }

  private func bindMatch(
    _ text: String, _ id: Int64, _ form: QueryBinding.MatchForm, _ index: Int32, _ statement: SQLStatement,
    _ db: Database
  ) throws {
    guard let inverted = fullTextIndexes[id] else { return statement.bindNull(index) }
    let query = try FullTextQuery(MatchParser().parse(text), in: inverted)
    switch form {
    case .expression: statement.bind(index, copying: Array(query.expression.utf8), asText: true)
    case .rows, .scoredRows:
      statement.bind(index, object: try query.matches(db, isScored: form == .scoredRows), type: MatchTable.pointerType)
    case .bestRows(let count, let excluded):
      let rows = try query.bestMatches(db, limit: count, excluding: excluded)
      statement.bind(index, object: rows, type: MatchTable.pointerType)
    }
  }

  /// The values of the current row.
  public func values(_ row: ResultRow) -> [ColumnValue] {
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
