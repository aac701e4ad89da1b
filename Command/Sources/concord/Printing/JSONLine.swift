import JSONText

/// A JSON object on one line, with members in insertion order.
struct JSONLine {
  private var body = ""

  /// The object.
  var text: String { "{\(body)}" }

  mutating func add(_ key: String, _ value: String) { add(key, json: JSONLine.quoted(value)) }
  mutating func add(_ key: String, _ value: Int) { add(key, json: String(value)) }
  mutating func add(_ key: String, _ value: Bool) { add(key, json: value ? "true" : "false") }
  mutating func add(_ key: String, _ value: Double) { add(key, json: value.isFinite ? "\(value)" : "null") }
  mutating func add(_ key: String, _ values: [String]) {
    add(key, json: "[\(values.map(JSONLine.quoted).joined(separator: ","))]")
  }

  /// Adds a string, or null.
  mutating func add(_ key: String, optional value: String?) {
    add(key, json: value.map(JSONLine.quoted) ?? "null")
  }

  /// Adds an array of objects.
  mutating func add(_ key: String, _ values: [JSONLine]) {
    add(key, json: "[\(values.map(\.text).joined(separator: ","))]")
  }

  /// Adds a value that is already JSON text on one line.
  mutating func add(_ key: String, json: String) {
    if !body.isEmpty { body += "," }
    body += "\(JSONLine.quoted(key)):\(json)"
  }

  /// Returns a string as a JSON string literal.
  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(text)
    return writer.text
  }
}
