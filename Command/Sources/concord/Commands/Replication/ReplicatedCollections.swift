import ArgumentParser
import Concordance
import Foundation

/// The options of commands that replicate several collections; see ``GlobalOptions`` for other commands.
struct ReplicationDatabaseOptions: ParsableArguments, DatabaseArguments {
  @OptionGroup
  var shared: SharedOptions

  @Option(
    name: [.customShort("c"), .customLong("collection")],
    help: ArgumentHelp(
      "A collection, as NAME or SCOPE.NAME; may be repeated. (default: all collections)", valueName: "name"))
  var collections: [String] = []

  @Flag(name: .shortAndLong, help: "Print no messages except errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more messages.")
  var verbose = false

  /// Always nil: the commands use ``collections``.
  var collection: String? { nil }

  /// Opens the database at a path, which must exist.
  func open(_ path: String) throws -> Database {
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    do {
      return try Database(path: path, config: config)
    } catch let error as CBLError where error.code == CBLError.notFound {
      throw CommandFailure("\(path): there is no such database; create one with `concord index` or `concord put`")
    }
  }

  /// Returns the collections that the options name, else all collections.
  ///
  /// - Throws: ``CommandFailure`` if a collection does not exist.
  func collections(in database: Database, _ path: String) throws -> [Collection] {
    let all = try database.scopes().flatMap { try $0.collections() }
    guard !collections.isEmpty else { return all }
    return try collections.map { name in
      let fullName = name.contains(".") ? name : "\(Database.defaultScopeName).\(name)"
      guard let collection = all.first(where: { $0.fullName == fullName }) else {
        let known = all.map(\.fullName).joined(separator: ", ")
        throw CommandFailure("\(path): there is no collection \(fullName); the collections are \(known)")
      }
      return collection
    }
  }
}
