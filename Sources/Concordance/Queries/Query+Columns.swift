import DocumentStore
import JSONText
import QueryCompiler

extension Query {
  /// Returns the names of the columns, in the order of the values in each row, without running the query.
  ///
  /// ```swift
  /// print(try query.columnNames().joined(separator: "\t"))
  /// ```
  ///
  /// - Throws: the same errors as ``execute()``. Parameters do not need values.
  public func columnNames() throws -> [String] {
    try withPublicErrors {
      let runner = try runner()
      return try runner.engine.store.read { try runner.compiled($0).columnNames }
    }
  }
}

extension Result {
  /// Returns the value in a column as JSON text.
  ///
  /// ```swift
  /// row.json(at: 0)   // {"lat":51.47,"lon":-0.454}
  /// ```
  ///
  /// - Parameter index: the position of the column, starting at 0.
  /// - Returns: the text; nil if the value is MISSING.
  public func json(at index: Int) -> String? {
    guard values.indices.contains(index), values[index] != .missing else { return nil }
    var writer = JSONWriter()
    values[index].write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
