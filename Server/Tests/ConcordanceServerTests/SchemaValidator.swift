import JSONText

/// Validates JSON against the parts of JSON Schema that the OpenAPI document uses.
struct SchemaValidator: Sendable {
  private let document: JSONValue

  init(_ openAPI: String) throws { document = try SchemaValidator.parse(openAPI) }

  /// Returns the first problem in a text; nil if it satisfies the schema.
  func problem(in text: String, schema: String) throws -> String? {
    problem(in: try SchemaValidator.parse(text), try SchemaValidator.parse(schema), at: "")
  }

  private static func parse(_ text: String) throws -> JSONValue {
    try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
  }

  private func problem(in value: JSONValue, _ schema: JSONValue, at path: String) -> String? {
    if case .string(let reference)? = schema["$ref"] {
      let target = reference.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
      guard let target else { return "\(path): \(reference) does not exist" }
      return problem(in: value, target, at: path)
    }
    if case .array(let choices)? = schema["anyOf"] {
      let problems = choices.map { problem(in: value, $0, at: path) }
      if !problems.contains(nil) { return "\(path): no alternative matches: \(problems.compactMap { $0 })" }
    }
    if case .array(let values)? = schema["enum"], !values.contains(value) { return "\(path): \(value) is not listed" }
    let types: [String] =
      switch schema["type"] {
      case .string(let type)?: [type]
      case .array(let types)?: types.compactMap { if case .string(let type) = $0 { type } else { nil } }
      default: []
      }
    if !types.isEmpty, !types.contains(where: { value.hasType($0) }) { return "\(path): \(value) is not \(types)" }
    if case .int64(let minimum)? = schema["minimum"], case .int64(let number) = value, number < minimum {
      return "\(path): \(number) is less than \(minimum)"
    }
    switch value {
    case .array(let elements):
      guard let items = schema["items"] else { return nil }
      return elements.enumerated().lazy.compactMap { problem(in: $1, items, at: "\(path)/\($0)") }.first
    case .object(let members): return problem(in: members, schema, at: path)
    default: return nil
    }
  }

  private func problem(in members: [JSONMember], _ schema: JSONValue, at path: String) -> String? {
    if case .array(let required)? = schema["required"] {
      for case .string(let name) in required where !members.contains(where: { $0.key == name }) {
        return "\(path): \(name) is missing"
      }
    }
    for member in members {
      if let property = schema["properties"]?[member.key] {
        if let found = problem(in: member.value, property, at: "\(path)/\(member.key)") { return found }
      } else if schema["additionalProperties"] == .boolean(false) {
        return "\(path): \(member.key) is not in the schema"
      }
    }
    return nil
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate func hasType(_ name: String) -> Bool {
    switch self {
    case .null: name == "null"
    case .boolean: name == "boolean"
    case .int64, .uint64: name == "integer" || name == "number"
    case .double: name == "number"
    case .string: name == "string"
    case .array: name == "array"
    case .object: name == "object"
    }
  }
}
