import JSONText

/// The text form of paths in JSON queries: keys separated by dots, `[0]`, and a backslash before `.`, `[` and `\` in a
/// key. As in Couchbase Lite, a backslash before any other character is dropped; ``PropertyPath/init(escaped:)`` of the
/// query builder keeps it, because keys with backslashes were written without escaping there.
enum JSONPathText {
  /// Parses a path. Empty keys are kept: `h.` has two keys.
  static func components(of text: String, at value: LocatedJSON) throws(JSONQueryError) -> [PropertyPath.Component] {
    var components: [PropertyPath.Component] = []
    var rest = Substring(text).unicodeScalars
    if rest.first != "[" { components.append(.key(key(&rest))) }
    while let scalar = rest.popFirst() {
      if scalar == "." {
        components.append(.key(key(&rest)))
      } else if let end = rest.firstIndex(of: "]"), scalar == "[", let position = Int(String(rest[..<end])) {
        components.append(.position(position))
        rest = rest[rest.index(after: end)...]
      } else {
        throw value.error("\"\(text)\" is not a path such as a.b[0]")
      }
    }
    return components
  }

  private static func key(_ rest: inout Substring.UnicodeScalarView) -> String {
    var key = String.UnicodeScalarView()
    while let scalar = rest.first, scalar != ".", scalar != "[" {
      rest.removeFirst()
      // A backslash at the very end is literal.
      if scalar == "\\", let escaped = rest.popFirst() { key.append(escaped) } else { key.append(scalar) }
    }
    return String(key)
  }

  /// Returns the text of a path.
  static func text(_ components: some Sequence<PropertyPath.Component>) -> String {
    var text = ""
    for (index, component) in components.enumerated() {
      switch component {
      case .key(let key): text += (index > 0 ? "." : "") + escaped(key)
      case .position(let position): text += "[\(position)]"
      case .each: text += "[]"
      }
    }
    return text
  }

  private static func escaped(_ key: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in key.unicodeScalars {
      if scalar == "." || scalar == "[" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}

extension MetadataField {
  /// The name of the metadata field as a property: `_id`.
  var propertyName: String { "_" + rawValue }

  /// Creates the field that a key after `META()` selects; nil if there is no such field.
  init?(component: PropertyPath.Component) {
    guard case .key(let key) = component else { return nil }
    self.init(rawValue: key)
  }

  init?(propertyName: String) {
    guard let field = MetadataField.allCases.first(where: { $0.propertyName == propertyName }) else { return nil }
    self = field
  }
}
