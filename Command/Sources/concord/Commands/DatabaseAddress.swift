import Concordance
import Foundation

/// The address of a database on PostgreSQL in messages.
enum DatabaseAddress {
  /// Returns a path or an address without its password.
  static func withoutPassword(_ text: String) -> String {
    guard Database.isURL(text), var components = URLComponents(string: text) else { return text }
    components.password = nil
    components.queryItems = components.queryItems?.filter { $0.name != "password" }
    return components.string ?? text
  }
}

extension DatabaseArguments {
  /// Returns the size of the database in bytes.
  func databaseSize() throws -> Int {
    guard Database.isURL(databasePath) else { return DatabaseFile.size(databasePath) }
    return Int(clamping: try Database.clusterStatus(url: databasePath).size)
  }
}
