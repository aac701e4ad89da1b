/// The names of collections. Messages contain `name` for a collection in the default scope, otherwise `scope.name`.
enum CollectionPath {
  private static let defaultScope = "_default."

  /// Returns the name in messages of a collection whose name may contain the default scope.
  static func path(_ name: String) -> String {
    name.hasPrefix(defaultScope) ? String(name.dropFirst(defaultScope.count)) : name
  }

  /// Returns the name with the scope of a collection with this name in messages.
  static func fullName(_ path: String) -> String { path.contains(".") ? path : defaultScope + path }
}
