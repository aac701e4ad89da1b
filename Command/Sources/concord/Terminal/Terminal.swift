import Foundation

/// What is known of the terminal behind a file descriptor.
enum Terminal {
  /// Whether the file is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether the file is a terminal that understands escape sequences.
  static func canControl(_ descriptor: Int32) -> Bool {
    let kind = ProcessInfo.processInfo.environment["TERM", default: ""]
    return isTerminal(descriptor) && !kind.isEmpty && kind != "dumb"
  }

  /// The width of the terminal in columns; nil when the file is none.
  static func width(_ descriptor: Int32) -> Int? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }
}
