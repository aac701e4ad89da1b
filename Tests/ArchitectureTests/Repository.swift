import Foundation

/// The checkout that contains these tests.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folders with the sources of the packages: the library, the command and the server.
  static let sources = ["Sources", "Command/Sources", "Server/Sources"]

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The names in a folder, those that begin with a dot left out.
  static func entries(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The paths of all files below a folder with this ending.
  static func files(in folder: String, ending: String) -> [String] {
    let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    var found: [String] = []
    while let path = walk?.nextObject() as? String {
      if path.hasSuffix(ending), !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
        found.append("\(folder)/\(path)")
      }
    }
    return found.sorted()
  }
}

/// Swift source as lines of code, without comments and without the contents of string literals. It knows as much of the
/// language as a scan for words needs.
struct SourceLines {
  let path: String
  /// Each line of the file, with everything that is not code replaced by spaces.
  let code: [String]

  init(_ path: String) throws {
    self.path = path
    var lines: [String] = []
    var isInMultilineString = false
    for line in try Repository.text(path).components(separatedBy: "\n") {
      if line.contains("\"\"\"") {
        // A literal that opens and closes on one line leaves the state as it was.
        if line.components(separatedBy: "\"\"\"").count == 2 { isInMultilineString.toggle() }
        lines.append("")
      } else {
        lines.append(isInMultilineString ? "" : SourceLines.codeOnly(line))
      }
    }
    code = lines
  }

  private static func codeOnly(_ line: String) -> String {
    var result = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      if isInString {
        if character == "\"", previous != "\\" { isInString = false }
        previous = previous == "\\" && character == "\\" ? " " : character
        continue
      }
      if character == "/", previous == "/" {
        result.removeLast()
        break
      }
      if character == "\"" { isInString = true }
      result.append(character)
      previous = character
    }
    return result
  }
}
