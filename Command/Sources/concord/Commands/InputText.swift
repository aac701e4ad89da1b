import Foundation

/// Text that a command is given in a file.
enum InputText {
  /// Everything in a file.
  ///
  /// - Parameter path: the file, which may be a pipe or a device as well; `-` is the standard input.
  /// - Throws: ``CommandFailure`` when it cannot be read, or is not UTF-8.
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
