import Foundation

/// A PostgreSQL server in a temporary folder, which all tests of a process share and which ends with the process.
///
/// Each test uses its own database of the server. Tests are skipped where Debian's package `postgresql` is not
/// installed.
public final class TemporaryCluster: Sendable {
  /// The folder of the server's socket.
  let folder: String
  /// Settings of the server, besides those that all have.
  private let settings: [String]
  private static let port = 5432
  private static let databaseCount = Counter()

  /// Whether the programs of PostgreSQL are installed.
  public static let isInstalled: Bool = {
    if programs != nil { return true }
    FileHandle.standardError.write(
      Data("PostgreSQL is not installed, so its tests are skipped; install the package postgresql\n".utf8))
    return false
  }()

  private static let shared = Result { try TemporaryCluster() }
  /// The servers after the first, for databases on several.
  private static let others = Result { try (0..<2).map { _ in try TemporaryCluster() } }

  /// The folder of initdb and pg_ctl of the latest installed version.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap { Int($0) }.sorted().reversed().map { "\(root)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// Creates an empty database and returns its URL.
  public static func makeDatabase() throws -> String {
    try shared.get().makeDatabase()
  }

  /// Deletes a database that ``makeDatabase()`` has created, also if it is in use.
  public static func dropDatabase(_ url: String) throws {
    guard let name = URLComponents(string: url)?.path.dropFirst() else { return }
    let cluster = try shared.get()
    try cluster.run(
      "psql",
      ["-q", "-h", cluster.folder, "-U", "tester", "-c", "DROP DATABASE IF EXISTS \(name) WITH (FORCE)", "postgres"])
  }

  /// Deletes the tables of Concordance in a database.
  public static func dropTables(_ url: String) throws {
    try shared.get().run("psql", ["-q", "-d", url, "-c", "DROP SCHEMA concordance CASCADE"])
  }

  /// Creates an empty database on each of up to three servers and returns their URLs.
  public static func makeDatabases(_ count: Int) throws -> [String] {
    let first = try makeDatabase()
    return count == 1 ? [first] : try [first] + others.get().prefix(count - 1).map { try $0.makeDatabase() }
  }

  /// Creates an empty database and returns its URL.
  public func makeDatabase() throws -> String {
    let name = "test\(TemporaryCluster.databaseCount.next())"
    try run("psql", ["-q", "-h", folder, "-U", "tester", "-c", "CREATE DATABASE \(name)", "postgres"])
    return url(database: name)
  }

  /// Starts and stops another server, for tests that stop it.
  ///
  /// - Parameter settings: settings of the server, such as `log_statement=all`; `FOLDER` stands for its folder.
  public init(settings: [String] = []) throws {
    self.settings = settings
    guard let programs = TemporaryCluster.programs else { throw ClusterError(message: "PostgreSQL is not installed") }
    // The path of a socket has at most 107 bytes.
    folder = "/tmp/concordance-pg-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if getuid() == 0, let owner = getpwnam("postgres") {
      guard chown(folder, owner.pointee.pw_uid, owner.pointee.pw_gid) == 0 else {
        throw ClusterError(message: "\(folder): cannot be given to the user postgres")
      }
    }
    try run(
      programs + "/initdb",
      ["-D", folder + "/data", "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"])
    try start()
    try Self.stopAtExit(programs, folder)
  }

  /// Starts the server. After ``stopImmediately()``, it does not start as long as a process of the old one uses its
  /// shared memory, so this is repeated.
  public func start() throws {
    let end = ContinuousClock.now + .seconds(20)
    while true {
      do { return try startOnce() } catch {
        guard ContinuousClock.now < end else {
          let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
          throw ClusterError(message: "\(error)\n\(log.suffix(2000))")
        }
      }
    }
  }

  private func startOnce() throws {
    guard let programs = TemporaryCluster.programs else { return }
    try run(
      programs + "/pg_ctl",
      [
        "-D", folder + "/data", "-w", "-s", "-l", folder + "/log", "-o",
        "-k \(folder) -c listen_addresses='' -p \(TemporaryCluster.port) -c fsync=off -c max_prepared_transactions=50"
          // Many tests run at the same time.
          + " -c max_connections=500"
          + settings.map { " -c \($0.replacing("FOLDER", with: folder))" }.joined(),
        "start",
      ])
  }

  /// Stops the server as if its machine had failed.
  public func stopImmediately() throws {
    guard let programs = TemporaryCluster.programs else { return }
    try run(programs + "/pg_ctl", ["-D", folder + "/data", "-w", "-s", "-m", "immediate", "stop"])
  }

  /// Returns the URL of a database.
  public func url(database: String = "postgres") -> String {
    "postgresql:///\(database)?host=\(folder)&port=\(TemporaryCluster.port)&user=tester"
  }

  /// Runs a program as a user that PostgreSQL accepts: it refuses root.
  func run(_ program: String, _ arguments: [String]) throws {
    let errors = folder + "-errors\(TemporaryCluster.databaseCount.next())"
    defer { try? FileManager.default.removeItem(atPath: errors) }
    let process = try TemporaryCluster.spawn(TemporaryCluster.asUser + [program] + arguments, errors: errors)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw ClusterError(message: "\(program) failed with \(status): \(text)")
    }
  }

  private static let asUser =
    getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []

  /// Starts a program. `Process` would wait until the server ends, because the server inherits its socket.
  private static func spawn(_ command: [String], errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // The other descriptors are not inherited. A server that kept a connection of this process open would prevent its
    // other end from seeing that it was closed.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap { Int32($0) } ?? []
    // Other threads may open some meanwhile. Closing one that is not open has no effect.
    for descriptor in 3..<(open.max() ?? 0) + 256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    let words = (["/usr/bin/env", "-C", "/tmp"] + command).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/usr/bin/env", &actions, nil, words, environ)
    guard code == 0 else { throw ClusterError(message: "\(command[0]): \(String(cString: strerror(code)))") }
    return process
  }

  /// A shell waits for the end of this process, also if it is killed, and stops the server.
  private static func stopAtExit(_ programs: String, _ folder: String) throws {
    let script =
      "while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done; "
      + "\(asUser.joined(separator: " ")) \(programs)/pg_ctl -D \(folder)/data -s -m immediate stop; rm -rf \(folder)"
    // Ctrl-C ends all processes of this process group.
    _ = try spawn(["setsid", "sh", "-c", script], errors: "/dev/null")
  }
}

private struct ClusterError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  // Accessed under `lock`.
  private var value = 0

  func next() -> Int {
    lock.withLock {
      value += 1
      return value
    }
  }
}
