import QueryModel
public import SQLiteAccess

/// An error of a query that cannot be compiled.
public typealias QueryCompilationError = KindedError<QueryCompilationErrorKind>

/// The kinds of error of a query that cannot be compiled.
public enum QueryCompilationErrorKind: ErrorKind {
  /// The query makes no sense, whatever the database holds.
  case invalid
  /// The query names an index that is not there.
  case missingIndex
  /// A parameter has no value, or one of a type that does not fit.
  case unsetParameter
  /// The query asks for what is not available.
  case unsupported
}

extension QueryCompilationError {
  /// A collection that is not there, with the one whose name is nearest, or all that there are.
  init(noCollection path: CollectionPath, among names: [String]) {
    let name = (path.scope.map { $0 + "." } ?? "") + path.name
    var hint = ""
    if let closest = SpellingDistance.closest(to: name, among: names) {
      hint = "; did you mean \"\(closest)\"?"
    } else if !names.isEmpty {
      let shown = names.prefix(QueryCompilationErrorKind.maximumNames).map { "\"\($0)\"" }.joined(separator: ", ")
      hint = "; there is \(shown)" + (names.count > QueryCompilationErrorKind.maximumNames ? ", …" : "")
    }
    self.init(.invalid, "there is no collection \"\(name)\"\(hint)")
  }
}

extension QueryCompilationErrorKind {
  /// As many names as a line of a message has room for.
  fileprivate static let maximumNames = 10
}
