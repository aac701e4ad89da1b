import Foundation

/// A temporary folder for one test, removed when the object is freed.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("concord-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and creates its parent folders.
  func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

  func write(_ name: String, _ data: Data) throws {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  /// Runs `concord` in the folder.
  func concord(
    _ arguments: String..., environment: [String: String] = [:], input: String? = nil
  ) throws -> CommandResult {
    try ConcordProcess.run(arguments, in: self, environment: environment, input: input)
  }

  /// Returns the ids that a search finds.
  func search(_ query: String, _ options: String...) throws -> [String] {
    let result = try ConcordProcess.run(
      ["search", "--exact", "--json", "-n", "1000"] + options + ["--", query], in: self)
    return try result.lines.map { try JSONText($0).string("id") ?? "" }
  }
}

/// The folder `Corpora` of the repository.
enum Corpora {
  static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Corpora").path
}
