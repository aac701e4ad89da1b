import Yams

/// A value of a configuration file, with its location for messages.
///
/// ```swift
/// let root = try ConfigurationValue(yaml: "folders: [notes]", path: "concord.yaml")
/// for (key, value) in try root.members(["folders"]) { … }
/// ```
public struct ConfigurationValue: Sendable {
  private enum Content: Sendable {
    case scalar(String)
    case list([ConfigurationValue])
    case mapping([(key: String, value: ConfigurationValue)])
    case null
  }

  private let content: Content
  /// The path of the file, as displayed.
  private let path: String
  /// The line, counted from 1.
  private let line: Int
  /// The keys and positions that lead to the value: `rules[2].format`; empty for the whole file.
  public let key: String

  /// The maximum size of a configuration file in bytes.
  public static let maximumSize = 256 << 10

  /// Parses a configuration file.
  ///
  /// - Parameters:
  ///   - yaml: its text, of at most ``maximumSize`` bytes.
  ///   - path: its path, for messages.
  /// - Throws: ``ConfigurationError`` for malformed YAML, a key that occurs twice, and aliases that expand to too many
  ///   values.
  public init(yaml: String, path: String) throws {
    guard yaml.utf8.count <= ConfigurationValue.maximumSize else {
      throw ConfigurationError(path: path, reason: "the file has more than \(ConfigurationValue.maximumSize) bytes")
    }
    let node: Node?
    do {
      try YAMLExpansion.check(yaml)
      node = try Yams.compose(yaml: yaml, .basic)
    } catch let fault as FrontMatter.Fault {
      throw ConfigurationError(path: path, reason: fault.reason.replacing("front matter: ", with: ""))
    } catch {
      throw ConfigurationError(error, path: path)
    }
    guard let node else {
      self.init(.mapping([]), path: path, line: 1, key: "")
      return
    }
    try self.init(node, path: path, line: 1, key: "", depth: 0)
  }

  private init(_ content: Content, path: String, line: Int, key: String) {
    (self.content, self.path, self.line, self.key) = (content, path, line, key)
  }

  private static let maximumDepth = 16

  private init(_ node: Node, path: String, line: Int, key: String, depth: Int) throws {
    let line = node.mark?.line ?? line
    guard depth < ConfigurationValue.maximumDepth else {
      throw ConfigurationError(
        path: path, line: line, key: key, reason: "nested more than \(ConfigurationValue.maximumDepth) levels deep")
    }
    func child(_ node: Node, _ key: String) throws -> ConfigurationValue {
      try ConfigurationValue(node, path: path, line: line, key: key, depth: depth + 1)
    }
    switch node {
    case .scalar(let scalar):
      let isNull = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
      self.init(isNull ? .null : .scalar(scalar.string), path: path, line: line, key: key)
    case .sequence(let nodes):
      let values = try nodes.enumerated().map { try child($1, "\(key)[\($0)]") }
      self.init(.list(values), path: path, line: line, key: key)
    case .mapping(let pairs):
      let members = try pairs.map { name, value in
        guard let text = name.scalar?.string else {
          throw ConfigurationError(
            path: path, line: name.mark?.line ?? line, key: key,
            reason: "a key is a list or a mapping instead of a string")
        }
        return (key: text, value: try child(value, key.isEmpty ? text : "\(key).\(text)"))
      }
      self.init(.mapping(members), path: path, line: line, key: key)
    case .alias:
      throw ConfigurationError(path: path, line: line, key: key, reason: "the alias has no anchor")
    }
  }
}

extension ConfigurationValue {
  /// Returns the members of a mapping, in order.
  ///
  /// - Parameter names: the keys that are allowed; nil for any.
  /// - Throws: ``ConfigurationError`` if the value is not a mapping or contains another key.
  public func members(_ names: [String]? = nil) throws -> [(key: String, value: ConfigurationValue)] {
    guard case .mapping(let members) = content else { throw error("expected keys and values") }
    if let names, let unknown = members.first(where: { !names.contains($0.key) }) {
      throw unknown.value.error("unknown key; the keys are \(names.joined(separator: ", "))")
    }
    return members
  }

  /// Returns the elements of a list. A single string counts as a list of one element.
  ///
  /// - Throws: ``ConfigurationError`` for a mapping or an empty value.
  public func elements() throws -> [ConfigurationValue] {
    switch content {
    case .list(let values): return values
    case .scalar: return [self]
    case .mapping, .null: throw error("expected a list")
    }
  }

  /// Returns the text.
  ///
  /// - Throws: ``ConfigurationError`` for a list, a mapping or an empty value.
  public func text() throws -> String {
    guard case .scalar(let text) = content, !text.isEmpty, !text.utf8.contains(0) else {
      throw error("expected a string")
    }
    return text
  }

  /// Returns a Boolean: `true` or `false`.
  ///
  /// - Throws: ``ConfigurationError`` for any other value.
  public func boolean() throws -> Bool {
    guard case .scalar(let text) = content, let value = Bool(text) else { throw error("expected true or false") }
    return value
  }

  /// Returns the error for this value.
  public func error(_ reason: String) -> ConfigurationError {
    ConfigurationError(path: path, line: line, key: key, reason: reason)
  }
}

/// An error in a configuration file.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as displayed.
  public let path: String
  /// The line, counted from 1; nil if the error concerns the whole file.
  public let line: Int?
  /// The key of the value, such as `rules[2].format`; empty if the error concerns the syntax.
  public let key: String
  public let reason: String

  /// Creates an error.
  public init(path: String, line: Int? = nil, key: String = "", reason: String) {
    (self.path, self.line, self.key, self.reason) = (path, line, key, reason)
  }

  init(_ error: any Error, path: String) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(path: path, line: mark.line, reason: problem)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        path: path, line: context.mark.line, reason: "keys occur twice: \(keys.sorted().joined(separator: ", "))")
    case .reader(let problem, _, _, _): self.init(path: path, reason: problem)
    default: self.init(path: path, reason: "not YAML")
    }
  }

  /// `concord.yaml:7: rules[2].format: …`
  public var description: String {
    [path + (line.map { ":\($0)" } ?? ""), key, reason].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
