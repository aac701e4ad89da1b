import CYaml

/// Bounds what the aliases of a YAML text stand for, before anything expands them.
///
/// A few hundred bytes of aliases of aliases stand for more nodes than memory holds. Yams shares the nodes, but it hashes the keys of
/// each mapping, and so visits every node that an alias in a key stands for. This goes through the events of libyaml once and adds
/// up sizes without expanding anything.
enum YAMLExpansion {
  /// The most bytes and nodes that a text may stand for. Front matter has 256 KiB at most.
  private static let maximumSize = 2 << 20
  /// The most bytes and nodes of keys that are hashed, those of nested keys once for each mapping around them.
  private static let maximumHashedSize = 8 << 20

  /// Throws where the text stands for too much.
  ///
  /// Text that is not YAML passes: who composes it finds the fault.
  static func check(_ yaml: String) throws(FrontMatter.Fault) {
    var yaml = yaml
    guard yaml.withUTF8({ isBounded($0) }) else {
      throw FrontMatter.Fault(
        line: 1, reason: "front matter: its aliases stand for too many values, or its keys are nested too deep")
    }
  }

  /// What is open at an event: the text itself, a sequence or a mapping.
  private struct Collection {
    var anchor: String?
    var isMapping = false
    /// How many nodes are in it.
    var count = 0
    /// The sizes of its nodes, with every alias replaced by what it stands for.
    var size = 1
    /// The same of its keys alone.
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
    // The keys of a key are hashed again with it.
    var hashedSize = 0
    while true {
      var event = yaml_event_t()
      // A fault ends the text for everybody who reads it.
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
