import Foundation

/// Reads a file of patterns, one per line. The file may be a pipe or a device.
enum GrepPatternFile {
  static func read(_ path: String) throws -> [String] {
    var bytes = Array(try InputText.data(path))
    if bytes.last == 0x0A { bytes.removeLast() } else if bytes.isEmpty { return [] }
    return try bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
        throw CommandFailure("\(path): the file of patterns is not UTF-8 text")
      }
      return text
    }
  }
}
