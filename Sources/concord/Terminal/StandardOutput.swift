import Foundation

/// The standard output, buffered: a line is not worth a system call.
final class StandardOutput {
  private let descriptor: Int32 = STDOUT_FILENO
  private var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  deinit { flush() }

  /// Writes text as it is.
  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= StandardOutput.capacity { flush() }
  }

  /// Writes text and a line feed.
  func writeLine(_ text: String) {
    write(text)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Hands everything to the system. A closed pipe ends the process: nobody is listening.
  func flush() {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    switch writeAll(buffer, to: descriptor) {
    case nil: return
    case EPIPE: exit(ExitStatus.success)
    case let code?:
      Messages.write("concord: the standard output cannot be written: \(String(cString: strerror(code)))\n")
      exit(ExitStatus.error)
    }
  }
}

@available(*, unavailable)
extension StandardOutput: Sendable {}

/// Writes all bytes.
///
/// - Returns: the system's number of what failed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var position = 0
  while position < bytes.count {
    let written = bytes.withUnsafeBytes { bytes in
      Foundation.write(descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position)
    }
    if written < 0 {
      if errno == EINTR { continue }
      return errno
    }
    position += written
  }
  return nil
}
