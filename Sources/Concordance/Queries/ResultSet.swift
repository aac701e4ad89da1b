import QueryCompiler
import Synchronization

/// The rows of a query, in the order of the query. They can be iterated over once.
///
/// ```swift
/// let names = try query.execute().compactMap { $0.string(forKey: "name") }
/// ```
///
/// A result set can be used from any thread; each row is returned once. To iterate several times or to pass rows
/// between tasks, use ``QueryResults``.
public final class ResultSet: Sequence, IteratorProtocol, Sendable {
  /// A row.
  public typealias Element = Result

  let columns: ResultColumns
  let query: Query
  let values: [[ColumnValue]]
  private let position = Mutex(0)

  init(_ columns: ResultColumns, _ values: [[ColumnValue]], _ query: Query) {
    self.columns = columns
    self.values = values
    self.query = query
  }

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// Returns the next row; nil after the last one.
  public func next() -> Result? {
    let next = position.withLock { position in
      defer { position = Swift.min(position + 1, values.count) }
      return position
    }
    return next < values.count ? Result(columns, values[next], query) : nil
  }

  /// Returns the rows that ``next()`` has not returned yet.
  public func allResults() -> [Result] { Array(self) }

  /// Decodes the rows that ``next()`` has not returned yet. See ``Result/data(as:dataKey:)``.
  ///
  /// - Parameters:
  ///   - type: the type of each row.
  ///   - dataKey: the column that contains the whole value, a dictionary, such as the column of `SELECT *`; nil if each
  ///     property is a column.
  /// - Throws: ``CBLError/decodingError`` with the path of the value.
  public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> [T] {
    try map { try $0.data(as: type, dataKey: dataKey) }
  }
}

/// The names of the columns of a result, with their positions.
final class ResultColumns: Sendable {
  let names: [String]
  /// Names are compared by their bytes, because the aliases of two columns may be canonically equivalent.
  private let keys: PropertyKeys

  init(_ names: [String]) {
    self.names = names
    var keys = PropertyKeys()
    for name in names { keys.append(name) }
    self.keys = keys
  }

  /// Returns the position of a column by its name; nil if no column has the name.
  func position(of name: String) -> Int? { keys.position(of: name) }
}
