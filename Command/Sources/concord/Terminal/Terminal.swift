import Foundation

/// Properties of the terminal that a file descriptor refers to.
enum Terminal {
  /// Returns whether the file is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns whether the file is a terminal that supports escape sequences.
  static func canControl(_ descriptor: Int32) -> Bool {
    // Checked first, because reading the environment takes longer.
    guard isTerminal(descriptor) else { return false }
    let kind = ProcessInfo.processInfo.environment["TERM", default: ""]
    return !kind.isEmpty && kind != "dumb"
  }

  /// Returns the width of the terminal in columns; nil if the file is not a terminal.
  static func width(_ descriptor: Int32) -> Int? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}
