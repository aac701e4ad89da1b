/// How connections are opened.
package struct PostgresSettings: Hashable, Sendable {
  /// The time in seconds to wait for a connection to each host. An address with `connect_timeout` overrides it, and so
  /// does the variable `PGCONNECT_TIMEOUT`.
  package var connectTimeout = 10
  /// Whether ``connectTimeout`` overrides the address and the variable instead.
  package var overridesConnectTimeout = false
  /// The only server to connect to, whatever the address lists; nil for those of the address.
  package var server: PostgresServer?
  /// The schema whose tables are used; nil leaves the search path of the user.
  package var schema: String?

  /// Creates the default settings.
  package init() {}

  /// The statements that a new connection runs, in one round trip.
  var script: String {
    // The server notices within a minute that the machine of a client has disappeared, and releases its locks. By
    // default, it waits for two hours. The settings have no effect on a Unix socket.
    let keepalives =
      "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
    // Compiling a statement takes longer than reading the first rows of a scan, which are often all that are needed.
    let common = "\(keepalives); SET jit = off"
    guard let schema else { return common }
    // Scalars are compared, because a quotation mark with a combining accent is a different character.
    let parts = schema.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    let quoted = parts.map(String.init).joined(separator: "\"\"")
    return "SET search_path = \"\(quoted)\"; \(common)"
  }
}
