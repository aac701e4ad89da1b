public import SQLiteAccess
public import TextIndex

/// Damage of a full-text index has a code that nothing else in a query's statement uses, SQLITE_CORRUPT_VTAB, so that
/// ``QueryCompilationError/namingFaults(_:)`` makes the same error of it again.
extension TextIndexError: CallbackError {
  public var callbackFault: CallbackFault {
    CallbackFault(isDamage: kind == .damaged, message)
  }
}
