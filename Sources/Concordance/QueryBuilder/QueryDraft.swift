import JSONText
import QueryModel

/// A query that is being built, with the first error of the calls so far.
struct QueryDraft: Sendable {
  /// The clauses so far. A path may begin with the name of a source that is added later.
  var query: SelectQuery
  /// The database of the collections so far.
  var database: Database?
  /// The first error.
  private(set) var fault: CBLError?

  init(query: SelectQuery, database: Database? = nil) {
    self.query = query
    self.database = database
  }

  /// Returns a copy with a clause added.
  func adding(_ change: (inout QueryDraft) -> Void) -> QueryDraft {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the syntax tree of an expression, and records its error, if any.
  mutating func take(_ expression: any ExpressionProtocol) -> QueryExpression {
    let built = BuiltExpression(expression)
    note(built.fault)
    return built.model
  }

  mutating func add(_ source: BuiltSource) {
    note(source.fault)
    query.sources.append(source.source)
    guard let other = source.database else { return }
    if let database, database !== other {
      note(
        CBLError(
          CBLError.invalidQuery,
          "a query reads one database, but its collections belong to two Database objects, "
            + "\"\(database.name)\" and \"\(other.name)\""))
    }
    database = database ?? other
  }

  mutating func note(_ fault: CBLError?) { self.fault = self.fault ?? fault }

  /// Returns the query so far, with the source of each path resolved, and its first error.
  func finished() -> (model: SelectQuery, fault: CBLError?) {
    let names = query.sourceNames
    var fault = fault
    if fault == nil, let duplicate = names.duplicate {
      fault = CBLError(
        CBLError.invalidQuery,
        "two sources of the query are called \"\(duplicate.name)\"; give one of them another name with as(_:)")
    }
    return (query.namingSources(by: names).resolvingSources(), fault)
  }
}

extension SelectQuery {
  /// Returns the query with full source names, `scope.collection`, replaced by the names that the query uses, and with
  /// the source separated from the index in names of full-text indexes such as `source.index`.
  fileprivate func namingSources(by names: SourceNames) -> SelectQuery {
    mapExpressions { expression in
      switch expression {
      case .property(let path, let source?): .property(path, source: names.shortName(of: source))
      case .everything(let source?): .everything(source: names.shortName(of: source))
      case .metadata(let field, let source?): .metadata(field, source: names.shortName(of: source))
      case .match(let index, let query): .match(names.resolved(index), query: query)
      case .rank(let index): .rank(names.resolved(index))
      default: expression
      }
    }
  }
}

extension SourceNames {
  /// Returns the name that the query uses for a source.
  ///
  /// - Parameter source: this name, or the full name of the source, `scope.name`.
  fileprivate func shortName(of source: String) -> String {
    guard !all.contains(source) else { return source }
    let parts = source.unicodeScalars.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let match = match(parts.map { .key(String($0)) }), match.length == 2 else { return source }
    return match.name
  }

  fileprivate func resolved(_ index: FullTextIndexName) -> FullTextIndexName {
    guard let source = index.source else { return FullTextIndexName(index.name, in: self) }
    return FullTextIndexName(index.name, source: shortName(of: source))
  }
}
