import ArgumentParser
import Concordance
import Foundation

/// The options of commands that replicate several collections: `-c notes,shop.items` or `-c notes -c shop.items`.
extension GlobalOptions {
  /// Returns the full names of the collections to replicate; empty for all collections.
  ///
  /// - Throws: `ValidationError` if the option contains an empty name.
  func replicatedCollections() throws -> [String] {
    guard let collection else { return [] }
    var names: [String] = []
    for part in collection.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else {
        throw ValidationError("--collection takes names separated by commas, not \"\(collection)\".")
      }
      let parts = GlobalOptions.collectionName(name)
      let fullName = "\(parts.scope).\(parts.name)"
      if !names.contains(fullName) { names.append(fullName) }
    }
    return names
  }

  /// Returns the collections that the options name, else all collections.
  ///
  /// - Throws: ``CommandFailure`` if a collection does not exist.
  func collections(in database: Database, _ path: String) throws -> [Collection] {
    let all = try database.allCollections()
    let names = try replicatedCollections()
    guard !names.isEmpty else { return all }
    return try names.map { fullName in
      guard let collection = all.first(where: { $0.fullName == fullName }) else {
        let known = all.map(\.fullName).joined(separator: ", ")
        throw CommandFailure("\(path): there is no collection \(fullName); the collections are \(known)")
      }
      return collection
    }
  }
}

/// Repeated options `--collection` of `sync` and `listen`. The root command has the same option with one value, and
/// parses it first, so it would keep only the last.
enum RepeatedCollections {
  /// Returns the arguments with `-c 'a,b'` for `-c a -c b`, if the command is `sync` or `listen`.
  static func joined(_ arguments: [String]) -> [String] {
    guard let command = command(in: arguments), command == "sync" || command == "listen" else { return arguments }
    var others: [String] = []
    var names: [String] = []
    var rest = arguments[...]
    while let argument = rest.first, argument != "--" {
      rest.removeFirst()
      if argument == "-c" || argument == "--collection" {
        // A missing value is reported by the parser.
        guard let name = rest.popFirst() else { return arguments }
        names.append(name)
      } else if let option = ["--collection=", "-c="].first(where: argument.hasPrefix) {
        names.append(String(argument.dropFirst(option.count)))
      } else {
        others.append(argument)
      }
    }
    guard names.count > 1 else { return arguments }
    return others + ["--collection=" + names.joined(separator: ",")] + rest
  }

  /// Options of the root command with a value.
  static let optionsWithValue: Set<String> = [
    "-c", "--collection", "-d", "--database", "--color", "--generate-completion-script",
  ]

  /// Returns the name of the command, before which options of the root command can be given. For `help NAME`, this is
  /// NAME.
  static func command(in arguments: [String]) -> String? { commandIndex(in: arguments).map { arguments[$0] } }

  /// Returns the position of the name of the command; see ``command(in:)``.
  static func commandIndex(in arguments: [String]) -> Int? {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      // The value of `-qd` is the next argument, that of `-qdPATH` is not.
      let option = GrepArguments.splitShared(argument)?.last ?? argument
      if optionsWithValue.contains(option) {
        index += 1
      } else if !argument.hasPrefix("-"), argument != "help" {
        return index
      }
      index += 1
    }
    return nil
  }
}
