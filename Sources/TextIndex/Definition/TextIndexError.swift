public import SQLiteAccess

<<<<<<< HEAD
/// An error of a full-text or pattern index.
public typealias TextIndexError = KindedError<TextIndexErrorKind>

/// The kinds of error of a full-text or pattern index.
public enum TextIndexErrorKind: ErrorKind {
  /// The definition of an index makes no sense.
  case badDefinition
  /// A query or a weight names a field that the index does not have.
  case unknownField
  /// A weight that is not a positive number.
  case badWeight
  /// The query has more operands or levels than FTS5 takes.
  case queryTooLarge
  /// SQLite has no FTS5, or one that cannot do what is needed.
  case unsupported
  /// The index was filled by another version of the analyzer and must be rebuilt.
  case outdated
  /// The index's tables hold what FTS5 cannot have written.
  case damaged
  /// A parameter of the ranking that makes no sense.
  case badRanking
=======
/// An error of a full-text index.
public struct TextIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Hashable, Sendable {
    /// The definition of an index makes no sense.
    case badDefinition
    /// A query or a weight names a field that the index does not have.
    case unknownField
    /// A weight that is not a positive number.
    case badWeight
    /// The query has more operands or levels than FTS5 takes.
    case queryTooLarge
    /// SQLite has no FTS5, or one that cannot do what is needed.
    case unsupported
    /// The index was filled by another version of the analyzer and must be rebuilt.
    case outdated
    /// The index's tables hold what FTS5 cannot have written.
    case damaged
    /// A parameter of the ranking that makes no sense.
    case badRanking
  }

  /// The kind of error.
  public let kind: Kind
  /// What, where, and what to do if that is not ``recovery``.
  public let message: String
  /// What repairs the fault, if the library can.
  public let recovery: Recovery?
>>>>>>> 7d91396c990f86a1857f00477e43652a39efc5cd

  public var isDamage: Bool { self == .damaged }
}

extension TextIndexError {
  /// Creates the error for an index whose tables hold what FTS5 cannot have written.
  public init(damage message: String) { self.init(.damaged, message) }

  /// Creates the error for a parameter of a ranking.
  init(badRanking message: String) { self.init(.badRanking, message) }

  /// Creates the error for the weight of a field.
  init(badWeight message: String) { self.init(.badWeight, message) }

  /// The error for a field that an index does not have.
  init(unknownField name: String, of owner: String, among fields: [String]) {
    let known = fields.map { "\"\($0)\"" }.joined(separator: ", ")
    self.init(.unknownField, "\(owner) has no field \"\(name)\"; it has \(known)")
  }
}
