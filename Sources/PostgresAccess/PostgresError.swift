/// An error of PostgreSQL, of the connection to it, or of its client library.
public struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reaction that an error allows.
  public enum Kind: Hashable, Sendable {
    /// libpq is not installed.
    case libraryMissing
    /// The server cannot be reached, or refuses the user, the password or the database.
    case notConnected
    /// The connection was lost; whether a COMMIT that was being sent took effect is unknown.
    case connectionLost
    /// The connection was lost during a commit, which did not take effect.
    case notCommitted
    /// A statement ran longer than its limit, or was cancelled.
    case cancelled
    /// A lock was not granted in time.
    case busy
    /// Another transaction has changed the same rows; the transaction can be repeated.
    case conflict
    /// A row violates a unique constraint.
    case duplicateKey
    /// A table or schema does not exist.
    case undefinedTable
    /// The user lacks a privilege, or the server is a standby, which only answers queries.
    case notPermitted
    /// The server's disk is full, or it lacks memory or connections.
    case resources
    /// Another error of a statement.
    case statement
  }

  /// The kind.
  public let kind: Kind
  /// The five characters of SQLSTATE; empty if the server did not report the error.
  public let state: String
  /// What happened, and on which server.
  public let message: String
  /// Whether the server has not answered before the time limit for a new connection to one host.
  package internal(set) var isTimeout = false

  /// The message.
  public var description: String { message }

  /// Creates an error.
  public init(_ kind: Kind, state: String = "", _ message: String) {
    self.kind = kind
    self.state = state
    self.message = message
  }

  /// The SQLSTATE for an object that does not exist, such as a prepared transaction.
  package static let undefinedObject = "42704"
  /// The SQLSTATE for a privilege that the user lacks.
  package static let insufficientPrivilege = "42501"
  /// The SQLSTATE for a lack of memory, such as that for locks, which all sessions share.
  package static let outOfMemory = "53200"
  /// The SQLSTATE for an object that another session is using, such as a prepared transaction.
  package static let objectInUse = "55006"
  /// The SQLSTATE for an object in a state that does not permit the statement, such as prepared transactions that are
  /// disabled.
  package static let notInPrerequisiteState = "55000"
  /// The SQLSTATEs of COMMIT PREPARED and ROLLBACK PREPARED if another session has ended the transaction or is ending
  /// it.
  package static let endedElsewhere: Set<String> = [undefinedObject, objectInUse, notInPrerequisiteState]
  /// The SQLSTATE for a prepared statement that does not exist.
  static let undefinedStatement = "26000"

  /// The SQLSTATEs of statements of a transaction that has failed before: it waits for ROLLBACK, or a savepoint was not
  /// executed.
  package static let endedTransaction: Set<String> = ["25P02", "3B001"]

  /// Returns the kind of a SQLSTATE. The codes are those of "PostgreSQL Error Codes", appendix A of the manual.
  static func kind(state: String) -> Kind {
    switch state {
    case "57014": .cancelled
    case "55P03": .busy
    case "40001", "40P01": .conflict
    case "23505": .duplicateKey
    case "42P01", "3F000": .undefinedTable
    case insufficientPrivilege, "25006": .notPermitted
    // The server has ended the session: it was shut down, or the session was idle or in a transaction for too long.
    case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .connectionLost
    default:
      switch state.prefix(2) {
      case "08": .connectionLost
      case "53": .resources
      default: .statement
      }
    }
  }
}
