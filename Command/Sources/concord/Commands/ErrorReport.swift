import ArgumentParser
@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// Converts the error that ended a command into a message and an exit status.
enum ErrorReport {
  /// - Parameter command: the command that ran; nil for an error of the parser, which names the command.
  static func exit(with error: any Error, of command: (any ParsableCommand.Type)? = nil) -> Never {
    if let error = error as? ValidationError, let command {
      // The parser would print the usage of the root command.
      let (usage, path) = (Concord.usageString(for: command), commandPath(of: command))
      fail(
        "\(lowercased(error.message))\nUsage: \(usage)\n  See '\(path) --help' for more information.",
        status: ExitStatus.error)
    }
    switch error {
    case let failure as CommandFailure: fail(failure.message, status: failure.status)
    case let status as ExitCode: Foundation.exit(status.rawValue)
    case let error as ConfigurationError: fail(error.description, status: ExitStatus.error)
    case let error as GlobError: fail(error.description, status: ExitStatus.error)
    case let error as CBLError: fail(error.advice, status: ExitStatus.error)
    default: exit(withParserError: error)
    }
  }

  /// Prints the help or the version that was requested; every other parser error is a usage error. The parser would
  /// exit with 64 (`EX_USAGE`), but the exit statuses are those of grep.
  private static func exit(withParserError error: any Error) -> Never {
    let message = Concord.fullMessage(for: error)
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard Concord.exitCode(for: error) != .success else {
      if let word = UnknownOption.wordTakenForHelp(in: arguments) {
        let command = arguments.contains("search") ? "concord search" : "concord"
        let text = "Unknown option '\(word)'\n  See '\(command) --help' for more information."
        fail(lowercased(minusHint(text, arguments) ?? text), status: ExitStatus.error)
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
      // For a separate root command the parser does not print the program's name.
      .replacingOccurrences(of: "See 'grep --help'", with: "See 'concord grep --help'")
    fail(
      lowercased(
        minusHint(text, arguments) ?? optionHint(text) ?? unknownCommand(text, arguments) ?? negativeNumber(text)
          ?? ownReason(text) ?? text),
      status: ExitStatus.error)
  }

  /// Returns the command line of a command without options: `concord view query`.
  private static func commandPath(of command: any ParsableCommand.Type) -> String {
    let usage = Concord.usageString(for: command)
    let words = usage.split(separator: " ").prefix { $0.allSatisfy { $0.isLetter || $0 == "-" } && !$0.hasPrefix("-") }
    return words.joined(separator: " ")
  }

  /// Returns the text with its first letter in lower case, as in all messages; texts that begin with a name in capital
  /// letters or with an option are not changed.
  private static func lowercased(_ text: String) -> String {
    guard let first = text.first, first.isUppercase, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }

  /// Returns the message of the value's type if it is a complete sentence that names the option; the parser would
  /// prepend a sentence of its own.
  private static func ownReason(_ text: String) -> String? {
    guard
      let match = text.prefixMatch(
        of: /The value '.*' is invalid for '(?<option>--[a-z-]+)[^']*': (?<reason>--.*)/.dotMatchesNewlines()),
      match.reason.hasPrefix(match.option + " ")
    else { return nil }
    return String(match.reason)
  }

  /// Returns a message for a word with a leading minus, which users of search boxes type to exclude the word. A single
  /// letter and anything that begins with two dashes are meant as options.
  private static func minusHint(_ text: String, _ arguments: [String]) -> String? {
    guard text.hasPrefix("Unknown option"), arguments.contains("search"), let word = quotedName(in: text),
      !word.hasPrefix("--"), word.count > 2
    else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.insert("  To exclude words, put -- before the query, for example: concord search -- harbour \(word)", at: 1)
    return lines.joined(separator: "\n")
  }

  private static func optionHint(_ text: String) -> String? {
    guard text.hasPrefix("Unknown option"), let option = quotedName(in: text),
      let suggestion = UnknownOption.suggestion(for: option)
    else { return nil }
    let rest = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let first = "Unknown option '\(option)'. Did you mean '\(suggestion)'?"
    return ([first] + rest.map(String.init)).joined(separator: "\n")
  }

  /// Returns a message for a misspelt command, which the parser reports as an unexpected argument.
  private static func unknownCommand(_ text: String, _ arguments: [String]) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.contains("nexpected argument"),
      let name = quotedName(in: text).map(String.init)
    else { return nil }
    let message =
      arguments.prefix(while: { !commandNames.contains($0) }).contains(name)
      ? noCommand(name) : noSubcommand(name, arguments)
    return message.map { ([$0] + lines.dropFirst().map(String.init)).joined(separator: "\n") }
  }

  /// Returns a message for a misspelt subcommand, as in `concord view lsit`; nil if the command has no subcommands or
  /// the name does not follow it.
  private static func noSubcommand(_ name: String, _ arguments: [String]) -> String? {
    guard let position = arguments.firstIndex(where: { commandNames.contains($0) }), position + 1 < arguments.count,
      arguments[position + 1] == name,
      let command = Concord.configuration.subcommands.first(where: {
        $0.configuration.commandName == arguments[position]
      })
    else { return nil }
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let last = names.last else { return nil }
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + last : last
    return "there is no command \"\(arguments[position]) \(name)\"; use \(list)"
  }

  /// Returns the topic of `concord help` if no command has this name; the parser would print the help of the root
  /// command.
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

  /// Returns a message for a negative number, as in `-n -1`: the parser treats it as an option and reports a missing
  /// value.
  private static func negativeNumber(_ text: String) -> String? {
    guard text.hasPrefix("Missing value for "), let option = quotedName(in: text) else { return nil }
    let arguments = CommandLine.arguments
    let name = option.prefix { $0 != " " }
    guard let index = arguments.firstIndex(of: String(name)), index + 1 < arguments.count,
      let number = Double(arguments[index + 1]), number < 0
    else { return nil }
    let rest = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    return "\(name) takes 0 or more, not \(arguments[index + 1])\n\(rest)"
  }

  /// Returns the first quoted text of the parser's message.
  private static func quotedName(in text: String) -> Substring? {
    text.split(separator: "'").dropFirst().first
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    Messages.write("concord: \(TerminalText.message(message))\n")
    Foundation.exit(status)
  }
}
