public import QueryModel
import SQLiteAccess

/// Compiles queries into SQL, with the indexes that there are.
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

  /// Makes a compiler.
  ///
  /// - Parameters:
  ///   - collectionNames: the collections that there are, as a query names them; asked for the error about another one.
  ///   - schema: what is known of a collection; nil where there is none with this name.
  public init(
    collectionNames: @escaping () throws -> [String] = { [] },
    schema: @escaping (CollectionPath) throws -> CollectionSchema?
  ) {
    self.collectionNames = collectionNames
    self.schema = schema
  }

  /// Compiles a query.
  ///
  /// - Throws: ``QueryCompilationError``, and what `schema` throws.
  /// - Complexity: O(n) in the size of the query, times the number of indexes of its collections.
  public func compile(_ query: SelectQuery) throws -> CompiledQuery {
    try QuerySize.check(query)
    var resolver = try QueryResolver(query, collectionNames, schema: schema)
    var writer = StatementWriter(try resolver.resolve())
    writer.plan.notes = resolver.notes
    return try writer.compile()
  }

  /// Where the rows of the first source come from.
  public enum RowSource: Hashable, Sendable {
    /// From the collection, by the best way that there is.
    case documents
    /// They are handed to the statement when it runs; RANK of the index with this name is their score.
    case given(rankedBy: String)
  }

  /// Compiles a query for the rows of its first source: they are the only column of the result.
  ///
  /// Rows that are given come in the order of the query, then the best first, then in the order of their numbers.
  ///
  /// - Throws: as ``compile(_:)``; and where the order has an aggregate, which would make one row of all.
  public func compileRows(of query: SelectQuery, from source: RowSource = .documents) throws -> CompiledQuery {
    try QuerySize.check(query)
    var query = query
    query.columns = [ResultColumn(.integer(1))]
    var resolver = try QueryResolver(query, collectionNames, schema: schema)
    var writer = StatementWriter(try resolver.resolve(selectingRows: true), selectingRows: true, from: source)
    writer.plan.notes = resolver.notes
    return try writer.compile()
  }
}

/// The limit on the size of queries.
enum QuerySize {
  /// How many operators and calls of functions a query may have. A condition such as `a = 1` is one, and so is a chain of `AND`.
  ///
  /// SQLite compares each constant with all others while it compiles a statement: 30,000 conditions take it 3 s.
  static let maximumOperatorCount = 32_768

  /// Throws ``QueryCompilationError`` for a query that is too large.
  static func check(_ query: SelectQuery) throws {
    var count = 0
    for expression in query.expressions {
      expression.visit { if !$0.children.isEmpty { count += 1 } }
    }
    guard count <= maximumOperatorCount else {
      throw QueryCompilationError(
        .invalid,
        "the query has \(count) operators and calls of functions, and \(maximumOperatorCount) are the limit; divide it, or compare "
          + "with a list: x IN [1, 2, 3]")
    }
  }
}
