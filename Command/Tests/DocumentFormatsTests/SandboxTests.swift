import Foundation
import Testing

/// The limits on system calls, in a process that attempts the forbidden calls.
struct SandboxTests {
  @Test func systemCallsOfTheWorkerAreLimited() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("x".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try output(of: "SandboxProbe", file.path)
    if lines == ["limits: ENOSYS"] || lines == ["limits: EINVAL"] {
      print("skipped: this system has no filters for system calls")
      return
    }
    #expect(
      lines == [
        "open for reading: allowed", "open for writing: EPERM", "open for reading and writing: EPERM", "create: EPERM",
        "temporary file: EPERM", "unlink: EPERM", "rename: EPERM", "chmod: EPERM", "mkdir: EPERM", "socket: EPERM",
        "fork: EPERM", "clone3: ENOSYS", "kill: EPERM", "signal to another process: EPERM", "signal to itself: allowed",
        "thread: allowed", "execve: EPERM",
      ])
    #expect(try Data(contentsOf: file) == Data("x".utf8))
  }

  /// Runs a program next to the test bundle, and returns the lines of its output.
  private func output(of program: String, _ argument: String) throws -> [String] {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(program)
    process.arguments = [argument]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
