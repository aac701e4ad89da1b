/// An error in the options of a server.
public struct ServerOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors. A program can use them to write messages that name its own options.
  public enum Kind: Hashable, Sendable {
    /// Other machines can reach the address ``ServerOptions/host``, and there are no tokens.
    case unprotectedHost(String)
    /// ``ServerOptions/allowedOrigins`` permits all web pages to change the databases, and there are no tokens.
    case unprotectedOrigins
    /// ``ServerOptions/port`` is not between 0 and 65535.
    case invalidPort(Int)
    /// A limit is less than 1. `name` is the name of the ``ServerLimits`` property.
    case invalidLimit(name: String, value: Int)
    /// The server cannot listen on its address.
    case cannotListen(host: String, port: Int, reason: String)
    /// Another program is listening on the port.
    case usedPort(host: String, port: Int)
    /// ``ServerOptions/host`` is not the name or address of a host.
    case unknownHost(String)
    /// An element of ``ServerOptions/allowedOrigins`` is not a scheme and a host.
    case invalidOrigin(String)
    /// A file of ``ServerOptions/tls`` cannot be read.
    case unreadableFile(path: String, reason: String)
    /// The file of an ``AccessLog`` cannot be opened.
    case unwritableFile(path: String, reason: String)
    /// ``TLSFiles/certificate`` contains no certificate in PEM format.
    case invalidCertificate(path: String)
    /// ``TLSFiles/key`` contains no private key in PEM format.
    case invalidKey(path: String)
    /// The private key does not match the certificate.
    case keyMismatch(key: String, certificate: String)
    /// Two databases have the same name.
    case duplicateDatabase(String)
    /// A line of a token file is malformed. Lines are numbered from 1.
    case malformedTokenLine(Int)
    /// A token file contains no tokens.
    case noTokens
  }

  /// The kind of error.
  public let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// A message that says what is wrong and what to do.
  public var description: String {
    switch kind {
    case .unprotectedHost(let host):
      "other machines can reach \(host), so options.tokens is required; "
        + "options.isInsecure allows everyone to read and change the databases"
    case .unprotectedOrigins:
      "options.allowedOrigins permits any web page to change the databases, so options.tokens or options.isReadOnly is "
        + "required; options.isInsecure allows it"
    case .invalidPort(let port): "options.port must be between 0 and 65535, not \(port)"
    case .invalidLimit(let name, let value): "limits.\(name) must be 1 or more, not \(value)"
    case .cannotListen(let host, let port, let reason): "cannot listen on \(host), port \(port): \(reason)"
    case .usedPort(let host, let port): "port \(port) of \(host) is in use by another program; choose another port"
    case .unknownHost(let host): "the address \(host) is unknown"
    case .invalidOrigin(let origin):
      "options.allowedOrigins takes a scheme and a host, such as https://example.org, not \(origin)"
    case .unreadableFile(let path, let reason), .unwritableFile(let path, let reason): "\(path): \(reason)"
    case .invalidCertificate(let path): "\(path): not a certificate in PEM format"
    case .invalidKey(let path): "\(path): not a private key in PEM format"
    case .keyMismatch(let key, let certificate): "\(key) is not the key of the certificate \(certificate)"
    case .duplicateDatabase(let name):
      "two databases have the name \"\(name)\"; the server needs different file names"
    case .malformedTokenLine(let number):
      "line \(number) of the token file is malformed; a line is a scope (read, write, admin) and 64 hexadecimal digits"
    case .noTokens: "the token file contains no tokens"
    }
  }
}
