import ArgumentParser
import Concordance
import ConcordanceNetwork
import Foundation

/// The options of `concord sync` for connections to a server.
struct SyncConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The user name. The password is that of --password-file, or $CONCORD_PASSWORD.", valueName: "name"))
  var user: String?

  @Option(help: ArgumentHelp("A file with the password on its first line.", valueName: "file"), completion: .file())
  var passwordFile: String?

  @Option(help: ArgumentHelp("The id of a Sync Gateway session.", valueName: "id"))
  var session: String?

  @Option(
    help: ArgumentHelp("A header of the HTTP request, as 'NAME: VALUE'; may be repeated.", valueName: "header"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp(
      "The certificate of the server or of its issuer in PEM format; no other is accepted.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Flag(help: "Accept any self-signed certificate. Whoever controls the network can then read the connection.")
  var acceptSelfSigned = false

  @Option(
    help: ArgumentHelp(
      "The certificate chain of the client in PEM format, for servers that require one.", valueName: "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: ArgumentHelp("The private key of the client's certificate in PEM format.", valueName: "file"),
    completion: .file())
  var clientKey: String?

  @Option(
    help: ArgumentHelp(
      "The number of attempts to connect. (default: 10; unlimited with --continuous)", valueName: "number")
  )
  var maxAttempts: UInt?

  @Option(help: ArgumentHelp("The interval between pings. (default: 300)", valueName: "seconds"))
  var heartbeat: Double?

  /// Whether any option is given.
  var isUsed: Bool {
    user != nil || passwordFile != nil || session != nil || !header.isEmpty || certificate != nil || acceptSelfSigned
      || maxAttempts != nil || heartbeat != nil || clientCertificate != nil || clientKey != nil
  }

  /// Whether any option is given that has an effect only on TLS connections.
  var usesTLS: Bool { certificate != nil || acceptSelfSigned || clientCertificate != nil || clientKey != nil }

  /// Whether any credentials are sent, perhaps in a header.
  var sendsCredentials: Bool { sendsSecret || clientCertificate != nil || !header.isEmpty }

  /// Whether a user name and a password, a session, or a header that contains credentials are sent.
  var sendsSecret: Bool { user != nil || session != nil || header.contains(where: SyncConnectionOptions.isSecret) }

  /// Returns whether a header, as `NAME: VALUE`, contains credentials.
  private static func isSecret(_ header: String) -> Bool {
    let name = header.prefix { $0 != ":" }.lowercased()
    return ["authorization", "proxy-authorization", "cookie"].contains(name)
  }

  func validate() throws {
    if passwordFile != nil, user == nil { throw ValidationError("--password-file requires --user.") }
    if session != nil, user != nil { throw ValidationError("--session and --user cannot be combined.") }
    guard (clientCertificate == nil) == (clientKey == nil) else {
      throw ValidationError("--client-certificate and --client-key must be given together.")
    }
    if clientCertificate != nil, user != nil || session != nil {
      throw ValidationError("--client-certificate cannot be combined with --user or --session.")
    }
    if maxAttempts == 0 { throw ValidationError("--max-attempts takes 1 or more, not 0.") }
    if let heartbeat, !(heartbeat > 0 && heartbeat <= 31_536_000) {
      throw ValidationError("--heartbeat takes more than 0 seconds and at most a year.")
    }
    for header in header where !header.contains(":") {
      throw ValidationError("'\(header)' is not a header; write it as 'NAME: VALUE'.")
    }
  }

  /// Sets the properties of a configuration.
  func apply(to config: inout ReplicatorConfiguration) throws {
    if let user { config.authenticator = BasicAuthenticator(username: user, password: try password()) }
    if let session { config.authenticator = SessionAuthenticator(sessionID: session) }
    if let clientCertificate, let clientKey {
      config.authenticator = ClientCertificateAuthenticator(
        identity: try TLSIdentity(certificateFile: clientCertificate, privateKeyFile: clientKey))
    }
    if !header.isEmpty {
      config.headers = Dictionary(
        header.map { text in
          let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }, uniquingKeysWith: { $1 })
    }
    if let certificate { config.pinnedServerCertificate = try CertificateFile.content(of: certificate) }
    config.acceptOnlySelfSignedServerCertificate = acceptSelfSigned
    if let maxAttempts { config.maxAttempts = maxAttempts }
    if let heartbeat { config.heartbeat = heartbeat }
  }

  private func password() throws -> String {
    if let passwordFile {
      let text = String(decoding: try SyncConnectionOptions.content(of: passwordFile), as: UTF8.self)
      return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
    guard let password = ProcessInfo.processInfo.environment["CONCORD_PASSWORD"] else {
      throw CommandFailure("the password is missing; give --password-file, or set CONCORD_PASSWORD")
    }
    return password
  }

  private static func content(of file: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: file) else { throw CommandFailure("\(file): cannot be read") }
    return data
  }
}
