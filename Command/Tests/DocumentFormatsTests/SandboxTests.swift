import DocumentFormats
import Foundation
import Testing

/// The limits on system calls, in a process that attempts the forbidden calls.
struct SandboxTests {
  @Test func systemCallsOfTheWorkerAreLimited() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("x".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try output(file.path)
    if lines == ["limits: ENOSYS"] || lines == ["limits: EINVAL"] {
      print("skipped: this system has no filters for system calls")
      return
    }
    #expect(
      lines == [
        "open for reading: allowed", "open for writing: EPERM", "open for reading and writing: EPERM", "create: EPERM",
        "temporary file: EPERM", "unlink: EPERM", "rename: EPERM", "chmod: EPERM",
        "chmod with flags: EPERM", "message queue: EPERM", "terminal settings: ENOTTY", "terminal input: EPERM",
        "terminal selection: EPERM", "terminal line discipline: EPERM", "mkdir: EPERM", "socket: EPERM",
        "fork: EPERM", "clone3: ENOSYS", "kill: EPERM", "signal to another process: EPERM", "signal to itself: allowed",
        "thread: allowed", "execve: EPERM",
      ])
    #expect(try Data(contentsOf: file) == Data("x".utf8))
  }

  /// The end of the program that started a worker closes the connection.
  @Test(.timeLimit(.minutes(10))) func aBusyWorkerEndsWhenItsConnectionIsClosed() throws {
    let process = try SandboxTests.probe("--hangup")
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test func workersHaveNoControllingTerminal() throws {
    let file = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: file) }
    let worker = WorkerExtractor(
      executable: "/bin/sh", arguments: ["sh", "-c", "cut -d ' ' -f 6 /proc/$$/stat > '\(file)'"])
    _ = try Extracted([1], named: "a.rtf", extractor: worker)
    let session = Int32(
      try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(session != nil && session != getsid(0))
  }

  /// Creates the process of the program `SandboxProbe`, which is next to the test bundle.
  private static func probe(_ argument: String) throws -> Process {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent("SandboxProbe")
    process.arguments = [argument]
    return process
  }

  /// Returns the lines that the program prints.
  private func output(_ argument: String) throws -> [String] {
    let process = try SandboxTests.probe(argument)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
