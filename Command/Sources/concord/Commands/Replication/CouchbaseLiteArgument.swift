import ArgumentParser

/// Arguments of replication commands that are files of Couchbase Lite.
enum CouchbaseLiteArgument {
  /// Checks that an argument is not a Couchbase Lite database, which is not replicated directly.
  ///
  /// - Throws: `ValidationError` that names the command which imports it.
  static func check(_ path: String) throws {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard path.hasSuffix(".cblite2") || path.hasSuffix(".cblite") else { return }
    throw ValidationError(
      "\(path) is a Couchbase Lite database; import it with `concord -d NAME.concord import \(path)`, and use "
        + "NAME.concord instead.")
  }
}
