/// The tables of a view. The number in their names is the view's row id in the index catalog.
///
/// | table | rows |
/// |---|---|
/// | `concordance_vw_N` | the rows that the map function emitted: sort key, document, number within the document, key, value |
/// | `concordance_vw_N_parts` | partial results of the reduce function; see ``StoredReductions`` |
/// | `concordance_vw_N_state` | `last_sequence`, the last change that the view reflects, and `row_count` |
/// | `concordance_vw_N_errors` | the documents for which the map function threw an error |
///
/// Keys and values are JSON text. The column of the value is NULL if the row has no value, and 1 if the value is the
/// document itself.
///
/// The rows are stored in view order, so a range of keys is a range of the table. The tables are `WITHOUT ROWID`
/// because the primary key would otherwise need a second b-tree that stores every sort key again.
public struct ViewTables: Hashable, Sendable {
  /// The table of rows.
  public let rows: String
  var parts: String { rows + "_parts" }
  var state: String { rows + "_state" }
  var errors: String { rows + "_errors" }

  /// Creates the names for a view.
  ///
  /// - Parameter id: the view's row id in the index catalog.
  public init(id: Int64) { rows = ViewTables.namePrefix + String(id) }

  private init(rows: String) { self.rows = rows }

  private static let namePrefix = "concordance_vw_"

  /// All tables.
  var all: [String] { [rows, parts, state, errors] }

  /// The statements that create the tables.
  var creation: [String] {
    [
      "CREATE TABLE \(rows) (sort BLOB NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, value, "
        + "PRIMARY KEY (sort, id, number)) WITHOUT ROWID",
      "CREATE TABLE \(parts) (level INTEGER NOT NULL, sort BLOB NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, "
        + "prefix BLOB, key TEXT, row_count INTEGER NOT NULL, partial BLOB, "
        + "PRIMARY KEY (level, sort, id, number)) WITHOUT ROWID",
      "CREATE TABLE \(state) (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID",
      "CREATE TABLE \(errors) (id TEXT PRIMARY KEY NOT NULL, message TEXT NOT NULL) WITHOUT ROWID",
    ]
  }

  /// The statement that creates the index from documents to rows. It runs after a new view has been filled.
  var documentIndex: String { "CREATE INDEX \(rows)_id ON \(rows) (id)" }

  /// Returns whether a statement of `sqlite_schema` creates a table of a view or an index on it.
  public static func isStatement(_ sql: String, ofObject name: String) -> Bool {
    guard name.hasPrefix(namePrefix) else { return false }
    let id = name.dropFirst(namePrefix.count).prefix { $0.isASCII && $0.isNumber }
    let tables = ViewTables(rows: namePrefix + id)
    return tables.creation.contains(sql) || tables.documentIndex == sql
  }
}
