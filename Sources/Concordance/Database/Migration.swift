/// A step that changes the documents, collections and indexes of a database from one version of the program's schema to
/// the next.
///
/// The steps of a program form an array to which new steps are only appended. Each step is applied once to each
/// database:
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
/// Do not change, rename, remove or reorder steps that have been applied to a database; append a new step instead.
public struct Migration: Sendable {
  /// The name of the step, unique in the array. It is stored in the database.
  public let name: String

  let body: @Sendable (Database) throws -> Void

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - name: the name, which must be unique in the array.
  ///   - body: a closure that changes the database. It runs in a transaction, as in ``Database/inBatch(using:)``: if it
  ///     throws, the step is rolled back and not recorded.
  public init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
    self.name = name
    self.body = body
  }
}
