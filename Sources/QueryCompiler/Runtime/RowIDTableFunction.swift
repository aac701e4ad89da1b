import SQLiteAccess

/// `concordance_rows(blob)`: a table of rowids, for conditions that were evaluated before the statement runs.
///
/// ```sql
/// SELECT … FROM documents AS t0 WHERE t0.rowid IN (SELECT doc FROM concordance_rows(?1))
/// ```
///
/// The blob contains 8-byte integers in native byte order, since the same process writes and reads it; see
/// ``RowIDBlob``.
final class RowIDTableFunction: TableValuedFunction {
  static let name = "concordance_rows"

  private static let inputColumn: Int32 = 1

  init() { super.init(columns: "doc INTEGER, input HIDDEN") }

  override func choose(_ plan: RowTablePlan) -> Bool { plan.useArgument(RowIDTableFunction.inputColumn, rows: 1000) }

  override func rows(plan: Int32, _ arguments: SQLArguments) -> RowIterator? {
    guard let input = arguments.first, input.type == .blob else { return nil }
    return RowIDIterator(RowIDBlob.rows(ofBlob: input.bytes))
  }
}

private final class RowIDIterator: RowIterator {
  private let rows: [Int64]
  private var position = 0

  init(_ rows: [Int64]) { self.rows = rows }

  override var isAtEnd: Bool { position >= rows.count }
  override var rowID: Int64 { Int64(position) }

  override func advance() { position += 1 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    if position == 0, column == 0 { result.announce { rows } }
    result.set(column == 0 && !isAtEnd ? .integer(rows[position]) : .missing, .exact)
  }
}

/// Encodes rowids as a blob for `concordance_rows(?)`.
enum RowIDBlob {
  /// Returns a blob with the rows.
  static func blob(of rows: [Int64]) -> [UInt8] { rows.withUnsafeBytes { Array($0) } }

  /// Returns the rows in a blob.
  static func rows(ofBlob bytes: UnsafeRawBufferPointer) -> [Int64] {
    (0..<(bytes.count / 8)).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
  }

  /// Returns SQL that selects the rows in the blob of a parameter.
  static func selection(parameter: Int) -> String { "SELECT doc FROM \(RowIDTableFunction.name)(?\(parameter))" }
}
