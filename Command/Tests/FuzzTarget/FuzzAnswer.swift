/// Builds a JSON object member by member.
struct FuzzAnswer {
  private var members: [String] = []

  var text: String { "{\(members.joined(separator: ","))}" }

  /// Adds a value that is already JSON text. It must not contain a line feed.
  mutating func add(_ name: String, json: String) { members.append("\(FuzzAnswer.quoted(name)):\(json)") }
  mutating func add(_ name: String, _ value: String) { add(name, json: FuzzAnswer.quoted(value)) }
  mutating func add(_ name: String, _ value: Int) { add(name, json: String(value)) }
  mutating func add(_ name: String, _ value: Bool) { add(name, json: String(value)) }
  mutating func add(_ name: String, _ values: [String]) {
    add(name, json: "[\(values.map(FuzzAnswer.quoted).joined(separator: ","))]")
  }
  mutating func add(_ name: String, _ values: [FuzzAnswer]) {
    add(name, json: "[\(values.map(\.text).joined(separator: ","))]")
  }

  /// Returns a string as JSON with all non-ASCII and control characters escaped.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
