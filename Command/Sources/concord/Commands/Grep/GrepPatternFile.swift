import Foundation

/// Reads a file of patterns, one per line. The file may be a pipe or a device.
enum GrepPatternFile {
  static func read(_ path: String) throws -> [GrepPattern] {
    var bytes = Array(try InputText.data(path))
    if bytes.last == 0x0A { bytes.removeLast() } else if bytes.isEmpty { return [] }
    let name = InputText.displayName(path)
    return try bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().map { index, line in
      guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
        throw CommandFailure("\(name):\(index + 1): the pattern is not UTF-8")
      }
      return GrepPattern(text: text, file: name, line: index + 1)
    }
  }
}

/// A pattern and where it was written.
struct GrepPattern {
  let text: String
  /// The file, or nil if the pattern is an argument.
  var file: String?
  /// The number of the line in the file.
  var line = 1

  /// Returns a message about the pattern, preceded by its file and line.
  func located(_ message: String) -> String { file.map { "\($0):\(line): \(message)" } ?? message }
}
