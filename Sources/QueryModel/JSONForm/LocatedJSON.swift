import JSONText

/// A JSON value with its path in the query, and accessors that report the path if the value has a different type.
struct LocatedJSON {
  let value: JSONValue
  let path: [PropertyPath.Component]

  init(_ value: JSONValue, at path: [PropertyPath.Component] = []) {
    self.value = value
    self.path = path
  }

  func error(_ reason: String) -> JSONQueryError {
    JSONQueryError(reason, at: path)
  }

  func string(_ what: String) throws(JSONQueryError) -> String {
    guard case .string(let text) = value else { throw error("\(what) must be a string, not \(shown)") }
    return text
  }

  func boolean(_ what: String) throws(JSONQueryError) -> Bool {
    guard case .boolean(let flag) = value else { throw error("\(what) must be true or false, not \(shown)") }
    return flag
  }

  func array(_ what: String) throws(JSONQueryError) -> [LocatedJSON] {
    guard let elements else { throw error("\(what) must be an array, not \(shown)") }
    return elements
  }

  func object(_ what: String) throws(JSONQueryError) -> [(key: String, value: LocatedJSON)] {
    guard case .object(let members) = value else { throw error("\(what) must be an object, not \(shown)") }
    return members.map { (key: $0.key, value: LocatedJSON($0.value, at: path + [.key($0.key)])) }
  }

  /// The elements, if this is an array.
  var elements: [LocatedJSON]? {
    guard case .array(let elements) = value else { return nil }
    return elements.enumerated().map { LocatedJSON($1, at: path + [.position($0)]) }
  }

  /// The operation's name in upper case and its operands, if this is an operation.
  var operation: (name: String, operands: [LocatedJSON])? {
    guard let elements, let first = elements.first, case .string(let name) = first.value else { return nil }
    return (name.uppercased(), Array(elements.dropFirst()))
  }

  /// The beginning of the value as text, for messages.
  var shown: String {
    let text = value.text
    return text.count <= 40 ? text : text.prefix(39) + "…"
  }
}
