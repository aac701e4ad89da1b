/// A JSON value as a tree, independent of the parser.
///
/// Numbers have the type that represents them exactly, and members are in the order of the text.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case int64(Int64)
  /// An integer above `Int64.max`.
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])
}

/// A key and its value in a ``JSONValue/object(_:)``.
public struct JSONMember: Hashable, Sendable {
  /// The key, unescaped.
  public var key: String
  /// The value.
  public var value: JSONValue

  /// Creates a member.
  public init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension [JSONMember] {
  /// Returns the value of the first member with this key; nil if no member has the key. Keys are compared by their
  /// bytes, as in ``JSONElement``: an object can contain keys that are canonically equivalent.
  ///
  /// - Complexity: O(n) in the number of members.
  public func value(forKey key: String) -> JSONValue? { first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}

extension JSONValue {
  /// Copies a parsed value, so that it stays valid after its parser's next parse.
  ///
  /// - Complexity: O(n) in the number of values.
  public init(_ element: JSONElement) {
    switch element.kind {
    case .null: self = .null
    case .boolean: self = .boolean(element.boolean ?? false)
    case .int64: self = .int64(element.int64 ?? 0)
    case .uint64: self = .uint64(element.uint64 ?? 0)
    case .double: self = .double(element.double ?? 0)
    case .string: self = .string(element.string ?? "")
    case .array:
      var elements: [JSONValue] = []
      element.forEachElement { elements.append(JSONValue($0)) }
      self = .array(elements)
    case .object:
      var members: [JSONMember] = []
      element.forEachMember { members.append(JSONMember(String(decoding: $0, as: UTF8.self), JSONValue($1))) }
      self = .object(members)
    }
  }

  /// The JSON text of this value, without white space.
  ///
  /// - Complexity: O(n) in the length of the text.
  public var text: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }
}
