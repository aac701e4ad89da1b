/// A step that changes the documents, collections and indexes of a program from one version of its schema to the next.
///
/// The steps of a program are a list that only grows at its end. Each database runs those that it has not run yet, each
/// once:
///
/// ```swift
/// var config = DatabaseConfiguration()
/// config.migrations = [
///   Migration("create hotels") { database in
///     let hotels = try database.createCollection(name: "hotels")
///     try hotels.createIndex(withName: "by_city", config: ValueIndexConfiguration(["city"]))
///   },
///   Migration("stars are numbers") { database in
///     let hotels = try database.createCollection(name: "hotels")
///     try hotels.forEachDocument { hotel in
///       if let stars = hotel.string(forKey: "stars").flatMap({ Int($0) }) {
///         try hotels.save(document: hotel.toMutable().setInt(stars, forKey: "stars"))
///       }
///       return true
///     }
///   },
/// ]
/// let database = try Database(name: "travel", config: config)
/// ```
///
/// Do not change, rename, remove or reorder a step that a database has run; add another one.
public struct Migration: Sendable {
  /// The name of the step, unique in the list. The database stores it.
  public let name: String

  let body: @Sendable (Database) throws -> Void

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - name: a name that no other step of the list has.
  ///   - body: changes the database. It runs in a transaction, as in ``Database/inBatch(using:)``: if it throws, the
  ///     step is rolled back and not recorded.
  public init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
    self.name = name
    self.body = body
  }
}
