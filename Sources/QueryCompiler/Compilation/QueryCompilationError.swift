import QueryModel
public import SQLiteAccess

/// The reason why a query cannot be compiled, such as an unknown name or an expression that is not allowed in its
/// clause.
public typealias QueryCompilationError = ModuleError<QueryCompilationErrorKind>

/// The reasons why a query cannot be compiled.
public enum QueryCompilationErrorKind: ErrorKind {
  /// The query is invalid for every database, or names a collection or source that does not exist.
  case invalid
  /// The query names an index that does not exist.
  case missingIndex
  /// A parameter has no value or a value of the wrong type.
  case unsetParameter
  /// The query uses a feature that is not available.
  case unsupported
}

extension QueryCompilationError {
  /// Reports an unknown collection, with the most similar name or a list of the existing collections.
  init(noCollection path: CollectionPath, among names: [String]) {
    let name = (path.scope.map { $0 + "." } ?? "") + path.name
    var hint = ""
    if names.isEmpty {
      hint = "; the database is empty, so add documents first"
    } else if let closest = SpellingDistance.closest(to: name, among: names) {
      hint = "; did you mean \"\(MessageNames.visible(closest))\"?"
    } else {
      hint = "; the collections are \(MessageNames.list(names, quoted: true))"
    }
    self.init(.invalid, "there is no collection \"\(MessageNames.visible(name))\"\(hint)")
  }
}
