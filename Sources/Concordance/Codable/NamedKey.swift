/// A key of any container: a name, or the position in an array.
struct NamedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ position: Int) {
    stringValue = "\(position)"
    intValue = position
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(intValue) }
}

extension [any CodingKey] {
  /// The path as property paths are written: `address.phones[2]`; what is at the top is "the document".
  var propertyPath: String {
    guard !isEmpty else { return "the document" }
    return reduce(into: "") { path, key in
      if let position = key.intValue {
        path += "[\(position)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
