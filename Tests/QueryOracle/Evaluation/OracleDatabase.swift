public import JSONText
public import QueryModel

/// A document of an ``OracleDatabase``.
public struct OracleDocument: Sendable {
  /// Its id.
  public let id: String
  /// Its JSON text, as it is saved.
  public let text: String
  /// Its number among the changes of its collection.
  public let sequence: Int64
  /// Its properties.
  let value: OracleValue

  /// Makes a document.
  ///
  /// - Throws: What the parser throws for a text that is no JSON.
  public init(id: String, text: String, sequence: Int64) throws {
    self.id = id
    self.text = text
    self.sequence = sequence
    value = try OracleValue(jsonText: text)
  }

  /// The same document with another sequence.
  func numbered(_ sequence: Int64) -> OracleDocument { OracleDocument(self, sequence) }

  private init(_ other: OracleDocument, _ sequence: Int64) {
    (id, text, value) = (other.id, other.text, other.value)
    self.sequence = sequence
  }
}

/// A database that answers queries slowly and in the most obvious way, to be compared with the real one.
///
/// ```swift
/// var database = OracleDatabase()
/// database.collections["docs"] = [try OracleDocument(id: "a", text: #"{"n": 1}"#, sequence: 1)]
/// try database.evaluate(SQLParser().parse("SELECT n FROM docs")).rows
/// ```
///
/// It shares nothing with the compiler but the model of queries and JSON, so that both are hardly wrong in the same way.
/// Indexes, full text, `META().revisionID` and collations by Unicode's rules are not there.
public struct OracleDatabase: Sendable {
  /// The documents of each collection, by `name` or, outside of the default scope, `scope.name`. The default collection
  /// stands here as `_`; queries may call it `_default` as well.
  public var collections: [String: [OracleDocument]]

  /// Makes a database.
  public init(_ collections: [String: [OracleDocument]] = [:]) { self.collections = collections }

  /// The answer to a query.
  ///
  /// - Throws: ``OracleError`` where there is none.
  /// - Complexity: the product of the sizes of all sources.
  public func evaluate(_ query: SelectQuery, parameters: [String: JSONValue] = [:]) throws -> OracleResult {
    let evaluator = OracleEvaluator(
      sources: query.sourceNames.all, parameters: parameters.mapValues { OracleValue($0) })
    let clauses = OracleClauses(query: query.resolvingAliases(), evaluator: evaluator)
    let rows = try OracleSources(database: self, query: query, evaluator: evaluator).rows()
    return try clauses.result(of: rows)
  }

  func documents(of path: CollectionPath) throws -> [OracleDocument] {
    guard let documents = collections[path.fullName] else {
      throw OracleError.invalid("there is no collection \(path.fullName)")
    }
    return documents
  }
}

extension CollectionPath {
  /// The name of the collection in ``OracleDatabase/collections``.
  var fullName: String {
    if self == CollectionPath("_default") { return CollectionPath.standard.name }
    return (scope.map { $0 + "." } ?? "") + name
  }
}

extension SelectQuery {
  /// This query with the expressions of columns in the places of their aliases: behind the columns, an alias comes before
  /// a property of the same name.
  fileprivate func resolvingAliases() -> SelectQuery {
    func resolved(_ expression: QueryExpression) -> QueryExpression {
      expression.map { part in
        guard case .property(let path, nil) = part, case .key(let name)? = path.components.first,
          let column = columns.first(where: { $0.alias == name })
        else { return part }
        return column.expression.member(at: Array(path.components.dropFirst()))
      }
    }
    var copy = self
    copy.filter = filter.map(resolved)
    copy.grouping = grouping.map(resolved)
    copy.groupFilter = groupFilter.map(resolved)
    copy.ordering = ordering.map { SortTerm(resolved($0.expression), isAscending: $0.isAscending, nulls: $0.nulls) }
    return copy
  }
}
