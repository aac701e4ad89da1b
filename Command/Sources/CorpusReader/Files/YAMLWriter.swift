import JSONText
import Yams

/// Writes YAML as JSON.
struct YAMLWriter {
  private var depth = 0
  private var nodes = 0
  private var size = 0

  /// The maximum number of nodes. Nested YAML aliases can expand to more nodes than fit in memory; real front matter
  /// has far fewer.
  private static let maximumNodes = 100_000
  /// The maximum total size of the scalars in bytes. Aliases can also repeat long scalars.
  private static let maximumSize = 2 << 20
  /// The maximum depth, far below the limit of JSON parsers.
  private static let maximumDepth = 100

  /// Returns the text of an object with these members.
  mutating func object(_ members: [(key: Node, value: Node)]) throws(FrontMatter.Fault) -> [UInt8] {
    var writer = JSONWriter()
    try write(members, to: &writer)
    return writer.bytes
  }

  private mutating func write(
    _ members: some Sequence<(key: Node, value: Node)>, to writer: inout JSONWriter
  ) throws(FrontMatter.Fault) {
    try writer.object { writer throws(FrontMatter.Fault) in
      for (key, value) in members {
        // JSON keys are strings; a key that is a sequence or a mapping is written as `?`.
        let name = key.scalar?.string ?? "?"
        try writer.member(name) { writer throws(FrontMatter.Fault) in try write(value, to: &writer) }
      }
    }
  }

  private mutating func write(_ node: Node, to writer: inout JSONWriter) throws(FrontMatter.Fault) {
    nodes += 1
    size += node.scalar?.string.utf8.count ?? 0
    depth += 1
    defer { depth -= 1 }
    guard nodes <= YAMLWriter.maximumNodes, size <= YAMLWriter.maximumSize, depth <= YAMLWriter.maximumDepth else {
      throw FrontMatter.Fault(line: 1, reason: "front matter: too many or too deeply nested values")
    }
    switch node {
    case .scalar(let scalar): write(scalar, to: &writer)
    case .mapping(let mapping): try write(mapping, to: &writer)
    case .sequence(let sequence):
      try writer.array { writer throws(FrontMatter.Fault) in
        for element in sequence { try write(element, to: &writer) }
      }
    case .alias: writer.writeNull()
    }
  }

  private func write(_ scalar: Node.Scalar, to writer: inout JSONWriter) {
    let text = scalar.string
    guard scalar.style == .plain || scalar.style == .any else { return writer.write(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": writer.writeNull()
    case "true", "True", "TRUE": writer.write(true)
    case "false", "False", "FALSE": writer.write(false)
    default:
      switch CanonicalNumber(text.utf8) {
      case .integer(let number): writer.write(number)
      case .double(let number): writer.write(number)
      case nil: writer.write(text)
      }
    }
  }
}
