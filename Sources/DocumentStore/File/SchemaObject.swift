import GRDB
import SQLiteAccess

/// A table, index, trigger or view, as listed in `sqlite_schema`.
public struct SchemaObject: Hashable, Sendable, CustomStringConvertible {
  /// `table`, `index`, `trigger` or `view`.
  public let type: String
  /// Its name.
  public let name: String
  /// The statement that created it; nil for indexes that SQLite creates automatically.
  public let sql: String?

  /// The type and the name.
  public var description: String { "the \(type) \"\(name)\"" }

  /// Creates a description of an object.
  public init(type: String, name: String, sql: String?) {
    self.type = type
    self.name = name
    self.sql = sql
  }

  /// Whether it is a virtual table.
  var isVirtual: Bool { sql?.hasPrefix("CREATE VIRTUAL TABLE") ?? false }

  /// The id of the index that the object belongs to, if any: the first number in its name, as in
  /// `concordance_ft_12_data`.
  var indexID: Int64? {
    Int64(name.drop { !($0.isASCII && $0.isNumber) }.prefix { $0.isASCII && $0.isNumber })
  }

  /// Returns all objects of a file.
  static func all(_ db: Database) throws -> [SchemaObject] {
    let statement = try SQLStatement(sql: "SELECT type, name, sql FROM main.sqlite_master ORDER BY rowid", in: db)
    defer { statement.reset() }
    var objects: [SchemaObject] = []
    while try statement.step() {
      let row = statement.row
      objects.append(
        SchemaObject(type: row.string(0), name: row.string(1), sql: row.isNull(2) ? nil : row.string(2)))
    }
    return objects
  }
}
