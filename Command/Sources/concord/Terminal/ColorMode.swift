import ArgumentParser
import Foundation

/// When output is coloured.
enum ColorMode: String, CaseIterable, ExpressibleByArgument {
  /// On a terminal that can, unless `NO_COLOR` is set (<https://no-color.org>).
  case auto
  case always
  case never

  /// Whether output to a file is coloured.
  func isOn(for descriptor: Int32) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      guard environment["NO_COLOR", default: ""].isEmpty else { return false }
      return Terminal.canControl(descriptor)
    }
  }
}
