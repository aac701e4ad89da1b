import ArgumentParser
import Foundation

/// When to colour output.
enum ColorMode: String, CaseIterable, ExpressibleByArgument {
  /// On a terminal that supports it, unless `NO_COLOR` is set (<https://no-color.org>).
  case auto
  case always
  case never

  /// Returns whether output to a file descriptor is coloured.
  func isOn(for descriptor: Int32) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard Terminal.canControl(descriptor) else { return false }
      return ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }
  }
}
