import ArgumentParser
import Concordance
@_spi(Command) import ConcordanceNetwork
import Foundation
import Logging
import UnixSignals

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Let other programs and machines replicate a database.",
    discussion: """
      Prints the URL for `concord sync` and for Couchbase Lite 4 replicators, and runs until SIGINT or SIGTERM.

        $ concord listen notes.concord
        $ echo "ann:$(openssl passwd -6)" >> users
        $ concord listen notes.concord --address 0.0.0.0 \\
            --user-file users --tls-self-signed notes.pem

      Clients may access all collections, or those that --collection lists: `-c notes,shop.items`. Without --collection, \
      collections that are created later are offered to the next connection.

      Without a user file or client certificates, it listens only on loopback addresses. Other commands can use the database at the same time.
      """)

  @Argument(
    help: ArgumentHelp("The database file. (default: that of --database)", valueName: "file"),
    completion: .file(extensions: ["concord"]))
  var file: String?

  @Option(help: ArgumentHelp("The IP address or the network interface to listen on.", valueName: "address"))
  var address = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for any free port.", valueName: "number"))
  var port: UInt16 = 4984

  @Option(
    help: ArgumentHelp(
      "The users: lines NAME:HASH, with hashes as `openssl passwd -6` prints them.", valueName: "file"),
    completion: .file())
  var userFile: String?

  @Option(
    help: ArgumentHelp(
      "Require client certificates: those in this PEM file, or issued by one of them.", valueName: "file"),
    completion: .file())
  var clientCertificates: String?

  @Flag(
    help: """
      Listen on any address without users: everyone who can reach the address can read and change the database.
      """)
  var insecure = false

  @Flag(help: "Reject changes.")
  var readOnly = false

  @Option(help: ArgumentHelp("A certificate chain in PEM format, for TLS.", valueName: "file"), completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The private key of the certificate in PEM format.", valueName: "file"), completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      """
      Use TLS with the self-signed certificate in this file, for `concord sync --certificate`, and the key in FILE.key. \
      They are created if they do not exist.
      """, valueName: "file"),
    completion: .file())
  var tlsSelfSigned: String?

  @Option(help: ArgumentHelp("The maximum number of connections.", valueName: "number"))
  var maxConnections = 256

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    try CouchbaseLiteArgument.check(file ?? global.databasePath)
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key must be given together.")
    }
    guard tlsSelfSigned == nil || tlsCertificate == nil else {
      throw ValidationError("--tls-self-signed and --tls-certificate cannot be combined.")
    }
    guard clientCertificates == nil || tlsCertificate != nil || tlsSelfSigned != nil else {
      throw ValidationError("--client-certificates requires --tls-certificate or --tls-self-signed.")
    }
    guard clientCertificates == nil || userFile == nil else {
      throw ValidationError("--client-certificates and --user-file cannot be combined.")
    }
    guard maxConnections > 0 else {
      throw ValidationError("--max-connections takes 1 or more, not \(maxConnections).")
    }
  }

  func run() throws {
    let path = file ?? global.databasePath
    try DatabaseAddress.requireFile(path, for: "replication is")
    let messages = global.makeMessages()
    let users = try readUsers()
    guard users != nil || clientCertificates != nil || insecure || ListenCommand.isLoopback(address) else {
      throw CommandFailure(
        "other machines can reach \(address), so users are required: give --user-file or --client-certificates, "
          + "or --insecure to let everyone read and change the database")
    }
    let database = try global.openForWriting(path)
    var config = URLEndpointListenerConfiguration(collections: try global.collections(in: database, path))
    config.includesNewCollections = try global.replicatedCollections().isEmpty
    config.port = port
    config.networkInterface = address
    config.readOnly = readOnly
    config.authenticator = try clientCertificates.map(ListenCommand.authenticator) ?? users?.authenticator
    config.maximumConnectionCount = maxConnections
    config.logger.logLevel = global.verbose ? .info : .error
    config.tlsIdentity = try identity(config, messages)
    config.disableTLS = config.tlsIdentity == nil
    if users != nil, config.disableTLS, !ListenCommand.isLoopback(address) {
      messages.warning("without TLS, passwords and documents can be read by other machines on the network")
    }
    let listener = URLEndpointListener(config: config)
    try listener.start()
    let output = StandardOutput()
    for url in listener.urls ?? [] { output.writeLine(url.absoluteString) }
    output.flush()
    Task {
      for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { break }
      await listener.stopped()
      do {
        try await database.async.close()
        messages.note("the listener has stopped")
        Foundation.exit(ExitStatus.success)
      } catch {
        ErrorReport.exit(with: error)
      }
    }
    while true { pause() }
  }

  private func readUsers() throws -> PasswordFile? {
    guard let userFile else { return nil }
    let text = try InputText.read(
      userFile, createdWith: "echo \"NAME:$(openssl passwd -6)\" >> \(userFile)")
    do {
      return try PasswordFile(text: text)
    } catch let error as CBLError {
      throw CommandFailure("\(userFile): \(error.message)")
    }
  }

  private static func authenticator(_ file: String) throws -> any ListenerAuthenticator {
    ListenerCertificateAuthenticator(rootCerts: [try CertificateFile.content(of: file)])
  }

  private func identity(_ config: URLEndpointListenerConfiguration, _ messages: Messages) throws -> TLSIdentity? {
    if let tlsCertificate, let tlsKey {
      return try TLSIdentity(certificateFile: tlsCertificate, privateKeyFile: tlsKey)
    }
    guard let tlsSelfSigned else { return nil }
    let stored = try StoredIdentity(file: tlsSelfSigned, hosts: config.certificateHosts())
    if !stored.missingHosts.isEmpty {
      messages.warning(
        "\(tlsSelfSigned) is not valid for \(stored.missingHosts.joined(separator: ", ")); `concord sync --certificate` "
          + "accepts it nevertheless. To create a new one, delete \(tlsSelfSigned) and \(tlsSelfSigned).key")
    }
    return stored.identity
  }

  /// Returns whether only this machine can reach a host name, an IP address or a network interface.
  static func isLoopback(_ host: String) -> Bool {
    host == "::1" || host == "lo" || host == "localhost"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
