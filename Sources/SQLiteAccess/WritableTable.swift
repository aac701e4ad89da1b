import GRDB
import GRDBSQLite

/// A virtual table whose rows statements can also insert, update and delete, such as rows of another database. It is
/// available on a connection without CREATE VIRTUAL TABLE and belongs to one connection.
///
/// See "The xUpdate Method", <https://www.sqlite.org/vtab.html#the_xupdate_method>. UPSERT is not available for virtual
/// tables; OR IGNORE and OR REPLACE are.
open class WritableTable: TableValuedFunction {
  /// The resolution of a conflict with an existing row.
  public enum ConflictResolution: Sendable {
    /// The statement fails with a constraint error.
    case fail
    /// The row is not changed.
    case ignore
    /// The existing row is replaced.
    case replace
  }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - row: the rowid, or nil if the table chooses one.
  ///   - values: the values of the columns.
  ///   - resolution: what to do if a row with the same key exists.
  /// - Returns: the rowid.
  /// - Throws: ``KeyConflict`` if a row with the same key exists and is kept; any other error, see ``CallbackFault``.
  open func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 { row ?? 0 }

  /// Replaces the values of a row.
  open func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {}

  /// Deletes a row.
  open func delete(row: Int64) throws {}

  /// Begins a savepoint. Savepoints have ascending numbers from 0.
  open func beginSavepoint(_ number: Int32) throws {}

  /// Ends a savepoint and all with higher numbers. Their changes remain.
  open func releaseSavepoint(_ number: Int32) throws {}

  /// Undoes the changes since a savepoint, which remains.
  open func rollBack(toSavepoint number: Int32) throws {}
}

/// A row with the same key exists.
public struct KeyConflict: Error {
  /// The message.
  public let message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }
}

private func writableTable(_ memory: UnsafeMutablePointer<sqlite3_vtab>?) -> WritableTable? {
  table(memory) as? WritableTable
}

/// Calls `body` with the table and reports its errors.
private func changing(
  _ memory: UnsafeMutablePointer<sqlite3_vtab>?, _ body: (WritableTable) throws -> Void
) -> Int32 {
  guard let table = writableTable(memory) else { return SQLITE_ERROR }
  var isConflict = false
  let code = reporting(memory) {
    do { try body(table) } catch let conflict as KeyConflict {
      isConflict = true
      throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: conflict.message)
    }
  }
  return isConflict ? SQLITE_CONSTRAINT | 8 << 8 : code
}

/// The callbacks of all writable tables. They are initialized once here, and SQLite only reads them.
nonisolated(unsafe) let writableModule = {
  let module = makeModule()
  // The version with savepoints.
  module.pointee.iVersion = 2
  module.pointee.xUpdate = { memory, count, arguments, newRow in
    let arguments = SQLArguments(arguments, count)
    return changing(memory) { table in
      guard arguments.count > 1 else { return try table.delete(row: arguments[0].int64) }
      let resolution = resolution(memory)
      let values = arguments[from: 2]
      guard arguments[0].type == .null else {
        guard arguments[0].int64 == arguments[1].int64 else {
          throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "the number of a row cannot be changed")
        }
        return try table.update(row: arguments[0].int64, values, resolution)
      }
      let row = try table.insert(
        row: arguments[1].type == .null ? nil : arguments[1].int64, values, resolution)
      newRow?.pointee = row
    }
  }
  // Present, because SQLite calls the savepoint callbacks only between them. The owner of the connection commits.
  module.pointee.xBegin = { _ in SQLITE_OK }
  module.pointee.xSync = { _ in SQLITE_OK }
  module.pointee.xCommit = { _ in SQLITE_OK }
  module.pointee.xRollback = { _ in SQLITE_OK }
  module.pointee.xSavepoint = { memory, number in changing(memory) { try $0.beginSavepoint(number) } }
  module.pointee.xRelease = { memory, number in changing(memory) { try $0.releaseSavepoint(number) } }
  module.pointee.xRollbackTo = { memory, number in changing(memory) { try $0.rollBack(toSavepoint: number) } }
  return module
}()

/// Returns what the running statement does about conflicts.
private func resolution(_ memory: UnsafeMutablePointer<sqlite3_vtab>?) -> WritableTable.ConflictResolution {
  guard let connection = connection(memory) else { return .fail }
  return switch sqlite3_vtab_on_conflict(connection) {
  case SQLITE_IGNORE: .ignore
  case SQLITE_REPLACE: .replace
  default: .fail
  }
}
