import Concordance
import Foundation

/// The addresses of databases on PostgreSQL.
enum DatabaseAddress {
  /// Returns a path or an address without its password.
  static func withoutPassword(_ text: String) -> String {
    guard Database.isURL(text), var components = URLComponents(string: text) else { return text }
    components.password = nil
    components.queryItems = components.queryItems?.filter { $0.name != "password" }
    return components.string ?? text
  }

  /// Calls `body`, and says how to create the tables if the database has none.
  static func advising<T>(_ url: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as CBLError where error.code == CBLError.notFound {
      throw CommandFailure("\(error.message): `concord cluster init \(withoutPassword(url))`")
    }
  }

  /// Throws for a mistyped address, such as `postgresql:corpus` or `psql://host/corpus`, which would otherwise be the
  /// name of a file.
  static func check(_ path: String) throws {
    guard !Database.isURL(path) else { return }
    // The form of psql, `host=db dbname=corpus`.
    let keywords = ["host", "dbname", "service", "user", "port"]
    if let keyword = keywords.first(where: { path.hasPrefix($0 + "=") }), !FilePath.exists(path) {
      throw unusable(keyword + "=…")
    }
    guard let colon = path.firstIndex(of: ":") else { return }
    let scheme = path[..<colon]
    let isURL =
      path[colon...].hasPrefix("://") && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard isURL || scheme.lowercased().hasPrefix("postgres") && scheme.allSatisfy(\.isLetter) else { return }
    throw unusable(scheme + ":…")
  }

  /// - Parameter beginning: the beginning of the address, because the rest may contain a password.
  private static func unusable(_ beginning: String) -> CommandFailure {
    CommandFailure(
      "\(beginning) is not the address of a database; use postgresql://user@host/database or "
        + "postgresql:///database?host=/folder, or put ./ before the name of a file")
  }

  /// Throws if a database is on PostgreSQL, for an operation that requires a file.
  ///
  /// - Parameter operation: the subject of the message: "views are".
  static func requireFile(_ path: String, for operation: String) throws {
    guard Database.isURL(path) else { return }
    throw CommandFailure(
      "\(withoutPassword(path)): \(operation) not available on PostgreSQL yet; use a database in a file")
  }
}

extension DatabaseArguments {
  /// Returns the size of the database in bytes.
  func databaseSize() throws -> Int {
    guard Database.isURL(databasePath) else { return DatabaseFile.size(databasePath) }
    return Int(clamping: try Database.clusterStatus(url: databasePath).size)
  }

  /// Returns the address of the database of a command that requires PostgreSQL.
  ///
  /// - Parameter argument: the argument of the command; nil for the database that the options name.
  func clusterURL(_ argument: String?) throws -> String {
    let url = argument ?? databasePath
    try DatabaseAddress.check(url)
    guard Database.isURL(url) else {
      throw CommandFailure(
        "\(url) is not the address of a database on PostgreSQL; give postgresql://… as an argument, with --database "
          + "or in $CONCORD_DATABASE")
    }
    return url
  }
}
