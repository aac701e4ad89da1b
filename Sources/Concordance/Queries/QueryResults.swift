import QueryCompiler

/// The rows of a query as `Sendable` values: a random-access collection that can be iterated several times.
///
/// ```swift
/// let found = try await query.async.execute()
/// for row in found { print(row["name"]?.string ?? "") }
/// let hotels = try found.data(as: Hotel.self)
/// ```
///
/// A ``ResultSet`` provides the same rows as objects with the getters of Couchbase Lite.
public struct QueryResults: RandomAccessCollection, Sendable {
  /// A row, whose values are accessed by the name or the position of their column.
  public struct Row: Sendable {
    let columns: ResultColumns
    let values: [ColumnValue]
    let query: Query
  }

  private let columns: ResultColumns
  private let values: [[ColumnValue]]
  private let query: Query

  init(_ columns: ResultColumns, _ values: [[ColumnValue]], _ query: Query) {
    self.columns = columns
    self.values = values
    self.query = query
  }

  /// Copies all rows of a result set, including those that were iterated over.
  init(_ results: ResultSet) { self.init(results.columns, results.values, results.query) }

  /// Returns whether both have the same columns and the same rows in the same order.
  func hasSameRows(as other: QueryResults) -> Bool { columns.names == other.columns.names && values == other.values }

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// The position of the first row.
  public var startIndex: Int { 0 }

  /// The position after the last row.
  public var endIndex: Int { values.count }

  /// The row at a position.
  ///
  /// - Parameter position: the position, starting at 0.
  public subscript(position: Int) -> Row { Row(columns: columns, values: values[position], query: query) }

  /// Decodes all rows. See ``Row/data(as:dataKey:)``.
  ///
  /// - Parameters:
  ///   - type: the type of each row.
  ///   - dataKey: the column that contains the whole value; nil if each property is a column.
  /// - Throws: ``CBLError/decodingError`` with the path of the value.
  public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> [T] {
    try map { try $0.data(as: type, dataKey: dataKey) }
  }
}

extension QueryResults.Row {
  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// The value in a column; nil if it is MISSING or there is no such column.
  ///
  /// - Parameter column: the name of the column.
  /// - Complexity: O(n) in the size of an array or object, which is parsed each time.
  public subscript(column: String) -> ResultValue? { columns.position(of: column).flatMap { ResultValue(values[$0]) } }

  /// The value in the column at a position; nil if it is MISSING or there is no such column.
  ///
  /// - Parameter position: the position of the column, starting at 0.
  public subscript(position: Int) -> ResultValue? {
    values.indices.contains(position) ? ResultValue(values[position]) : nil
  }

  /// Decodes the row: each property of the type is read from the column with its name.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - dataKey: the column that contains the whole value, such as the column of `SELECT *`; nil if each property is a
  ///     column.
  /// - Throws: ``CBLError/decodingError`` with the path of the value.
  public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> T {
    try Result(columns, values, query).data(as: type, dataKey: dataKey)
  }

  /// Returns the row as a JSON object. MISSING values are omitted.
  public func toJSON() -> String { Result(columns, values, query).toJSON() }
}

extension QueryResults.Row: Hashable {
  /// Returns whether both rows have the same columns with the same values.
  public static func == (one: QueryResults.Row, other: QueryResults.Row) -> Bool {
    one.columns.names == other.columns.names && one.values == other.values
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension QueryResults.Row: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}
