/// The names in the description of a key path, such as `\Hotel.address.city` or `\Hotel.<computed 0x… (String)>`.
struct KeyPathName {
  /// The names of the stored properties at the beginning of the path, up to the first component that is computed.
  let properties: [String]
  /// Whether a property on the path is computed.
  let isComputed: Bool
  /// Whether the path contains optional chaining or a forced unwrap.
  let isChained: Bool

  init(_ keyPath: AnyKeyPath) {
    // The name of the root type is removed first, because the name of a nested type contains dots.
    let text = keyPath.debugDescription
    isComputed = text.contains("<computed")
    isChained = text.contains("?") || text.contains("!")
    let stored = isComputed ? text[..<(text.firstRange(of: "<computed")?.lowerBound ?? text.endIndex)] : text[...]
    let root = "\\\(type(of: keyPath).rootType)"
    let rest = stored.hasPrefix(root) ? stored.dropFirst(root.count) : stored.drop { $0 != "." }
    properties = rest.split(separator: ".").map(String.init)
  }

  /// Whether the path consists of one computed property.
  var isOneComputed: Bool { isComputed && properties.isEmpty && !isChained }
}

/// A writable key path. Property wrappers and stored properties of classes that are not final have writable key paths
/// that are described as computed. Most properties that are actually computed are read-only.
protocol SettableKeyPath: AnyKeyPath {}

extension WritableKeyPath: SettableKeyPath {}
