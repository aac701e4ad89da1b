import Concordance
import HTTPTypes
import JSONText

/// An object in a request body. Unknown and repeated keys are rejected because an option would otherwise be ignored.
struct JSONBody {
  let members: [JSONMember]

  init(_ members: [JSONMember], keys: [String]) throws {
    for member in members where !keys.contains(member.key) {
      throw Problem.invalidParameter(member.key, "unknown key; the keys are \(keys.joined(separator: ", "))")
    }
    var known: Set<String> = []
    for member in members where !known.insert(member.key).inserted {
      throw Problem.invalidParameter(member.key, "the key is given more than once")
    }
    self.members = members
  }

  /// The value of a key; nil if it is missing or null.
  private func value(_ key: String) -> JSONValue? {
    guard let value = members.first(where: { $0.key == key })?.value, value != .null else { return nil }
    return value
  }

  /// Returns whether the key has a value other than null.
  func has(_ key: String) -> Bool { value(key) != nil }

  /// Returns a case of an enumeration by its name.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, default standard: Choice) throws -> Choice
  where Choice.RawValue == String {
    guard let text = try string(key) else { return standard }
    guard let choice = Choice(rawValue: text) else {
      throw Problem.invalidParameter(key, "expected \(Choice.allCases.map(\.rawValue).joined(separator: " or "))")
    }
    return choice
  }

  func string(_ key: String) throws -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else { throw Problem.invalidParameter(key, "expected a string") }
    return text
  }

  func strings(_ key: String) throws -> [String]? {
    guard let value = value(key) else { return nil }
    guard case .array(let values) = value else { throw Problem.invalidParameter(key, "expected an array of strings") }
    return try values.map { value in
      guard case .string(let text) = value else {
        throw Problem.invalidParameter(key, "expected an array of strings")
      }
      return text
    }
  }

  /// Returns an array of strings that is not empty. An empty array would be ignored.
  func list(_ key: String) throws -> [String]? {
    let values = try strings(key)
    if values?.isEmpty == true { throw Problem.invalidParameter(key, "the list is empty; leave out the key") }
    return values
  }

  func boolean(_ key: String, default standard: Bool) throws -> Bool {
    guard let value = value(key) else { return standard }
    guard case .boolean(let boolean) = value else { throw Problem.invalidParameter(key, "expected true or false") }
    return boolean
  }

  func count(_ key: String, default standard: Int, limit: Int = .max) throws -> Int {
    guard let value = value(key) else { return min(standard, limit) }
    guard case .int64(let number) = value, let count = Int(exactly: number), count >= 0 else {
      throw Problem.invalidParameter(key, "expected a whole number of 0 or more")
    }
    guard count <= limit else { throw Problem.invalidParameter(key, "at most \(limit) on this server") }
    return count
  }

  func number(_ key: String) throws -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = value.number else { throw Problem.invalidParameter(key, "expected a number") }
    return number
  }

  func object(_ key: String) throws -> [JSONMember] {
    guard let value = value(key) else { return [] }
    guard case .object(let members) = value else { throw Problem.invalidParameter(key, "expected an object") }
    return members
  }

  func numbers(_ key: String) throws -> [String: Double] {
    var result: [String: Double] = [:]
    for member in try object(key) {
      guard let number = member.value.number else {
        throw Problem.invalidParameter(key, "\(member.key): expected a number")
      }
      result[member.key] = number
    }
    return result
  }

  /// Returns the SQL++ query, whose key is `q`, as in the query string, or `query`.
  func query() throws -> String {
    let (short, long) = (try string("q"), try string("query"))
    guard short == nil || long == nil else {
      throw Problem.invalidParameter("q", "the query is given twice; leave out q or query")
    }
    guard let query = short ?? long else { throw Problem.invalidParameter("q", "the query is missing") }
    return query
  }

  /// Returns the values of an SQL++ query's parameters (`$name`).
  func parameters(_ key: String) throws -> Concordance.Parameters? {
    let members = try object(key)
    guard !members.isEmpty else { return nil }
    let parameters = Concordance.Parameters()
    for member in members { try parameters.set(member.value, forName: member.key) }
    return parameters
  }
}

extension JSONValue {
  /// The value as a number; nil if it is not one.
  fileprivate var number: Double? {
    switch self {
    case .int64(let number): Double(number)
    case .uint64(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
