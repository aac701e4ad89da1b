/// A path into a document: `name`, `geo.alt`, `reviews[0].author`, `` `odd.key`[-1] ``.
///
/// Keys are separated by dots. Array positions are written in brackets; negative ones count from the end. A key that
/// contains a dot, a bracket or a backtick is quoted with backticks, and backticks inside it are doubled. `[]` selects
/// every element of an array: `reviews[].author`. This is the path syntax of SQL++ and of Couchbase Lite's property
/// names and array indexes.
///
/// ```swift
/// let path = try PropertyPath("geo.alt")
/// path.element(in: root)?.double
/// ```
public struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
  /// A path component, which selects values inside another value.
  public enum Component: Hashable, Sendable {
    /// The member of an object.
    case key(String)
    /// The element of an array; a negative position counts from the end.
    case position(Int)
    /// Every element of an array.
    case each
  }

  /// The components, outermost first.
  public var components: [Component]

  /// Creates a path from its components.
  public init(_ components: [Component]) { self.components = components }

  /// Parses a path.
  ///
  /// - Throws: ``PropertyPathError``, which contains the path and the reason.
  public init(_ text: String) throws {
    var reader = PathReader(text: text, bytes: Array(text.utf8))
    components = try reader.read()
  }

  /// Parses a path in which a backslash before `.`, `[` or `\` makes this character part of a key: `odd\.key`. Any
  /// other backslash, and one between backticks, is an ordinary character.
  ///
  /// - Throws: ``PropertyPathError``, which contains the path and the reason.
  public init(escaped text: String) throws {
    var reader = PathReader(text: text, bytes: Array(text.utf8), readsEscapes: true)
    components = try reader.read()
  }

  /// The text of the path, which ``init(_:)-(String)`` parses.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .position(let position): text += "[\(position)]"
      case .each: text += "[]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        // Bytes are compared, as in the parser, because a backtick may be followed by a combining accent.
        let plain = !key.isEmpty && !key.utf8.contains(where: { ".[]`".utf8.contains($0) })
        text += plain ? key : quoted(key)
      }
    }
    return text
  }

  private func quoted(_ key: String) -> String {
    let parts = key.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
    return "`" + parts.map(String.init).joined(separator: "``") + "`"
  }

  /// Returns the value at this path inside `root`, or nil if there is none. A path with `[]` has no single value: nil.
  public func element(in root: JSONElement) -> JSONElement? {
    var current = root
    for component in components {
      let next: JSONElement? =
        switch component {
        case .key(let key): current[key]
        case .position(let position): current[position]
        case .each: nil
        }
      guard let next else { return nil }
      current = next
    }
    return current
  }

  /// Calls `body` with every value that the path selects inside `root`: at most one or, with `[]`, any number.
  ///
  /// - Parameter body: receives the value and its components, in which a position replaces each `[]`.
  public func forEachElement(
    in root: JSONElement, _ body: (JSONElement, [Component]) throws -> Void
  ) rethrows {
    guard components.contains(.each) else {
      // The steps are the components, so no array is created for them.
      if let element = element(in: root) { try body(element, components) }
      return
    }
    try descend(from: root, components[...], [], body)
  }

  private func descend(
    from element: JSONElement, _ rest: ArraySlice<Component>, _ steps: [Component],
    _ body: (JSONElement, [Component]) throws -> Void
  ) rethrows {
    guard let step = rest.first else { return try body(element, steps) }
    switch step {
    case .key(let key):
      if let next = element[key] { try descend(from: next, rest.dropFirst(), steps + [step], body) }
    case .position(let position):
      if let next = element[position] { try descend(from: next, rest.dropFirst(), steps + [step], body) }
    case .each:
      var position = 0
      try element.forEachElement { next in
        try descend(from: next, rest.dropFirst(), steps + [.position(position)], body)
        position += 1
      }
    }
  }
}

/// An error for a property path that cannot be parsed.
public struct PropertyPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The whole path.
  public let path: String
  /// The byte offset of the error.
  public let offset: Int
  /// A description of the error.
  public let reason: String

  /// A description of the error, with the path and the offset.
  public var description: String { "property path \"\(path)\": \(reason) at byte \(offset)" }
}

private struct PathReader {
  let text: String
  let bytes: [UInt8]
  let readsEscapes: Bool
  var index = 0

  init(text: String, bytes: [UInt8], readsEscapes: Bool = false) {
    self.text = text
    self.bytes = bytes
    self.readsEscapes = readsEscapes
  }

  mutating func read() throws -> [PropertyPath.Component] {
    guard !bytes.isEmpty else { throw fault("a path needs at least one key") }
    var components: [PropertyPath.Component] = []
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "[") {
        components.append(try position())
      } else {
        if !components.isEmpty {
          guard bytes[index] == UInt8(ascii: ".") else { throw fault("expected \".\" or \"[\"") }
          index += 1
        }
        components.append(try key())
      }
    }
    return components
  }

  private mutating func key() throws -> PropertyPath.Component {
    guard index < bytes.count else { throw fault("a key is missing after the dot") }
    if bytes[index] == UInt8(ascii: "`") { return try quotedKey() }
    var key: [UInt8] = []
    while index < bytes.count, !".[]`".utf8.contains(bytes[index]) {
      if isAtEscape { index += 1 }
      key.append(bytes[index])
      index += 1
    }
    guard !key.isEmpty else { throw fault("a key is missing") }
    return .key(String(decoding: key, as: UTF8.self))
  }

  /// Whether the current byte is a backslash before a character that it makes part of the key.
  private var isAtEscape: Bool {
    readsEscapes && bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
      && ".[\\".utf8.contains(bytes[index + 1])
  }

  private mutating func quotedKey() throws -> PropertyPath.Component {
    var key: [UInt8] = []
    index += 1
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "`") {
        key.append(bytes[index])
        index += 1
      } else if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "`") {
        key.append(UInt8(ascii: "`"))
        index += 2
      } else {
        index += 1
        return .key(String(decoding: key, as: UTF8.self))
      }
    }
    throw fault("the closing backtick is missing")
  }

  private mutating func position() throws -> PropertyPath.Component {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
    if index < bytes.count, index == start {
      index += 1
      return .each
    }
    guard index < bytes.count, let number = Int(String(decoding: bytes[start..<index], as: UTF8.self)) else {
      index = start
      throw fault("expected a whole number and \"]\"")
    }
    index += 1
    return .position(number)
  }

  private func fault(_ reason: String) -> PropertyPathError {
    PropertyPathError(path: text, offset: index, reason: reason)
  }
}
