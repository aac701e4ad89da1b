import Foundation

/// Reads text from a file.
enum InputText {
  /// Returns the content of a file.
  ///
  /// - Parameter path: the file, which may be a pipe or a device; `-` is the standard input.
  /// - Throws: ``CommandFailure`` if it cannot be read, or is not UTF-8.
  static func read(_ path: String) throws -> String {
    let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    guard let file, let data = try? file.readToEnd() ?? Data() else {
      throw CommandFailure("\(path): cannot be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure("\(path == "-" ? "stdin" : path): not UTF-8")
    }
    return text
  }
}
