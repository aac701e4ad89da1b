import JSONText

/// Documents with a few keys and few different values, most of the type that the key suggests, and many of them
/// missing.
///
/// | key | value |
/// |---|---|
/// | `n`, `m` | a number; any scalar |
/// | `s`, `t`, `ref` | a string; the id of a document, perhaps of another collection |
/// | `b` | a boolean |
/// | `list`, `items` | an array of scalars, of objects with `k`, `q` and the array `tags` |
/// | `o` | an object with `a`, `b`, `c` and `odd key` |
/// | `x`, `odd key` | anything |
struct RandomDocuments {
  static let collections = ["_", "docs", "shop.item"]

  private var choices: RandomChoices

  init(seed: UInt64) { choices = RandomChoices(seed: seed) }

  /// Returns the documents of every collection.
  mutating func all() throws -> [String: [OracleDocument]] {
    var all: [String: [OracleDocument]] = [:]
    for name in RandomDocuments.collections { all[name] = try documents() }
    return all
  }

  private mutating func documents() throws -> [OracleDocument] {
    let count = choices.chance(20) ? 0 : choices.number(2...10)
    return try choices.shuffled(RandomChoices.ids).prefix(count).enumerated().map { position, id in
      try OracleDocument(id: id, text: text(of: .object(members())), sequence: Int64(position + 1))
    }
  }

  // MARK: Properties

  private mutating func members() -> [JSONMember] {
    var members: [JSONMember] = []
    for key in ["n", "m", "s", "t", "ref", "b", "list", "items", "o", "x", "odd key"] where !choices.chance(8) {
      members.append(JSONMember(key, choices.chance(15) ? choices.value() : property(key)))
    }
    members = choices.shuffled(members)
    // If a key occurs twice, the first value is used.
    if choices.chance(15) { members.append(JSONMember("s", .string("twice"))) }
    return members
  }

  private mutating func property(_ key: String) -> JSONValue {
    if choices.chance(12) { return .null }
    switch key {
    case "n": return choices.numberValue()
    case "s", "t": return .string(choices.string())
    case "ref": return .string(choices.one(of: RandomChoices.ids))
    case "b": return .boolean(choices.chance(2))
    case "list": return choices.list(of: 0...4)
    case "items": return .array((0..<choices.number(0...3)).map { _ in choices.chance(8) ? choices.scalar() : item() })
    case "o": return object(["a", "b", "c", "odd key"])
    case "m": return choices.scalar()
    default: return choices.value(depth: 2)
    }
  }

  private mutating func item() -> JSONValue { object(["k", "q", "tags"]) }

  private mutating func object(_ keys: [String]) -> JSONValue {
    var members: [JSONMember] = []
    for key in choices.shuffled(keys) where !choices.chance(7) {
      switch key {
      case "a", "q": members.append(JSONMember(key, choices.numberValue()))
      case "b", "k": members.append(JSONMember(key, .string(choices.string())))
      case "c", "tags": members.append(JSONMember(key, choices.list(of: 0...3)))
      default: members.append(JSONMember(key, choices.scalar()))
      }
    }
    return .object(members)
  }

  // MARK: Text

  /// Returns JSON as people and programs write it: with and without white space, and with unnecessary escapes and
  /// zeros.
  private mutating func text(of value: JSONValue) -> String {
    switch value {
    case .double(let number):
      switch choices.number(0..<4) {
      case 0, 1: return "\(number)"
      case 2: return "\(number)0"
      default: return choices.chance(2) ? "\(number / 10)e1" : "\(number * 10)E-01"
      }
    case .string(let string): return text(of: string)
    case .array(let elements):
      return "[" + elements.map { space() + text(of: $0) }.joined(separator: space() + ",") + space() + "]"
    case .object(let members):
      let texts = members.map { space() + text(of: $0.key) + space() + ":" + space() + text(of: $0.value) }
      return "{" + texts.joined(separator: space() + ",") + space() + "}"
    default: return value.text
    }
  }

  private mutating func text(of string: String) -> String {
    guard choices.chance(4) else { return JSONValue.string(string).text }
    let units = string.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + units.joined() + "\""
  }

  private mutating func space() -> String {
    switch choices.number(0..<8) {
    case 0..<5: ""
    case 5: " "
    case 6: "\n  "
    default: "\t"
    }
  }
}
