import ArgumentParser
import Foundation

/// When to colour output.
enum ColorMode: String, CaseIterable, ExpressibleByArgument {
  /// On a terminal that supports it, unless `NO_COLOR` is set (<https://no-color.org>).
  case auto
  case always
  case never

  /// ripgrep also calls `always` `ansi`.
  init?(argument: String) { self.init(rawValue: argument == "ansi" ? "always" : argument) }

  /// Returns whether output to a file descriptor is coloured.
  ///
  /// - Parameter isPretty: whether the output is to look as on a terminal.
  func isOn(for descriptor: Int32, isPretty: Bool = false) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard isPretty || Terminal.canControl(descriptor) else { return false }
      return ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }
  }
}
