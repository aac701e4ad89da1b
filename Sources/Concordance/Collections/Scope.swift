import DocumentStore

/// A namespace of collections.
///
/// ```swift
/// for scope in try database.scopes() { print(scope.name, try scope.collections().map(\.name)) }
/// ```
///
/// A scope exists as long as it contains a collection. The scope `_default` always exists. Scopes are created by
/// ``Database/createCollection(name:scope:)``.
public final class Scope: Sendable {
  /// The name of the default scope: `_default`.
  public static let defaultScopeName = "_default"

  /// The name of the scope.
  public let name: String

  /// The database of the scope.
  public let database: Database

  init(name: String, database: Database) {
    self.name = name
    self.database = database
  }

  /// Returns the collections of the scope, sorted by name.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func collections() throws -> [Collection] { try database.collections(scope: name) }

  /// Returns the collection of the scope with the given name.
  ///
  /// - Parameter name: the name of the collection, without its scope. Names are case-sensitive.
  /// - Returns: the collection, or nil if it does not exist.
  /// - Throws: the same errors as ``Database/collection(name:scope:)``.
  public func collection(name: String) throws -> Collection? {
    try database.collection(name: name, scope: self.name)
  }
}

extension Scope: Equatable, Hashable {
  /// Returns whether both objects refer to the same scope of the same ``Database`` object.
  public static func == (one: Scope, other: Scope) -> Bool {
    one.database === other.database && one.name == other.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
