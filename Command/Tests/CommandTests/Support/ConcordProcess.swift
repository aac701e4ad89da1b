import Foundation
import Testing

/// The result of running the command.
struct CommandResult {
  let status: Int32
  /// Whether a signal ended the process.
  let wasKilled: Bool
  let output: String
  let messages: String

  /// The lines of the standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the `concord` executable next to the test bundle.
enum ConcordProcess {
  static let path: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("concord").path
  }()

  /// The environment of every run, without the developer's own settings.
  static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]

  /// Runs `concord` and waits until it exits.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    input: String? = nil,
    limit: Double = 120
  ) throws -> CommandResult {
    try run(path, arguments, in: folder, environment: environment, input: input, limit: limit)
  }

  /// Runs a shell script in which `concord` is the built executable.
  static func shell(_ script: String, in folder: TemporaryFolder) throws -> CommandResult {
    let bin = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return try run("/bin/bash", ["-c", script], in: folder, environment: ["PATH": "\(bin):/usr/bin:/bin"])
  }

  /// Serves `notes.concord`, runs a script with the server's URL in the file `url` and its process in `$server`, and
  /// stops the server with SIGTERM.
  static func serving(_ options: String, _ script: String, in folder: TemporaryFolder) throws -> CommandResult {
    try shell(
      """
      concord serve notes.concord --port 0 \(options) > url 2> messages & server=$!
      until [ -s url ]; do kill -0 $server || exit 1; sleep 0.05; done
      \(script)
      kill -TERM $server; wait $server; echo "status $?"; cat messages
      """, in: folder)
  }

  /// Starts `concord` without waiting, and discards its output.
  static func start(_ arguments: [String], in folder: TemporaryFolder) throws -> Process {
    let process = prepare(path, arguments, in: folder, environment: [:])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  static func prepare(
    _ executable: String, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = ConcordProcess.environment.merging(environment) { _, own in own }
    return process
  }

  private static func run(
    _ executable: String, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String],
    input: String? = nil, limit: Double = 120
  ) throws -> CommandResult {
    let input = try input.map { try UnnamedFile(containing: $0) }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    let (output, messages) = (try UnnamedFile(), try UnnamedFile())
    let process = try ChildProcess(
      executable, arguments, environment: ConcordProcess.environment.merging(environment) { _, own in own },
      streams: [input?.descriptor ?? nothing, output.descriptor, messages.descriptor], in: folder.path)
    let (status, isInTime) = try process.wait(limit: limit)
    #expect(isInTime, "concord \(arguments.joined(separator: " ")) took more than \(limit) s")
    let signal = status & 0x7F
    return CommandResult(
      status: signal == 0 ? (status >> 8) & 0xFF : signal, wasKilled: signal != 0, output: try output.text(),
      messages: try messages.text())
  }
}
