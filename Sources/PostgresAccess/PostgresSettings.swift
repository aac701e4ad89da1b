/// How connections are opened.
package struct PostgresSettings: Hashable, Sendable {
  /// The time in seconds to wait for a connection to each host. An address with `connect_timeout` overrides it.
  package var connectTimeout = 10
  /// The schema whose tables are used; nil leaves the search path of the user.
  package var schema: String?

  /// Creates the default settings.
  package init() {}

  /// The statements that a new connection runs.
  var statements: [String] {
    guard let schema else { return [] }
    let quoted = schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    return ["SET search_path = \"\(quoted)\""]
  }
}
