import Foundation

/// The standard output.
final class StandardOutput {
  private var buffer = OutputBuffer(to: STDOUT_FILENO)
  private var lastFlush = ContinuousClock.now

  deinit { flush() }

  func write(_ text: String) { write(bytes: text.utf8) }

  func write(bytes: some Collection<UInt8>) {
    buffer.append(bytes)
    if buffer.isFull { flush() }
  }

  /// Writes text and a line feed.
  func writeLine(_ text: String) {
    write(text)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes the buffer if the last write was at least 100 ms ago, so that slow results appear as they are found and a
  /// closed pipe is detected.
  func flushIfDue() {
    let now = ContinuousClock.now
    guard lastFlush.duration(to: now) >= .milliseconds(100) else { return }
    lastFlush = now
    flush()
  }

  /// Writes the buffer. Ends the process if the pipe is closed, because nobody reads the output.
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
/// - Returns: the errno value of a failure; nil for success.
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
