import Foundation

/// Reads text from a file.
enum InputText {
  /// Returns the content of a file.
  ///
  /// - Parameter path: the file, which may be a pipe or a device; `-` is the standard input.
  /// - Throws: ``CommandFailure`` if it cannot be read, or is not UTF-8.
  static func read(_ path: String) throws -> String {
    guard let text = String(validating: try data(path), as: UTF8.self) else {
      throw CommandFailure("\(displayName(path)): not UTF-8")
    }
    return text
  }

  /// Returns the content of a file that the user creates with another command.
  ///
  /// - Throws: ``CommandFailure`` with this command if there is no such file; see ``read(_:)``.
  static func read(_ path: String, createdWith command: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure("\(path): there is no such file; create it with `\(command)`")
    }
    return try read(path)
  }

  /// Returns the name of a file in messages.
  static func displayName(_ path: String) -> String { path == "-" ? "stdin" : path }

  /// Returns the bytes of a file.
  ///
  /// - Parameter path: the file, which may be a pipe or a device; `-` is the standard input.
  /// - Throws: ``CommandFailure`` with the system's reason if it cannot be read.
  static func data(_ path: String) throws -> Data {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { if path != "-" { close(descriptor) } }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count == 0 { return data }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw CommandFailure("\(displayName(path)): \(String(cString: strerror(errno)))")
      }
      data.append(contentsOf: chunk.prefix(count))
    }
  }
}
