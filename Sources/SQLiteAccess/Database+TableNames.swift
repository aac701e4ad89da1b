public import GRDB

extension Database {
  /// Returns whether the file has a table of a name now.
  ///
  /// GRDB's `tableExists` remembers the tables of the connection, and does not detect that another process has created
  /// one.
  public func hasTable(_ name: String) throws -> Bool {
    let statement = try SQLStatement(cached: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", in: self)
    defer { statement.reset() }
    statement.bind(1, copying: Array(name.utf8), asText: true)
    return try statement.step()
  }
}
