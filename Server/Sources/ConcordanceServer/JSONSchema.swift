/// A JSON schema as JSON text.
struct JSONSchema: Sendable {
  let text: String

  static let string = JSONSchema(text: #"{"type":"string"}"#)
  static let boolean = JSONSchema(text: #"{"type":"boolean"}"#)
  static let number = JSONSchema(text: #"{"type":"number"}"#)
  static let count = JSONSchema(text: #"{"type":"integer","minimum":0}"#)
  static let object = JSONSchema(text: #"{"type":"object"}"#)
  /// Any JSON value.
  static let any = JSONSchema(text: "{}")

  static func countAtMost(_ maximum: Int) -> JSONSchema {
    JSONSchema(text: #"{"type":"integer","minimum":0,"maximum":\#(maximum)}"#)
  }

  static func choice(_ values: [String]) -> JSONSchema {
    JSONSchema(text: #"{"type":"string","enum":["# + values.map { "\"\($0)\"" }.joined(separator: ",") + "]}")
  }

  static func array(_ element: JSONSchema) -> JSONSchema {
    JSONSchema(text: #"{"type":"array","items":\#(element.text)}"#)
  }

  /// A value that satisfies at least one of the given schemas.
  static func anyOf(_ schemas: JSONSchema...) -> JSONSchema {
    JSONSchema(text: #"{"anyOf":[\#(schemas.map(\.text).joined(separator: ","))]}"#)
  }

  /// An object with only the given members.
  static func object(
    _ required: KeyValuePairs<String, JSONSchema>, optional: KeyValuePairs<String, JSONSchema> = [:]
  ) -> JSONSchema {
    object(Array(required), optional: Array(optional))
  }

  /// An object with only the given members.
  static func object(
    _ required: [(key: String, value: JSONSchema)], optional: [(key: String, value: JSONSchema)]
  ) -> JSONSchema {
    let names = required.map { "\"\($0.key)\"" }.joined(separator: ",")
    let members = (required + optional).map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",")
    return JSONSchema(
      text: #"{"type":"object","additionalProperties":false,"required":[\#(names)],"properties":{\#(members)}}"#)
  }

  /// A reference to a schema in `components/schemas` of the OpenAPI document.
  static func component(_ component: SchemaComponent) -> JSONSchema {
    JSONSchema(text: ##"{"$ref":"#/components/schemas/\##(component.rawValue)"}"##)
  }
}
