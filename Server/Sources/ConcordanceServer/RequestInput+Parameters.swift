import Concordance
import HTTPTypes
import JSONText
import NIOCore

// Reading the parameters of the query string and the body.

extension RequestInput {
  func has(_ name: String) -> Bool { query[name] != nil }

  func string(_ name: String) -> String? { query[name] }

  func required(_ name: String) throws -> String {
    guard let value = query[name] else { throw Problem.invalidParameter(name, "the parameter is missing") }
    return value
  }

  /// Returns the elements of a comma-separated list. A list without elements is an error, because it would be ignored.
  func list(_ name: String) throws -> [String]? {
    guard let text = query[name] else { return nil }
    let elements = text.split(separator: ",").map { String($0) }
    guard !elements.isEmpty else {
      throw Problem.invalidParameter(name, "the list is empty; leave out the parameter")
    }
    return elements
  }

  func count(_ name: String, default value: Int, limit: Int = .max) throws -> Int {
    guard let text = query[name] else { return min(value, limit) }
    guard let count = Int(text), count >= 0 else {
      throw Problem.invalidParameter(name, "expected a whole number of 0 or more, not \"\(text.prefix(40))\"")
    }
    guard count <= limit else { throw Problem.invalidParameter(name, "at most \(limit) on this server") }
    return count
  }

  func number(_ name: String) throws -> Double? {
    guard let text = query[name] else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw Problem.invalidParameter(name, "expected a number, not \"\(text.prefix(40))\"")
    }
    return number
  }

  func boolean(_ name: String, default value: Bool) throws -> Bool {
    switch query[name] {
    case nil: return value
    case "true": return true
    case "false": return false
    case .some(let text):
      throw Problem.invalidParameter(name, "expected true or false, not \"\(text.prefix(40))\"")
    }
  }

  /// Returns the values of an SQL++ query's parameters: `$name=3`. A value that is not JSON is a string.
  func queryParameters() throws -> Concordance.Parameters? {
    let given = query.filter { $0.key.hasPrefix("$") }
    guard !given.isEmpty else { return nil }
    let parameters = Concordance.Parameters()
    for (name, text) in given {
      // An error means that the text is a string.
      let value = (try? JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }) ?? .string(text)
      try parameters.set(value, forName: String(name.dropFirst()))
    }
    return parameters
  }

  /// Returns the body as text.
  func bodyText() throws -> String {
    guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
      throw Problem(.badRequest, "invalid_json", "the body is not UTF-8")
    }
    return text
  }

  /// Returns the members of the JSON object in the body.
  func bodyObject() throws -> [JSONMember] {
    let text = try bodyText()
    let value: JSONValue
    do {
      value = try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
    } catch let error as JSONError {
      let reason = error.description.trimmingPrefix(#/not? JSON: /#)
      throw Problem(
        .badRequest, "invalid_json", "the body is not valid JSON: \(reason)", range: error.offset.map { $0..<$0 })
    }
    if case .object(let members) = value { return members }
    let type =
      switch value {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .boolean: "a boolean"
      case .null: "null"
      case .int64, .uint64, .double: "a number"
      }
    throw Problem(.badRequest, "invalid_json", "the body is \(type); send an object")
  }
}
