import Foundation
import Testing

@testable import CorpusReader

/// Compares with `git check-ignore` on random patterns and paths.
@Suite struct GitDifferentialTests {
  static let git = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: git != nil, "git is not installed"), arguments: 0..<4)
  func agreesWithGit(seed: Int) throws {
    let git = try #require(GitDifferentialTests.git)
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    _ = try run(git, ["init", "-q", "."], in: folder.path)
    for _ in 0..<25 {
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in pattern(&random) }
      let text = lines.joined(separator: "\n") + "\n"
      let paths = Set((0..<60).map { _ in path(&random) }).sorted()
      try folder.write(".gitignore", text)
      // --no-index makes git ignore which files are tracked. The paths need not exist: all components except the last
      // count as directories. (A trailing slash would also mark a directory, but git matches it against the pattern.)
      let output = try run(
        git, ["-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin", "-z"], in: folder.path,
        input: paths.joined(separator: "\0") + "\0")
      let ignored = Set(output.split(separator: "\0").map(String.init))
      for path in paths {
        #expect(isIgnored(path, by: text) == ignored.contains(path), "\(lines) \(path)")
      }
    }
  }

  private func pattern(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "b", "ab", "c", "*", "**", "?", "/", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "[a-c]", "\\a",
      "\\*", ".",
      "[[:alpha:]]", " ", "]", "-", "[]a]",
    ]
    let count = Int.random(in: 1...5, using: &random)
    let body = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
    return (Int.random(in: 0..<5, using: &random) == 0 ? "!" : "") + body
  }

  private func path(_ random: inout SeededGenerator) -> String {
    let names = ["a", "b", "ab", "abc", "c", "ba", "a.b", "*", "-", "]"]
    let count = Int.random(in: 1...4, using: &random)
    let parts = (0..<count).map { _ in names[Int.random(in: 0..<names.count, using: &random)] }
    return parts.joined(separator: "/")
  }

  private func run(_ tool: String, _ arguments: [String], in folder: String, input: String = "") throws
    -> String
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    // The user's settings must not matter.
    process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"]
    let stdin = Pipe()
    let stdout = Pipe()
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    // The input is smaller than the pipe buffer, so that writing it first cannot block.
    stdin.fileHandleForWriting.write(Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
