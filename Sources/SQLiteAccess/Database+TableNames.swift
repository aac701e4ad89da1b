public import GRDB

extension Database {
  /// Returns whether the file currently contains a table with this name.
  ///
  /// GRDB's `tableExists` caches the tables of the connection, so it does not detect a table that another process has
  /// created.
  public func hasTable(_ name: String) throws -> Bool {
    let statement = try SQLStatement(cached: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", in: self)
    defer { statement.reset() }
    statement.bind(1, copying: Array(name.utf8), asText: true)
    return try statement.step()
  }
}
