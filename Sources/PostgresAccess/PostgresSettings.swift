/// How connections are opened.
package struct PostgresSettings: Hashable, Sendable {
  /// The time in seconds to wait for a connection to each host. An address with `connect_timeout` overrides it.
  package var connectTimeout = 10
  /// The time in milliseconds that a statement may take; nil leaves the server's setting.
  package var statementTimeout: Int?
  /// The time in milliseconds to wait for a lock; nil leaves the server's setting.
  package var lockTimeout: Int?
  /// The schema whose tables are used; nil leaves the search path of the user.
  package var schema: String?

  /// Creates the default settings.
  package init() {}

  /// The statements that a new connection runs.
  var statements: [String] {
    var statements: [String] = []
    if let statementTimeout { statements.append("SET statement_timeout = \(statementTimeout)") }
    if let lockTimeout { statements.append("SET lock_timeout = \(lockTimeout)") }
    if let schema {
      let quoted = schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      statements.append("SET search_path = \"\(quoted)\"")
    }
    return statements
  }
}
