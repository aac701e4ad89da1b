@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// A configuration file of `concord index`: folders, rules, options and indexes. The handbook's page on indexing
/// describes it.
struct ConfigurationFile {
  /// The path, as displayed.
  let path: String
  /// The folder that relative paths in the file refer to; empty for the current folder.
  private let folder: String
  /// Whether the file may contain commands to run. Somebody else may have written a file in the current folder.
  private let mayRunCommands: Bool
  private let root: ConfigurationValue

  /// The name of the file.
  static let name = "concord.yaml"

  /// Finds the configuration file.
  ///
  /// - Parameter path: the path that the user typed; nil to look in the current folder and then in the folder of the
  ///   user's configuration.
  /// - Returns: nil if there is no file and the user typed no path.
  /// - Throws: ``CommandFailure`` if it cannot be read; `ConfigurationError` if it is malformed.
  static func find(_ path: String?) throws -> ConfigurationFile? {
    if let path, FilePath.absolute(path) != userFile.map(FilePath.absolute) {
      return try ConfigurationFile(path, folder: FilePathComponents(path).folder, mayRunCommands: true)
    }
    if path == nil, FilePath.exists(name) { return try ConfigurationFile(name, folder: "", mayRunCommands: false) }
    guard let file = userFile, path != nil || FilePath.exists(file) else { return nil }
    return try ConfigurationFile(
      file, folder: ProcessInfo.processInfo.environment["HOME"] ?? "", mayRunCommands: true)
  }

  /// The path of the user's configuration; nil if the environment does not determine it. Its paths refer to the home
  /// folder.
  private static var userFile: String? {
    let environment = ProcessInfo.processInfo.environment
    // A relative path is invalid, according to the XDG base directory specification.
    let base =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? (environment["HOME"] ?? "")
      + "/.config"
    return base.hasPrefix("/") ? "\(base)/concord/\(name)" : nil
  }

  private init(_ path: String, folder: String, mayRunCommands: Bool) throws {
    self.path = path
    self.folder = folder == "." ? "" : folder
    self.mayRunCommands = mayRunCommands
    root = try ConfigurationValue(yaml: try InputText.read(path), path: path)
  }

  /// Applies the file to a command; options of the command line take precedence.
  ///
  /// - Returns: the indexes that the file defines.
  /// - Throws: `ConfigurationError` with the line and key of an invalid value.
  func apply(to command: inout IndexCommand) throws -> [(name: String, configuration: any IndexConfiguration)] {
    var indexes: [(name: String, configuration: any IndexConfiguration)] = []
    // Among these, the last glob that matches decides, so those of the command line are added after those of the file.
    let typed = command.reading
    command.reading.exclude = []
    command.reading.records = []
    command.reading.pre = []
    for (key, value) in try root.members(["database", "collection", "folders", "rules", "options", "search", "indexes"])
    {
      switch key {
      case "database":
        if command.global.database == nil { command.global.database = try database(value) }
      case "collection": command.global.collection = try command.global.collection ?? value.text()
      case "folders": command.paths = try value.elements().map { expanded(try $0.text()) }
      case "rules": for rule in try value.elements() { try apply(rule: rule, to: &command.reading) }
      case "options": try apply(options: value, to: &command)
      case "search": try SearchSettings(file: self).apply(value, to: &command)
      default: indexes = try value.members().map { ($0.key, try IndexSettings.configuration($0.key, $0.value)) }
      }
    }
    command.reading.exclude += typed.exclude
    command.reading.records += typed.records
    command.reading.pre += typed.pre
    return indexes
  }

  /// Returns the path or the address of a database.
  private func database(_ value: ConfigurationValue) throws -> String {
    let text = try value.text()
    do { try DatabaseAddress.check(text) } catch let failure as CommandFailure { throw value.error(failure.message) }
    return Database.isURL(text) ? text : expanded(text)
  }

