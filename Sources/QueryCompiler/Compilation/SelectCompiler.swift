public import QueryModel

/// Compiles queries into SQL that uses the existing indexes.
///
/// ```swift
/// let compiler = SelectCompiler { path in schemas[path] }
/// let query = try compiler.compile(SQLParser().parse("SELECT name FROM hotel WHERE stars > 3"))
/// query.sql           // SELECT concordance_value(t0.body, 'name') FROM …
/// query.columnNames   // ["name"]
/// ```
public struct SelectCompiler {
  private let schema: (CollectionPath) throws -> CollectionSchema?
  private let collectionNames: () throws -> [String]

  /// Creates a compiler.
  ///
  /// - Parameters:
  ///   - collectionNames: returns the names of all collections as written in queries; called only to report an unknown
  ///     collection.
  ///   - schema: returns the schema of a collection; nil if the collection does not exist.
  public init(
    collectionNames: @escaping () throws -> [String] = { [] },
    schema: @escaping (CollectionPath) throws -> CollectionSchema?
  ) {
    self.collectionNames = collectionNames
    self.schema = schema
  }

  /// Compiles a query.
  ///
  /// - Throws: ``QueryCompilationError``, and any error that `schema` throws.
  /// - Complexity: O(n) in the size of the query, times the number of indexes of its collections.
  public func compile(_ query: SelectQuery) throws -> CompiledQuery {
    var resolver = try QueryResolver(query, collectionNames, schema: schema)
    var writer = StatementWriter(try resolver.resolve())
    writer.plan.notes = resolver.notes
    return try writer.compile()
  }

  /// The origin of the rows of the first source.
  public enum RowSource: Hashable, Sendable {
    /// The rows are read from the collection, using the best index.
    case documents
    /// The caller passes the rows to the statement when it runs; their scores are the RANK of the index with this name.
    case given(rankedBy: String)
  }

  /// Compiles a query that returns the rowids of its first source as its only column.
  ///
  /// Given rows are sorted by the ORDER BY of the query, then by descending score, then by rowid.
  ///
  /// - Throws: the same errors as ``compile(_:)``; also ``QueryCompilationError`` if ORDER BY contains an aggregate,
  ///   which would group all rows into one.
  public func compileRows(of query: SelectQuery, from source: RowSource = .documents) throws -> CompiledQuery {
    var query = query
    query.columns = [ResultColumn(.integer(1))]
    var resolver = try QueryResolver(query, collectionNames, schema: schema)
    var writer = StatementWriter(try resolver.resolve(selectingRows: true), selectingRows: true, from: source)
    writer.plan.notes = resolver.notes
    return try writer.compile()
  }
}
