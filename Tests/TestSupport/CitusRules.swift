/// Checks that Citus would send each statement to one server, and that it contains nothing that Citus refuses.
///
/// The rules are stricter than those of Citus: each reference to a distributed table has the condition `shard = $n` in
/// its own SELECT, UPDATE or DELETE, all with the same value, and an INSERT has one value for the column.
public struct CitusRules {
  /// The tables that have been distributed by the statements so far.
  private var distributed: Set<String> = []

  public init() {}

  /// Returns what is wrong with the next statement; nothing if it is permitted.
  public mutating func violations(_ statement: StatementLog.Statement) -> [String] {
    if let table = statement.text.firstMatch(of: /create_distributed_table\('(\w+)'/)?.1 {
      distributed.insert(String(table))
      return []
    }
    var tokens = CitusRules.tokens(statement.text)
    if tokens.first == "declare", let query = tokens.firstIndex(of: "for") { tokens.removeFirst(query + 1) }
    guard let verb = tokens.first, ["select", "insert", "update", "delete", "with", "copy"].contains(verb),
      tokens.contains(where: { distributed.contains($0) })
    else { return [] }
    var found: [String] = []
    if verb == "copy" {
      if !tokens.contains("shard") { found.append("COPY lacks the column shard") }
    } else {
      var checker = Checker(distributed: distributed, parameters: statement.parameters)
      checker.check(tokens)
      found = checker.found
      if checker.values.count > 1 { found.append("several shards: \(checker.values.sorted())") }
    }
    return found.map { "\($0): \(statement.text)" }
  }

  /// Splits SQL into lowercase words, parameters, numbers and symbols; texts become `'`.
  static func tokens(_ text: String) -> [String] {
    text.matches(of: /'(?:[^']|'')*'|"[^"]*"|\$\d+|\w+|::|<=|>=|<>|\|\||\S/).map { match in
      let token = String(match.0)
      return token.hasPrefix("'") ? "'" : token.lowercased()
    }
  }
}

/// The rules of one statement.
private struct Checker {
  let distributed: Set<String>
  let parameters: [String]
  var found: [String] = []
  /// The values of the distribution column.
  var values: Set<String> = []

  /// Checks a query; subqueries are checked on their own.
  mutating func check(_ tokens: [String], isNested: Bool = false) {
    let (own, subqueries) = Checker.divided(tokens)
    for subquery in subqueries { check(subquery, isNested: true) }
    let verb = own.first ?? ""
    if own.contains("lateral") { found.append("LATERAL") }
    if isNested, ["insert", "update", "delete"].contains(verb) { found.append("a subquery that writes") }
    let references = own.filter { distributed.contains($0) }.count
    guard references > 0 else { return }
    if own.contains(where: { $0.hasPrefix("cx_") && !distributed.contains($0) && !$0.hasPrefix("cx_scan") }) {
      found.append("distributed and local tables in one query")
    }
    if verb == "insert" { return checkInsertion(own, subqueries) }
    let filters = own.indices.filter { own[$0...].starts(with: ["shard", "="]) }.compactMap { start in
      own.indices.contains(start + 2) && own[start + 2].hasPrefix("$") ? own[start + 2] : nil
    }
    if filters.count < references { found.append("no condition on the shard") }
    for filter in filters { add(filter) }
    guard verb == "update" || verb == "delete" else { return }
    if !Set(own).isDisjoint(with: ["nextval", "random", "clock_timestamp"]) { found.append("a volatile function") }
    if let set = own.firstIndex(of: "set"), let condition = own.firstIndex(of: "where"), set < condition,
      own[set..<condition].indices.contains(where: { own[$0...].starts(with: ["shard", "="]) })
    {
      found.append("a change of the shard")
    }
  }

  private mutating func checkInsertion(_ own: [String], _ subqueries: [[String]]) {
    guard let open = own.firstIndex(of: "("), let close = own.firstIndex(of: ")"), open < close,
      let column = own[(open + 1)..<close].split(separator: ",").firstIndex(where: { $0.elementsEqual(["shard"]) })
    else { return found.append("INSERT lacks the column shard") }
    if let conflict = own.firstIndex(of: "conflict"), own[conflict...].contains("("),
      !(own[conflict...].drop { $0 != "(" }.prefix { $0 != ")" }.contains("shard"))
    {
      found.append("ON CONFLICT lacks the column shard")
    }
    let source = own[(close + 1)...]
    let items: ArraySlice<String>
    switch source.first {
    case "values": items = source.dropFirst(2)
    case "select": items = source.dropFirst()
    default: return found.append("an unknown form of INSERT")
    }
    if source.first == "values", !subqueries.isEmpty { found.append("a subquery in VALUES") }
    guard let value = Checker.items(items).dropFirst(column).first else { return found.append("no value of the shard") }
    if value.count == 1, value[0].hasPrefix("$") { return add(value[0]) }
    // A column of `unnest(…) AS t (…)`.
    guard let call = source.firstIndex(of: "unnest"), let alias = source[call...].firstIndex(of: "as"),
      let name = value.last,
      let number = Checker.items(source[alias...].drop { $0 != "(" }.dropFirst()).firstIndex(of: [name]),
      let array = Checker.items(source[(call + 2)...]).dropFirst(number).first?.first, array.hasPrefix("$")
    else { return found.append("the shard is not a parameter") }
    add(array)
  }

  private mutating func add(_ parameter: String) {
    guard let number = Int(parameter.dropFirst()), parameters.indices.contains(number - 1) else {
      return found.append("an unknown parameter \(parameter)")
    }
    // An array whose values are all the same; long ones are cut off in the log.
    let text = parameters[number - 1].trimmingPrefix("{")
    let array = text.split(separator: ",").filter { !$0.contains(".") }.map { $0.prefix { $0 != "}" } }
    for value in array { values.insert(String(value)) }
  }

  /// Returns the expressions of a list up to its end, a closing parenthesis, FROM or ON.
  private static func items(_ tokens: ArraySlice<String>) -> [[String]] {
    var items: [[String]] = [[]]
    var depth = 0
    for token in tokens {
      if depth == 0, ["from", "on", ")"].contains(token) { break }
      depth += token == "(" ? 1 : token == ")" ? -1 : 0
      if depth == 0, token == "," { items.append([]) } else { items[items.count - 1].append(token) }
    }
    return items
  }

  /// Returns the tokens outside of subqueries, and the subqueries.
  private static func divided(_ tokens: [String]) -> (own: [String], subqueries: [[String]]) {
    var own: [String] = []
    var subqueries: [[String]] = []
    var position = 0
    while position < tokens.count {
      defer { position += 1 }
      own.append(tokens[position])
      guard tokens[position] == "(", position + 1 < tokens.count,
        ["select", "insert", "update", "delete", "with"].contains(tokens[position + 1])
      else { continue }
      var depth = 1
      var end = position + 1
      while end < tokens.count, depth > 0 {
        depth += tokens[end] == "(" ? 1 : tokens[end] == ")" ? -1 : 0
        end += 1
      }
      subqueries.append(Array(tokens[(position + 1)..<max(position + 1, end - 1)]))
      position = end - 2
    }
    return (own, subqueries)
  }
}
