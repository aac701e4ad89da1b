import Foundation

/// Runs the `rg` of this machine, if it is installed.
enum Ripgrep {
  static let path: String? = ["/usr/bin/rg", "/usr/local/bin/rg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs `rg` in a folder, with files in path order.
  ///
  /// Removes times, and the `./` at the beginning of paths.
  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> (output: String, status: Int32) {
    let process = ConcordProcess.prepare(
      path ?? "", ["--no-config", "--no-ignore", "--sort", "path"] + arguments, in: folder, environment: [:])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (withoutTimes(String(decoding: data, as: UTF8.self)), process.terminationStatus)
  }

  /// Returns the output without times, which differ between runs.
  static func withoutTimes(_ text: String) -> String {
    text.replacing(/"elapsed(_total)?":\{[^}]*\}/, with: "").replacing(/[0-9.]+ seconds/, with: "")
  }
}
