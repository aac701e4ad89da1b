import CYaml

/// Limits the expanded size of a YAML text with aliases before the aliases are expanded.
///
/// A few hundred bytes of nested aliases can expand to more nodes than fit in memory. Yams shares the nodes, but it
/// hashes the keys of each mapping and therefore visits every node that an alias in a key expands to. This type makes
/// one pass over the events of libyaml and adds up sizes without expanding anything.
enum YAMLExpansion {
  /// The maximum expanded size: the number of nodes plus the bytes of all scalars. Front matter has at most 256 KiB.
  private static let maximumSize = 2 << 20
  /// The maximum size of hashed keys, measured in the same way. A nested key counts once for each mapping that contains
  /// it in a key.
  private static let maximumHashedSize = 8 << 20

  /// Throws if the expanded text exceeds the limits.
  ///
  /// Text that is not YAML passes; the parser reports the error later.
  static func check(_ yaml: String) throws(FrontMatter.Fault) {
    var yaml = yaml
    guard yaml.withUTF8({ isBounded($0) }) else {
      throw FrontMatter.Fault(
        line: 1, reason: "front matter: its aliases expand to too many values, or its keys are nested too deeply")
    }
  }

  /// A node that is open at an event: the document, a sequence or a mapping.
  private struct Collection {
    var anchor: String?
    var isMapping = false
    /// The number of child nodes.
    var count = 0
    /// The size of its nodes with all aliases expanded.
    var size = 1
    /// The size of its keys with all aliases expanded.
    var keySize = 0

    mutating func add(_ size: Int) {
      if isMapping, count.isMultiple(of: 2) { keySize += size }
      count += 1
      self.size += size
    }
  }

  private static func isBounded(_ yaml: UnsafeBufferPointer<UInt8>) -> Bool {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { return false }
    defer { yaml_parser_delete(&parser) }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(&parser, yaml.baseAddress, yaml.count)

    var open = [Collection()]
    var sizes: [String: Int] = [:]
    // The keys inside a key are hashed again with that key.
    var hashedSize = 0
    while true {
      var event = yaml_event_t()
      // The parser reports the syntax error later.
      guard yaml_parser_parse(&parser, &event) == 1 else { return true }
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_STREAM_END_EVENT: return true
      case YAML_SCALAR_EVENT:
        let size = 1 + Int(clamping: event.data.scalar.length)
        if let anchor = name(event.data.scalar.anchor) { sizes[anchor] = size }
        open[open.count - 1].add(size)
      case YAML_ALIAS_EVENT:
        open[open.count - 1].add(name(event.data.alias.anchor).flatMap { sizes[$0] } ?? 1)
      case YAML_SEQUENCE_START_EVENT:
        open.append(Collection(anchor: name(event.data.sequence_start.anchor)))
      case YAML_MAPPING_START_EVENT:
        open.append(Collection(anchor: name(event.data.mapping_start.anchor), isMapping: true))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        guard open.count > 1, let closed = open.popLast() else { return true }
        if let anchor = closed.anchor { sizes[anchor] = closed.size }
        hashedSize += closed.keySize
        open[open.count - 1].add(closed.size)
      default: break
      }
      if open[open.count - 1].size > maximumSize || hashedSize > maximumHashedSize { return false }
    }
  }

  private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    anchor.map { String(cString: $0) }
  }
}
