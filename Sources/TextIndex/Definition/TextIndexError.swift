public import SQLiteAccess

/// An error that a full-text or pattern index reports.
public typealias TextIndexError = ModuleError<TextIndexErrorKind>

/// The kinds of errors that a full-text or pattern index reports.
public enum TextIndexErrorKind: ErrorKind {
  /// The definition of an index is invalid.
  case badDefinition
  /// A query or a weight names a field that the index does not have.
  case unknownField
  /// A weight is not a positive number.
  case badWeight
  /// The query has more operands or levels than FTS5 supports.
  case queryTooLarge
  /// SQLite has no FTS5, or its version lacks a required feature.
  case unsupported
  /// The index was filled by another version of the analyzer and must be rebuilt.
  case outdated
  /// The tables of the index contain data that FTS5 cannot have written.
  case damaged
  /// A segment that was being read no longer exists: it was merged, or the index is damaged.
  case segmentMissing
  /// A parameter of the ranking is out of range.
  case badRanking

  public var isDamage: Bool { self == .damaged || self == .segmentMissing }
}

extension TextIndexError {
  /// Whether the version of SQLite does not support the operation.
  var isUnsupported: Bool { kind == .unsupported }

  /// Creates the error for an index whose tables contain data that FTS5 cannot have written.
  ///
  /// - Parameter message: what is damaged, and what to do.
  public init(damage message: String) { self.init(.damaged, message) }

  /// Creates the error for a parameter of a ranking.
  init(badRanking message: String) { self.init(.badRanking, message) }

  /// Creates the error for the weight of a field.
  init(badWeight message: String) { self.init(.badWeight, message) }

  /// Creates the error for a field that an index does not have.
  init(unknownField name: String, of owner: String, among fields: [String]) {
    let known = fields.map { "\"\($0)\"" }.joined(separator: ", ")
    self.init(.unknownField, "\(owner) has no field \"\(name)\"; it has \(known)")
  }
}

extension IndexDamage {
  package func error(index name: String) -> TextIndexError {
    TextIndexError(
      .damaged, "the index \"\(name)\" is damaged: \(reason); it must be rebuilt", recovery: .rebuildIndexes)
  }
}
