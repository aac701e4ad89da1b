/// Why a query cannot be compiled: it names what is not there, or puts something where it may not stand.
public struct QueryCompilationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Hashable, Sendable {
    /// The query makes no sense, whatever the database holds.
    case invalid
    /// The query names an index that is not there.
    case missingIndex
    /// A parameter has no value, or one of a type that does not fit.
    case unsetParameter
    /// The query asks for what is not available.
    case unsupported
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// What is wrong, and what to do.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
