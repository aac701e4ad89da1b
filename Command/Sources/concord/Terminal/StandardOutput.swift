import Foundation

/// The standard output.
final class StandardOutput {
  private var buffer = OutputBuffer(to: STDOUT_FILENO)
  private var lastFlush = ContinuousClock.now
  /// Whether output to a closed pipe is discarded. If not, the process ends, because nobody reads the output.
  private let ignoresClosedPipe: Bool
  /// The exit status if the pipe is closed. A command that has reported an error sets it.
  var statusOfClosedPipe = ExitStatus.success
  /// Whether a terminal would execute the escape sequences in the output.
  private(set) lazy var isTerminal = Terminal.isTerminal(STDOUT_FILENO)

  /// - Parameter ignoresClosedPipe: true for a command whose exit status reports more than whether its output was
  ///   read, such as one that changes documents. It then ends with its own status.
  init(ignoresClosedPipe: Bool = false) { self.ignoresClosedPipe = ignoresClosedPipe }

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

  /// Writes JSON and a terminator. JSON permits unescaped control characters above U+001F, which a terminal may
  /// execute; for a terminal they are escaped, which does not change the meaning.
  func writeJSON(_ json: String, terminator: String = "\n") {
    write(isTerminal ? TerminalText.json(json) : json)
    write(terminator)
  }

  /// Writes the text of a document, and a line feed unless it ends with one. For a terminal, control characters are
  /// replaced.
  func writeDocument(_ text: String) {
    let shown = isTerminal ? TerminalText.sanitized(text.replacing("\r\n", with: "\n")) : text
    // Bytes are compared, because CR LF is one character.
    write(shown.utf8.last == UInt8(ascii: "\n") ? shown : shown + "\n")
  }

  /// Writes the buffer if the last write was at least 100 ms ago, so that slow results appear as they are found and a
  /// closed pipe is detected.
  func flushIfDue() {
    let now = ContinuousClock.now
    guard lastFlush.duration(to: now) >= .milliseconds(100) else { return }
    lastFlush = now
    flush()
  }

  /// Writes the buffer. Ends the process if the pipe is closed, unless that is ignored.
  func flush() {
    switch buffer.drain() {
    case nil: return
    case EPIPE: if !ignoresClosedPipe { exit(statusOfClosedPipe) }
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
