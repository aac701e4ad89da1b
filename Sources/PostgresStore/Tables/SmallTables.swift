import PostgresAccess

/// The rows of the small tables of the catalog, which are read in the first round trip of each transaction.
final class SmallTables {
  /// The rows by their number, in ascending order.
  private var rows: [[(number: Int64, values: [RemoteValue])]] = []

  /// Whether the rows are those of the transaction.
  private(set) var isLoaded = false

  /// The statements that read the rows.
  static let selections =
    TableShape.small.map { shape in
      PostgresStatement(
        "SELECT \(shape.columns.map(\.name).joined(separator: ", ")) FROM \(shape.remote) ORDER BY \(shape.key[0])")
    } + [
      PostgresStatement(
        "SELECT id, key_count, is_of_documents, has_output FROM cx_value_table WHERE dropped IS NULL")
    ]

  /// The tables of value indexes.
  private(set) var valueTables: [ValueTable.Layout] = []

  func load(_ results: [PostgresResult], isOnCitus: Bool) {
    rows = zip(TableShape.small, results).map { shape, result in
      (0..<result.count).map { row in
        let values = shape.columns.indices.map { shape.columns[$0].kind.value(result, row, $0) }
        return (shape.row.isEmpty ? Int64(row + 1) : values[0].int64 ?? 0, values)
      }
    }
    if let tables = results.last {
      valueTables = (0..<tables.count).map { row in
        ValueTable.Layout(
          id: tables.int64(row, 0), keyCount: Int(tables.int64(row, 1)), isOfDocuments: tables.bool(row, 2),
          hasOutput: tables.bool(row, 3), isOnCitus: isOnCitus)
      }
    }
    isLoaded = true
  }

  func invalidate() { isLoaded = false }

  func removeAll() {
    rows = []
    isLoaded = false
  }

  /// The identity of the database.
  var identity: String? {
    guard let number = TableShape.small.firstIndex(where: { $0.name == "concordance_meta" }) else { return nil }
    return rows(ofTable: number).first { $0.values[0].string == "uuid" }?.values[1].string
  }

  /// The collections and the names of their tables of documents.
  var documentTables: [(collection: Int64, table: String)] {
    guard let number = TableShape.small.firstIndex(where: { $0.name == "concordance_collection" }),
      let column = TableShape.small[number].columns.firstIndex(where: { $0.name == "table_name" })
    else { return [] }
    return rows(ofTable: number).compactMap { row in
      row.values[column].string.map { (collection: row.number, table: $0) }
    }
  }

  func rows(ofTable table: Int) -> [(number: Int64, values: [RemoteValue])] {
    rows.indices.contains(table) ? rows[table] : []
  }

  func nextNumber(ofTable table: Int) -> Int64 { (rows(ofTable: table).last?.number ?? 0) + 1 }

  func set(_ values: [RemoteValue]?, number: Int64, table: Int) {
    guard rows.indices.contains(table) else { return }
    let position = rows[table].firstIndex { $0.number >= number } ?? rows[table].endIndex
    if position < rows[table].endIndex, rows[table][position].number == number { rows[table].remove(at: position) }
    if let values { rows[table].insert((number, values), at: position) }
  }
}
