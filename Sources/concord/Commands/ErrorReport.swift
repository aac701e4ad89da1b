import ArgumentParser
import Concordance
import CorpusReader
import Foundation

/// Turns whatever ended a command into a message and an exit status.
enum ErrorReport {
  static func exit(with error: any Error) -> Never {
    switch error {
    case let failure as CommandFailure: fail(failure.message, status: failure.status)
    case let status as ExitCode: Foundation.exit(status.rawValue)
    case let error as GlobError: fail(error.description, status: ExitStatus.error)
    case let error as CBLError: fail(error.message, status: ExitStatus.error)
    default: exit(withParserError: error)
    }
  }

  /// Help and versions are results; everything else of the parser's is a usage error. The parser would end with 64
  /// (`EX_USAGE`), which nobody who knows grep's statuses expects.
  private static func exit(withParserError error: any Error) -> Never {
    let message = Concord.fullMessage(for: error)
    guard Concord.exitCode(for: error) != .success else {
      let output = StandardOutput()
      output.write(message.hasSuffix("\n") ? message : message + "\n")
      output.flush()
      Foundation.exit(ExitStatus.success)
    }
    let prefix = "Error: "
    let text = (message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
      // A command that is a root of its own is not told by the parser with the program's name.
      .replacingOccurrences(of: "See 'grep --help'", with: "See 'concord grep --help'")
    // The first thing that people try in a search box, and no option.
    let isMinus = text.hasPrefix("Unknown option") && CommandLine.arguments.contains("search")
    let hint = "For words that must not be there, put -- before the query: concord search -- kernel -driver\n"
    fail(isMinus ? hint + text : negativeNumber(text) ?? text, status: ExitStatus.error)
  }

  /// The parser takes the number of `-n -1` for an option, and says that the value is missing.
  private static func negativeNumber(_ text: String) -> String? {
    guard text.hasPrefix("Missing value for "), let option = text.split(separator: "'").dropFirst().first else {
      return nil
    }
    let arguments = CommandLine.arguments
    let name = option.prefix { $0 != " " }
    guard let place = arguments.firstIndex(of: String(name)), place + 1 < arguments.count,
      let number = Double(arguments[place + 1]), number < 0
    else { return nil }
    let rest = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    return "\(name) takes no number below 0, and \(arguments[place + 1]) is one\n\(rest)"
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    Messages.write("concord: \(message)\n")
    Foundation.exit(status)
  }
}
