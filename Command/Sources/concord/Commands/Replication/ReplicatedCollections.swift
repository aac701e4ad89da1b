import Concordance
import Foundation

/// The options of commands that replicate several collections: `-c notes,shop.items`. The option is not repeated,
/// because the root command has the same option with one value, and parses it first.
extension GlobalOptions {
  /// The names of the collections to replicate; empty for all collections.
  var replicatedCollections: [String] {
    (collection ?? "").split(separator: ",").map(String.init)
  }

  /// Returns the collections that the options name, else all collections.
  ///
  /// - Throws: ``CommandFailure`` if a collection does not exist.
  func collections(in database: Database, _ path: String) throws -> [Collection] {
    let all = try database.scopes().flatMap { try $0.collections() }
    guard !replicatedCollections.isEmpty else { return all }
    return try replicatedCollections.map { name in
      let fullName = name.contains(".") ? name : "\(Database.defaultScopeName).\(name)"
      guard let collection = all.first(where: { $0.fullName == fullName }) else {
        let known = all.map(\.fullName).joined(separator: ", ")
        throw CommandFailure("\(path): there is no collection \(fullName); the collections are \(known)")
      }
      return collection
    }
  }
}
