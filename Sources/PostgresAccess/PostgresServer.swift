import CPostgres

/// The server of a connection. The address of a database may list several, of which libpq uses the first that accepts
/// the connection.
package struct PostgresServer: Hashable, Sendable {
  /// The name of the host, or the folder of its socket.
  package let host: String
  /// The network address; empty for a socket of the file system.
  package let address: String
  /// The port.
  package let port: String

  /// Creates a description of a server. An empty value leaves that of the address of the database.
  package init(host: String, address: String, port: String) {
    self.host = host
    self.address = address
    self.port = port
  }

  /// The parameters of libpq for a connection to this server only.
  var parameters: [(String, String)] {
    [("host", host), ("hostaddr", address), ("port", port)].filter { !$0.1.isEmpty }
  }
}

extension PostgresConnection {
  /// The server of the connection.
  package var server: PostgresServer {
    func string(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    return PostgresServer(
      host: string(functions.host(connection)), address: string(functions.hostaddr(connection)),
      port: string(functions.port(connection)))
  }
}
