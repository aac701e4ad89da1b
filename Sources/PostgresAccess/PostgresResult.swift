import CPostgres

/// The rows that a statement has returned, in PostgreSQL's binary format.
///
/// A field that has another type than the caller expects reads as 0 or as an empty value; it never reads beyond the
/// field.
package final class PostgresResult {
  private let functions: CPostgresFunctions
  private let result: OpaquePointer?
  /// The results whose rows this one has; empty if it is the result of one statement.
  private let parts: [PostgresResult]
  /// The number of rows.
  package let count: Int
  /// The number of columns.
  package let columnCount: Int

  /// Takes ownership of a result.
  init(_ result: OpaquePointer, _ functions: CPostgresFunctions) {
    self.result = result
    self.functions = functions
    parts = []
    count = Int(functions.ntuples(result))
    columnCount = Int(functions.nfields(result))
  }

  /// Joins the rows of results with the same columns; the results of one statement that several servers have run.
  ///
  /// - Returns: nil if there are no results.
  package static func joined(_ results: [PostgresResult]) -> PostgresResult? {
    guard let first = results.first else { return nil }
    // A result without rows, for a server that was left out, has no columns.
    let columnCount = results.reduce(0) { max($0, $1.columnCount) }
    return results.count == 1 ? first : PostgresResult(joining: results, first.functions, columnCount)
  }

  /// Returns a result without rows and columns.
  ///
  /// - Throws: ``PostgresError`` if libpq is not installed.
  package static func empty() throws -> PostgresResult {
    PostgresResult(joining: [], try PostgresLibrary.load(), 0)
  }

  private init(joining results: [PostgresResult], _ functions: CPostgresFunctions, _ columnCount: Int) {
    result = nil
    parts = results
    self.functions = functions
    self.columnCount = columnCount
    count = results.reduce(0) { $0 + $1.count }
  }

  deinit { if let result { functions.clear(result) } }

  /// The number of rows that an INSERT, UPDATE, DELETE or SELECT affected.
  package var affectedCount: Int {
    guard let result else { return parts.reduce(0) { $0 + $1.affectedCount } }
    return functions.cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// Returns the part that contains a row, and the number of the row in it.
  private func part(_ row: Int) -> (PostgresResult, Int)? {
    var rest = row
    for part in parts {
      if rest < part.count { return (part, rest) }
      rest -= part.count
    }
    return nil
  }

  /// Returns whether a field is NULL.
  package func isNull(_ row: Int, _ column: Int) -> Bool {
    guard let result else { return part(row).map { $0.isNull($1, column) } ?? true }
    return functions.getisnull(result, Int32(clamping: row), Int32(clamping: column)) != 0
  }

  /// Returns the bytes of a field, valid while the result exists.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    guard row >= 0, row < count, column >= 0, column < columnCount else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    guard let result else {
      return part(row).map { $0.bytes($1, column) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let length = functions.getlength(result, Int32(row), Int32(column))
    let start = functions.getvalue(result, Int32(row), Int32(column))
    return UnsafeRawBufferPointer(start: start, count: Int(max(0, length)))
  }

  /// Returns an integer of 2, 4 or 8 bytes, or a Boolean as 0 or 1.
  package func int64(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    return switch bytes.count {
    case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 1: Int64(bytes[0])
    default: 0
    }
  }

  /// Returns a Boolean.
  package func bool(_ row: Int, _ column: Int) -> Bool { int64(row, column) != 0 }

  /// Returns a text.
  package func string(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  /// Returns a copy of the bytes of a field.
  package func byteArray(_ row: Int, _ column: Int) -> [UInt8] { [UInt8](bytes(row, column)) }
}

@available(*, unavailable)
extension PostgresResult: Sendable {}
