import DocumentStore

/// A namespace of collections.
///
/// A scope exists as long as it holds a collection; `_default` always exists.
public final class Scope: Sendable {
  /// The name of the scope that every database has.
  public static let defaultScopeName = "_default"

  /// The scope's name.
  public let name: String

  /// The database that it is in.
  public let database: Database

  init(name: String, database: Database) {
    self.name = name
    self.database = database
  }

  /// The collections of the scope, by name.
  public func collections() throws -> [Collection] { try database.collections(scope: name) }

  /// The collection with this name, or nil.
  public func collection(name: String) throws -> Collection? {
    try database.collection(name: name, scope: self.name)
  }
}

extension Scope: Equatable, Hashable {
  /// Whether both are the same scope of the same ``Database`` object.
  public static func == (one: Scope, other: Scope) -> Bool {
    one.database === other.database && one.name == other.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
