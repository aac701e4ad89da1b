import DocumentStore
import QueryModel

/// A source of rows, created by ``DataSource``.
public protocol DataSourceProtocol: Sendable {}

/// A source of rows that can be given a name.
public protocol DataSourceAs: DataSourceProtocol {
  /// Returns the source with an alias, by which expressions refer to it: `Expression.property("name").from("hotel")`,
  /// or `Expression.property("hotel.name")`.
  ///
  /// - Parameter alias: the alias.
  func `as`(_ alias: String) -> any DataSourceProtocol
}

/// Creates the row sources of a query.
public enum DataSource {
  /// The documents of a collection.
  ///
  /// - Parameter collection: the collection. Unless `as` sets an alias, its name in the query is the collection's name,
  ///   or `scope.name` if the query has two collections with the same name.
  public static func collection(_ collection: Collection) -> any DataSourceAs {
    BuiltSource(QuerySource(.collection(CollectionPath(collection.record.name))), database: collection.database)
  }
}

/// A source converted to the syntax tree.
struct BuiltSource: DataSourceAs {
  var source: QuerySource
  let database: Database?
  var fault: CBLError?

  init(_ source: QuerySource, database: Database?, fault: CBLError? = nil) {
    self.source = source
    self.database = database
    self.fault = fault
  }

  func `as`(_ alias: String) -> any DataSourceProtocol {
    var copy = self
    copy.source.alias = alias
    return copy
  }
}

extension BuiltSource {
  init(_ source: any DataSourceProtocol) {
    self =
      source as? BuiltSource
      ?? BuiltSource(
        QuerySource(.collection(.standard)), database: nil,
        fault: BuiltExpression.foreign(source, "DataSource").fault)
  }
}

extension CollectionPath {
  /// The name of a stored collection, without the default scope.
  init(_ name: CollectionName) {
    self.init(name.name, scope: name.scope == Database.defaultScopeName ? nil : name.scope)
  }
}
