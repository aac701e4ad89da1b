import QueryCompiler
import Synchronization

/// The rows that a query found, in its order. They are iterated over once.
///
/// ```swift
/// let names = try query.execute().compactMap { $0.string(forKey: "name") }
/// ```
///
/// It may be used from any thread; each row is returned once. ``QueryResults`` has the rows as values.
public final class ResultSet: Sequence, IteratorProtocol, Sendable {
  /// A row.
  public typealias Element = Result

  private let columns: ResultColumns
  private let query: Query
  private let values: [[ColumnValue]]
  private let position = Mutex(0)

  init(_ columns: ResultColumns, _ values: [[ColumnValue]], _ query: Query) {
    self.columns = columns
    self.values = values
    self.query = query
  }

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// The next row, or nil behind the last.
  public func next() -> Result? {
    let next = position.withLock { position in
      defer { position = Swift.min(position + 1, values.count) }
      return position
    }
    return next < values.count ? Result(columns, values[next], query) : nil
  }

  /// The rows that were not yet iterated over.
  public func allResults() -> [Result] { Array(self) }

  /// The rows that were not yet iterated over as values of a type: each property of the type is read from the column of its
  /// name.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - dataKey: the column that holds the whole value, a dictionary, such as the one that `SELECT *` makes; nil where each
  ///     property is a column.
  /// - Throws: ``CBLError/decodingError``.
  public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> [T] {
    try map { try $0.data(as: type, dataKey: dataKey) }
  }
}

/// The names of the columns of a result, with their positions.
final class ResultColumns: Sendable {
  let names: [String]
  let positions: [String: Int]

  init(_ names: [String]) {
    self.names = names
    positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
