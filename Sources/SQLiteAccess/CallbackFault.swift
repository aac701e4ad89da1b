import GRDB
import GRDBSQLite

/// The code and message of an error that one of the library's functions or virtual tables reports to SQLite. The
/// statement then throws a `DatabaseError` with both.
public struct CallbackFault: Sendable {
  /// The extended result code.
  public let code: Int32
  /// The message.
  public let message: String

  /// SQLITE_CORRUPT_VTAB, the code for damage that a virtual table or function detects. Swift does not import the
  /// macro.
  public static let damage: Int32 = SQLITE_CORRUPT | 1 << 8

  /// Creates a fault that reports damage or another error.
  public init(isDamage: Bool, _ message: String) {
    self.init(code: isDamage ? CallbackFault.damage : SQLITE_ERROR, message: message)
  }

  private init(code: Int32, message: String) { (self.code, self.message) = (code, message) }

  /// Converts an error to a fault: the fault of a ``CallbackError``, the code and message of a
  /// `DatabaseError`, or the description of any other error.
  public init(_ error: any Error) {
    switch error {
    case let error as any CallbackError: self = error.callbackFault
    case let error as DatabaseError:
      self.init(code: error.extendedResultCode.rawValue, message: error.message ?? "\(error)")
    default: self.init(isDamage: false, "\(error)")
    }
  }

  /// A copy of the message in memory that SQLite frees.
  var allocatedMessage: UnsafeMutablePointer<CChar>? {
    let bytes = Array(message.utf8) + [0]
    guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory.assumingMemoryBound(to: CChar.self)
  }
}

/// An error that has a code and message for SQLite.
public protocol CallbackError: Error {
  /// The code and the message.
  var callbackFault: CallbackFault { get }
}

extension SQLResult {
  /// Ends the statement with an error.
  public func set(_ error: any Error) {
    let fault = CallbackFault(error)
    set(errorMessage: fault.message)
    sqlite3_result_error_code(context, fault.code)
  }
}
