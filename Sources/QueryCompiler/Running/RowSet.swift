/// Rows of a collection in the form in which a statement takes them: `concordance_rows(?)`.
enum RowSet {
  /// The blob that holds the rows.
  static func blob(of rows: [Int64]) -> [UInt8] { rows.withUnsafeBytes { Array($0) } }

  /// The rows that a blob holds.
  static func rows(ofBlob bytes: UnsafeRawBufferPointer) -> [Int64] {
    (0..<(bytes.count / 8)).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
  }

  /// SQL that selects the rows in the blob of a parameter.
  static func selection(parameter: Int) -> String { "SELECT doc FROM \(RowsTable.name)(?\(parameter))" }
}
