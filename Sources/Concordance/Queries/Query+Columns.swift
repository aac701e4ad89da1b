import DocumentStore
import JSONText
import QueryCompiler

extension Query {
  /// The names of the columns, in the order of the values in each row. They are known without running the query, also where
  /// it finds nothing.
  ///
  /// ```swift
  /// print(try query.columnNames().joined(separator: "\t"))
  /// ```
  ///
  /// - Throws: as ``execute()``; parameters need no values.
  public func columnNames() throws -> [String] {
    try withPublicErrors {
      let runner = try runner()
      return try runner.engine.store.read { try runner.compiled($0).columnNames }
    }
  }
}

extension Result {
  /// The value in a column as JSON text, as ``toJSON()`` has it; nil where it is missing.
  ///
  /// ```swift
  /// row.json(at: 0)   // {"lat":51.47,"lon":-0.454}
  /// ```
  public func json(at index: Int) -> String? {
    guard values.indices.contains(index), values[index] != .missing else { return nil }
    var writer = JSONWriter()
    values[index].write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