  /// Returns a path of the file as the command uses it: `~/` is the user's home folder, and other relative paths refer
  /// to the folder of the file.
  func expanded(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] {
      return home + path.dropFirst()
    }
    return path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }
}

extension ConfigurationFile {
  private func apply(rule: ConfigurationValue, to reading: inout ReadingOptions) throws {
    let members = try rule.members(["glob", "format", "language", "ignore"])
    guard let glob = members.first(where: { $0.key == "glob" })?.value else { throw rule.error("the rule has no glob") }
    let globs = try glob.elements().flatMap { value in
      let text = try value.text()
      do { return try GlobOption.expanded(text) } catch { throw value.error("\(error)") }
    }
    guard members.count > 1 else { throw rule.error("the rule has none of format, language and ignore") }
    for (key, value) in members {
      switch key {
      case "format":
        let name = try value.text()
        // The binary format of a document is determined only by its file name.
        guard let format = CorpusFormat(argument: name) else {
          let names = CorpusFormat.allValueStrings.joined(separator: ", ")
          throw value.error("there is no format \"\(name)\"; the formats are \(names)")
        }
        reading.formatRules.append(GlobRule(globs: globs, value: format))
      case "language":
        reading.languageRules.append(GlobRule(globs: globs, value: try value.language()))
      case "ignore":
        // The last glob that matches decides.
        reading.exclude += try value.boolean() ? globs : globs.map { "!" + $0 }
      default: break
      }
    }
  }

  private func apply(options: ConfigurationValue, to command: inout IndexCommand) throws {
    let names = [
      "hidden", "no-ignore", "max-filesize", "include", "exclude", "records", "optional-formats", "id-field", "replace",
      "pre", "memory",
    ]
    for (key, value) in try options.members(names) {
      switch key {
      case "hidden": if try value.boolean() { command.reading.hidden = true }
      case "no-ignore": if try value.boolean() { command.reading.noIgnore = true }
      case "replace": if try value.boolean() { command.replace = true }
      case "include": command.reading.include += try value.globs()
      case "exclude": command.reading.exclude += try value.globs()
      case "records": command.reading.records += try value.globs()
      case "optional-formats":
        let names = try value.elements().map { try $0.text() }.joined(separator: ",")
        guard let formats = OptionalFormats(argument: names) else {
          throw value.error("expected some of \(OptionalFormats.names)")
        }
        command.reading.optionalFormats = command.reading.optionalFormats ?? formats
      case "id-field": command.reading.idField = try command.reading.idField ?? value.text()
      case "max-filesize":
        guard let size = ByteSize(argument: try value.text()) else {
          throw value.error("expected a number of bytes, optionally followed by K, M or G")
        }
        command.reading.maximumFileSize = command.reading.maximumFileSize ?? size
      case "memory":
        guard let size = ByteSize(argument: try value.text()), IndexMemoryOption.isValid(size) else {
          throw value.error("expected \(IndexMemoryOption.valueHelp)")
        }
        command.memory.memory = command.memory.memory ?? size
      default:
        guard mayRunCommands else {
          throw value.error(
            "commands are only allowed in ~/.config/concord/\(ConfigurationFile.name), because somebody else may have written "
              + "this file; use the option --pre")
        }
        for element in try value.elements() {
          let text = try element.text()
          guard (try? Preprocessor(text)) != nil else {
            throw element.error("expected a glob, = and a command, such as '*.djvu=djvutxt'")
          }
          command.reading.pre.append(text)
        }
      }
    }
  }
}

extension ConfigurationValue {
  /// Returns a list of globs.
  fileprivate func globs() throws -> [String] {
    try elements().map { value in
      let text = try value.text()
      do { _ = try GlobOption.expanded(text) } catch { throw value.error("\(error)") }
      return text
    }
  }

  /// Returns the code of a language.
  func language() throws -> String {
    let name = try text()
    do { return try Analyzer(AnalyzerConfiguration(language: name)).configuration.language ?? name } catch {
      throw self.error("\(error)")
    }
  }
}
