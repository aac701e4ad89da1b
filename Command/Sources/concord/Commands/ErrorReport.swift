import ArgumentParser
@_spi(Command) import Concordance
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
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard Concord.exitCode(for: error) != .success else {
      if let word = UnknownOption.wordTakenForHelp(in: arguments) {
        let command = arguments.contains("search") ? "concord search" : "concord"
        let text = "Unknown option '\(word)'\n  See '\(command) --help' for more information."
        fail(minusHint(text, arguments) ?? text, status: ExitStatus.error)
      }
      if let name = unknownHelpTopic(arguments) {
        fail("\(noCommand(name))\n  See 'concord --help' for all commands.", status: ExitStatus.error)
      }
      let output = StandardOutput()
      output.write(message.hasSuffix("\n") ? message : message + "\n")
      output.flush()
      Foundation.exit(ExitStatus.success)
    }
    let prefix = "Error: "
    let text = (message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
      // A command that is a root of its own is not told by the parser with the program's name.
      .replacingOccurrences(of: "See 'grep --help'", with: "See 'concord grep --help'")
    fail(
      minusHint(text, arguments) ?? unknownCommand(text, arguments) ?? negativeNumber(text) ?? text,
      status: ExitStatus.error)
  }

  /// A word with a minus is the first thing that people try in a search box, and no option. A letter alone and what begins
  /// with two were meant for options.
  private static func minusHint(_ text: String, _ arguments: [String]) -> String? {
    guard text.hasPrefix("Unknown option"), arguments.contains("search"), let word = quotedName(in: text),
      !word.hasPrefix("--"), word.count > 2
    else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.insert("  For words that must not be there, put -- before the query: concord search -- kernel -driver", at: 1)
    return lines.joined(separator: "\n")
  }

  /// The parser takes a misspelt command for an argument too many.
  private static func unknownCommand(_ text: String, _ arguments: [String]) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.contains("nexpected argument"),
      let name = quotedName(in: text).map(String.init),
      arguments.prefix(while: { !commandNames.contains($0) }).contains(name)
    else { return nil }
    return ([noCommand(name)] + lines.dropFirst().map(String.init)).joined(separator: "\n")
  }

  /// The command that `concord help` is asked about, if there is none of this name: the parser prints the help of the root.
  private static func unknownHelpTopic(_ arguments: [String]) -> String? {
    guard let first = arguments.firstIndex(where: { commandNames.contains($0) }), arguments[first] == "help",
      let name = arguments[(first + 1)...].first(where: { !$0.hasPrefix("-") }), !commandNames.contains(name)
    else { return nil }
    return name
  }

  private static var commandNames: [String] {
    Concord.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  private static func noCommand(_ name: String) -> String {
    let hint = NameSuggestion.closest(to: name, among: commandNames).map { "; did you mean \($0)?" } ?? ""
    return "there is no command \"\(name)\"\(hint)"
  }

  /// The parser takes the number of `-n -1` for an option, and says that the value is missing.
  private static func negativeNumber(_ text: String) -> String? {
    guard text.hasPrefix("Missing value for "), let option = quotedName(in: text) else { return nil }
    let arguments = CommandLine.arguments
    let name = option.prefix { $0 != " " }
    guard let place = arguments.firstIndex(of: String(name)), place + 1 < arguments.count,
      let number = Double(arguments[place + 1]), number < 0
    else { return nil }
    let rest = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    return "\(name) takes no number below 0, and \(arguments[place + 1]) is one\n\(rest)"
  }

  /// What the parser's message has in its first quotation marks.
  private static func quotedName(in text: String) -> Substring? {
    text.split(separator: "'").dropFirst().first
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    Messages.write("concord: \(TerminalText.message(message))\n")
    Foundation.exit(status)
  }
}
