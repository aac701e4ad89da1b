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

  /// Runs `concord` and waits for its end.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    input: String? = nil,
    limit: Double = 120
  ) throws -> CommandResult {
    try run(path, arguments, in: folder, environment: environment, input: input, limit: limit)
  }

  /// Runs a line of shell in which `concord` is our command.
  static func shell(_ script: String, in folder: TemporaryFolder) throws -> CommandResult {
    let bin = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return try run("/bin/bash", ["-c", script], in: folder, environment: ["PATH": "\(bin):/usr/bin:/bin"])
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
    let process = prepare(executable, arguments, in: folder, environment: environment)
    let output = Pipe()
    let messages = Pipe()
    process.standardOutput = output
    process.standardError = messages
    if let input {
      try folder.write("stdin.tmp", input)
      process.standardInput = FileHandle(forReadingAtPath: folder.path + "/stdin.tmp")
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    // Both pipes are read while the process runs because it would block on a full pipe.
    let outputReader = PipeReader(output)
    let messageReader = PipeReader(messages)
    let isOver = waitForEnd(of: process, limit: limit)
    if !isOver {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    #expect(isOver, "concord \(arguments.joined(separator: " ")) took more than \(limit) s")
    return CommandResult(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: outputReader.text(), messages: messageReader.text())
  }

  private static func waitForEnd(of process: Process, limit: Double) -> Bool {
    let deadline = Date().addingTimeInterval(limit)
    while process.isRunning {
      if Date() > deadline { return false }
      usleep(2000)
    }
    return true
  }
}

/// Reads a pipe to its end on a separate thread.
///
/// `@unchecked Sendable`: `data` is written before `isAtEnd` is signalled and read after.
private final class PipeReader: @unchecked Sendable {
  private let isAtEnd = DispatchSemaphore(value: 0)
  private var data = Data()

  init(_ pipe: Pipe) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      self.data = handle.readDataToEndOfFile()
      self.isAtEnd.signal()
    }
  }

  func text() -> String {
    isAtEnd.wait()
    return String(decoding: data, as: UTF8.self)
  }
}
