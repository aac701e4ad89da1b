import GRDBSQLite

/// `concordance_rows(blob)`: numbers of rows as rows, for conditions that were decided before the statement runs.
///
/// ```sql
/// SELECT … FROM documents AS t0 WHERE t0.rowid IN (SELECT doc FROM concordance_rows(?1))
/// ```
///
/// The blob holds integers of 8 bytes in the order of the machine: it is made and read by the same process, see ``RowIDBlob``.
enum RowIDTableFunction {
  static let name = "concordance_rows"

  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, name, module, nil, nil)
  }

  private static let inputColumn: Int32 = 1

  /// It is written here once and only read by SQLite.
  nonisolated(unsafe) private static let module = TableValuedFunction.module(
    connect: { connection, _, _, _, table, _ in
      TableValuedFunction.declare("doc INTEGER, input HIDDEN", connection, table)
    },
    plan: { _, info in TableValuedFunction.plan(info, input: RowIDTableFunction.inputColumn, rows: 1000) },
    filter: { cursor, _, _, count, arguments in
      let input = SQLArgument(handle: count > 0 ? arguments?[0] : nil)
      let isSet = input.handle != nil && input.type == SQLITE_BLOB
      return TableValuedFunction.begin(isSet ? RowIDIterator(RowIDBlob.rows(ofBlob: input.bytes)) : nil, cursor)
    })
}

private final class RowIDIterator: RowIterator {
  private let rows: [Int64]
  private var position = 0

  init(_ rows: [Int64]) { self.rows = rows }

  override var isAtEnd: Bool { position >= rows.count }
  override var rowID: Int64 { Int64(position) }

  override func advance() { position += 1 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    result.set(column == 0 && !isAtEnd ? .integer(rows[position]) : .missing, .exact)
  }
}

/// Rows of a collection in the form in which a statement takes them: `concordance_rows(?)`.
enum RowIDBlob {
  /// The blob that holds the rows.
  static func blob(of rows: [Int64]) -> [UInt8] { rows.withUnsafeBytes { Array($0) } }

  /// The rows that a blob holds.
  static func rows(ofBlob bytes: UnsafeRawBufferPointer) -> [Int64] {
    (0..<(bytes.count / 8)).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
  }

  /// SQL that selects the rows in the blob of a parameter.
  static func selection(parameter: Int) -> String { "SELECT doc FROM \(RowIDTableFunction.name)(?\(parameter))" }
}
