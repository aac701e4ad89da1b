/// The parsed description of a key path: `\Hotel.address.city`, `\Hotel.<computed 0x… (String)>`.
struct KeyPathName {
  /// The names of the stored properties on the path, up to the first component that is not a stored property.
  let properties: [String]
  /// Whether a property on the path is computed.
  let isComputed: Bool
  /// Whether the path goes through an optional.
  let isChained: Bool

  init(_ keyPath: AnyKeyPath) {
    // The name of the root type contains dots if it is generic or nested, but they are not at the end of it.
    let text = keyPath.debugDescription
    isComputed = text.contains("<computed")
    isChained = text.contains("?") || text.contains("!")
    let stored = isComputed ? text[..<(text.firstRange(of: "<computed")?.lowerBound ?? text.endIndex)] : text[...]
    let root = "\\\(type(of: keyPath).rootType)"
    let rest = stored.hasPrefix(root) ? stored.dropFirst(root.count) : stored.drop { $0 != "." }
    properties = rest.split(separator: ".").map(String.init)
  }

  /// Whether the whole path is a single computed property.
  var isOneComputed: Bool { isComputed && properties.isEmpty && !isChained }
}

/// A key path that can be written through. A property with a wrapper has one, and one of a class that is not final; a
/// property that is only computed usually has not.
protocol SettableKeyPath: AnyKeyPath {}

extension WritableKeyPath: SettableKeyPath {}
