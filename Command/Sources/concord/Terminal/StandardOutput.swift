import Foundation

/// The standard output.
final class StandardOutput {
  private var buffer = OutputBuffer(to: STDOUT_FILENO)
  private var lastFlush = ContinuousClock.now

  deinit { flush() }

  /// Writes text as it is.
  func write(_ text: String) { write(bytes: text.utf8) }

  /// Writes bytes as they are.
  func write(bytes: some Collection<UInt8>) {
    buffer.append(bytes)
    if buffer.isFull { flush() }
  }

  /// Writes text and a line feed.
  func writeLine(_ text: String) {
    write(text)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Hands everything to the system when the last time was a moment ago. Results that take long are seen as they come, and
  /// a reader who has gone away is noticed.
  func flushIfDue() {
    let now = ContinuousClock.now
    guard lastFlush.duration(to: now) >= .milliseconds(100) else { return }
    lastFlush = now
    flush()
  }

  /// Hands everything to the system. A closed pipe ends the process: nobody is listening.
  func flush() {
    switch buffer.drain() {
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
