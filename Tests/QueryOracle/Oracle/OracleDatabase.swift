public import JSONText
public import QueryModel

/// A document of an ``OracleDatabase``.
public struct OracleDocument: Sendable {
  /// Its id.
  public let id: String
  /// Its JSON text as saved.
  public let text: String
  /// Its sequence number in its collection.
  public let sequence: Int64
  /// Its properties.
  let value: OracleValue

  /// Creates a document.
  ///
  /// - Throws: The error of the parser for a text that is not JSON.
  public init(id: String, text: String, sequence: Int64) throws {
    self.id = id
    self.text = text
    self.sequence = sequence
    value = try OracleValue(jsonText: text)
  }

  /// Returns the same document with another sequence number.
  func numbered(_ sequence: Int64) -> OracleDocument { OracleDocument(self, sequence) }

  private init(_ other: OracleDocument, _ sequence: Int64) {
    (id, text, value) = (other.id, other.text, other.value)
    self.sequence = sequence
  }
}

/// A reference database that evaluates queries slowly and in the simplest way, for comparison with the real one.
///
/// ```swift
/// var database = OracleDatabase()
/// database.collections["docs"] = [try OracleDocument(id: "a", text: #"{"n": 1}"#, sequence: 1)]
/// try database.evaluate(SQLParser().parse("SELECT n FROM docs")).rows
/// ```
///
/// It shares only the query model and the JSON parser with the compiler, so both are unlikely to have the same fault.
/// Indexes, full text, `META().revisionID` and Unicode collations are not implemented.
public struct OracleDatabase: Sendable {
  /// The documents of each collection, by `name` or, outside the default scope, `scope.name`. The default collection
  /// has the key `_` here; queries may also call it `_default`.
  public var collections: [String: [OracleDocument]]

  /// Creates a database.
  public init(_ collections: [String: [OracleDocument]] = [:]) { self.collections = collections }

  /// Evaluates a query.
  ///
  /// - Throws: ``OracleError`` if there is no defined result.
  /// - Complexity: The product of the sizes of all sources.
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
  /// Returns this query with aliases replaced by the expressions of their columns: in the clauses after the columns, an
  /// alias takes precedence over a property with the same name.
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
