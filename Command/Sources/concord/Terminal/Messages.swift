import Foundation
import Synchronization

/// Prints messages and progress to the standard error.
final class Messages {
  private let isQuiet: Bool
  /// Whether details are printed.
  let isVerbose: Bool
  private let style: Style
  /// Whether a progress line may be shown.
  let showsProgress: Bool
  /// Whether the standard error shows a progress line. A signal handler reads it.
  private static let hasStatus = Atomic(false)

  init(isQuiet: Bool, isVerbose: Bool, color: ColorMode) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    style = Style(isOn: color.isOn(for: STDERR_FILENO))
    showsProgress = !isQuiet && Terminal.canControl(STDERR_FILENO)
  }

  deinit { Messages.clearStatus() }

  /// Prints an error, even in quiet mode. Carets that mark an error position are printed in the error colour.
  func error(_ text: String) {
    let lines = TerminalText.message(text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let carets = line.drop { $0 == " " }
      guard !carets.isEmpty, carets.allSatisfy({ $0 == "^" }) else { return String(line) }
      return line.prefix { $0 == " " } + style.error(String(carets))
    }
    show(style.error("concord:") + " " + lines.joined(separator: "\n"))
  }

  /// Prints a warning about something unexpected that is not an error.
  func warning(_ text: String) {
    if !isQuiet { show("concord: " + TerminalText.message(text)) }
  }

  /// Prints a message about a completed action.
  func note(_ text: String) {
    if !isQuiet { show(TerminalText.message(text)) }
  }

  /// Prints a detail in verbose mode.
  func detail(_ text: @autoclosure () -> String) {
    if isVerbose, !isQuiet { show(TerminalText.message(text())) }
  }

  /// Replaces the progress line.
  func status(_ text: String) {
    guard showsProgress else { return }
    let columns = (Terminal.width(STDERR_FILENO) ?? 80) - 1
    // First, because a signal may end the process before the next statement.
    Messages.hasStatus.store(true, ordering: .relaxed)
    Messages.write("\r\(Messages.progressLine(text, columns: columns))\u{1B}[K")
  }

  /// Returns the beginning of a progress message that fits on one line. A carriage return cannot replace a line that
  /// the terminal has wrapped.
  static func progressLine(_ text: String, columns: Int) -> String {
    TerminalText.cut(TerminalText.escaped(text).text, columns: max(columns, 0)).text
  }

  /// Removes the progress line. Only async-signal-safe functions are called, because a signal handler calls it.
  static func clearStatus() {
    guard hasStatus.exchange(false, ordering: .relaxed) else { return }
    let clearing: StaticString = "\r\u{1B}[K"
    _ = Foundation.write(STDERR_FILENO, clearing.utf8Start, clearing.utf8CodeUnitCount)
  }

  private func show(_ text: String) {
    Messages.clearStatus()
    Messages.write(text + "\n")
  }

  /// Writes to the standard error immediately, so that lines of several processes are not interleaved. Ignores write
  /// errors.
  static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

@available(*, unavailable)
extension Messages: Sendable {}
