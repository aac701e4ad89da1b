import ArgumentParser
import Concordance
import ConcordanceServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve databases over HTTP, with a search page for browsers.",
    discussion: """
      Prints the URL of the page and serves until SIGINT or SIGTERM. Then requests in progress are completed, and the \
      databases are closed. /openapi.json describes the endpoints.

        $ concord serve travel.concord
        $ concord token create write --file tokens
        $ concord serve travel.concord notes.concord --address 0.0.0.0 \\
            --token-file tokens

      Without tokens, the server listens only on loopback addresses. Other commands can use the databases at the same \
      time. `concord sync` can replicate them: the URL of notes.concord is ws://localhost:7700/notes.
      """)

  @Argument(
    help: ArgumentHelp("The database files. (default: that of --database)", valueName: "file"),
    completion: .file(extensions: ["concord"]))
  var files: [String] = []

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "host"))
  var address = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for any free port.", valueName: "number"))
  var port = 7700

  @Option(
    help: ArgumentHelp("The permitted tokens, in a file that `concord token` writes.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Flag(
    help: """
      Listen on any address without tokens: everyone who can reach the address can read and change the databases.
      """)
  var insecure = false

  @Flag(help: "Reject changes.")
  var readOnly = false

  @Option(help: ArgumentHelp("A certificate chain in PEM format, for HTTPS.", valueName: "file"), completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The private key of the certificate in PEM format.", valueName: "file"), completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp("Append a line of JSON for each request; - is the standard output.", valueName: "file"),
    completion: .file())
  var accessLog: String?

  @OptionGroup
  var limits: ServeLimitOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key must be given together.")
    }
  }

  func run() throws {
    var options = try serverOptions()
    try DescriptorLimit.raise(connections: options.limits.maximumConnectionCount, databases: max(files.count, 1))
    let databases = try (files.isEmpty ? [global.databasePath] : files).map(open)
    var logger = Logger(label: "concord")
    logger.logLevel = global.verbose ? .info : .warning
    let server: ConcordanceServer
    do {
      options.accessLog = try accessLog.map { try AccessLog(path: $0, logger: logger) }
      server = try ConcordanceServer(databases: databases, options: options, logger: logger)
    } catch let error as ServerOptionsError {
      throw CommandFailure(ServeCommand.message(error, tokenFile: tokenFile))
    }
    let (run, messages) = (ServeRun(server: server, usesOutput: accessLog != "-"), global.makeMessages())
    Task { [logger] in
      do {
        try await run.untilSignal(logger)
        for database in databases { try await database.async.close() }
        messages.note("the server has stopped")
        Foundation.exit(ExitStatus.success)
      } catch let error as ServerOptionsError {
        ErrorReport.exit(with: CommandFailure(ServeCommand.message(error, tokenFile: nil)))
      } catch {
        ErrorReport.exit(with: error)
      }
    }
    while true { pause() }
  }

  private func serverOptions() throws -> ServerOptions {
    var options = ServerOptions()
    options.host = address
    options.port = port
    options.isInsecure = insecure
    options.isReadOnly = readOnly
    options.limits = limits.limits
    options.allowedOrigins = limits.corsOrigin
    if let tlsCertificate, let tlsKey { options.tls = TLSFiles(certificate: tlsCertificate, key: tlsKey) }
    if let tokenFile {
      let text = try InputText.read(tokenFile, createdWith: "concord token create read --file \(tokenFile)")
      do {
        options.tokens = try AccessTokens(text: text)
      } catch let error as ServerOptionsError {
        throw CommandFailure(ServeCommand.message(error, tokenFile: tokenFile))
      }
    }
    return options
  }

  private func open(_ path: String) throws -> Database {
    var config = DatabaseConfiguration()
    config.isReadOnly = readOnly
    config.createsDatabase = false
    try DatabaseAddress.check(path)
    if Database.isURL(path) { return try Database(url: path, config: config) }
    do {
      return try Database(path: path, config: config)
    } catch let error as CBLError where error.code == CBLError.notFound {
      throw CommandFailure("\(path): there is no such database; create one with `concord index` or `concord put`")
    }
  }

  /// Returns the message for an error in the options, with the names of the command's options.
  private static func message(_ error: ServerOptionsError, tokenFile: String?) -> String {
    let file = tokenFile ?? "the token file"
    return switch error.kind {
    case .unprotectedHost(let host):
      "other machines can reach \(host), so tokens are required: give --token-file, "
        + "or --insecure to let everyone read and change the databases"
    case .unprotectedOrigins:
      "--cors-origin '*' permits any web page to change the databases: also give --token-file, --read-only, "
        + "or --insecure to let them"
    case .invalidPort(let port): "--port takes 0 to 65535, not \(port)"
    case .invalidLimit(let name, let value): "\(ServeLimitOptions.option(name)) takes 1 or more, not \(value)"
    case .malformedTokenLine(let line): "\(file):\(line): not a line that `concord token create` writes"
    case .noTokens: "\(file): the file contains no tokens; add one with `concord token create read --file \(file)`"
    case .invalidOrigin(let origin):
      "--cors-origin takes a scheme and a host, such as https://example.org, not \(origin)"
    case .usedPort(let host, let port):
      "port \(port) of \(host) is in use by another program; choose another one with --port, or 0 for any free port"
    case .duplicateDatabase, .cannotListen, .unknownHost, .unreadableFile, .unwritableFile, .invalidCertificate,
      .invalidKey, .keyMismatch:
      error.description
    }
  }
}

/// A server that stops after SIGTERM or SIGINT.
private struct ServeRun: Service {
  let server: ConcordanceServer
  /// Whether the URL is printed on the standard output, and not with the messages.
  let usesOutput: Bool

  /// The time that requests in progress have to complete after the signal.
  private static let drainingTime: Duration = .seconds(10)

  func untilSignal(_ logger: Logger) async throws {
    var configuration = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = ServeRun.drainingTime
    try await ServiceGroup(configuration: configuration).run()
  }

  func run() async throws {
    try await server.run { url in
      guard usesOutput else { return Messages.write("\(url)\n") }
      let output = StandardOutput()
      output.writeLine(url)
      output.flush()
    }
  }
}
