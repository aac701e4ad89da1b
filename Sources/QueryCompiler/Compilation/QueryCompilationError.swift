import QueryModel

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

extension QueryCompilationError {
  /// A collection that is not there, with the one whose name is nearest, or all that there are.
  init(noCollection path: CollectionPath, among names: [String]) {
    let name = (path.scope.map { $0 + "." } ?? "") + path.name
    var hint = ""
    if let closest = SpellingDistance.closest(to: name, among: names) {
      hint = "; did you mean \"\(closest)\"?"
    } else if !names.isEmpty {
      let shown = names.prefix(Self.maximumNames).map { "\"\($0)\"" }.joined(separator: ", ")
      hint = "; there is \(shown)" + (names.count > Self.maximumNames ? ", …" : "")
    }
    self.init(.invalid, "there is no collection \"\(name)\"\(hint)")
  }

  /// As many names as a line of a message has room for.
  private static let maximumNames = 10
}
