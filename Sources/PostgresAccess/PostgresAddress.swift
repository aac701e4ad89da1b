import CPostgres

/// Addresses of servers: URLs (`postgresql://…`) or `key=value` pairs.
package enum PostgresAddress {
  /// The keywords of parameters that contain a password.
  private static let passwords: Set<String> = ["password", "sslpassword"]

  /// Returns whether an address contains a password, such as `postgresql://user:password@host`. Returns false for a
  /// malformed address, with which no connection can be opened.
  ///
  /// - Throws: ``PostgresError`` of kind ``PostgresError/Kind/libraryMissing``.
  package static func containsPassword(_ address: String) throws -> Bool {
    let functions = try PostgresLibrary.load()
    guard let options = functions.conninfoParse(address, nil) else { return false }
    defer { functions.conninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if option.pointee.val != nil, passwords.contains(String(cString: keyword)) { return true }
      option += 1
    }
    return false
  }
}
