import GRDBSQLite
import SQLiteAccess
import TextIndex

/// Damage of a full-text index has a code that nothing else in a query's statement uses, SQLITE_CORRUPT_VTAB, so that
/// ``QueryCompilationError/namingFaults(_:)`` makes the same error of it again.
extension TextIndexError: CallbackError {
  public var callbackFault: CallbackFault {
    CallbackFault(code: kind == .damaged ? CallbackFault.damage : SQLITE_ERROR, message: message)
  }
}

extension CallbackFault {
  /// SQLITE_CORRUPT_VTAB, a macro that Swift does not import.
  static let damage: Int32 = SQLITE_CORRUPT | 1 << 8
}
