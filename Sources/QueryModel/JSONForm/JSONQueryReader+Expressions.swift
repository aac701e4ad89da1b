import JSONText

/// Parsing of expressions in the JSON form.
extension JSONQueryReader {
  /// Parses a value at nesting level `depth` as an expression.
  func expression(_ value: LocatedJSON, _ depth: Int = 0) throws(JSONQueryError) -> QueryExpression {
    guard depth < SQLParser.maximumDepth else {
      throw value.error("the query is nested more than \(SQLParser.maximumDepth) levels deep")
    }
    guard stack.hasRoom(at: depth) else {
      throw value.error(
        "the query is nested more than \(depth) levels deep, and the stack of this thread has no room for more")
    }
    switch value.value {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .int64(let number): return .integer(number)
    case .uint64(let number): return .double(Double(number))
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .object:
      var entries: [DictionaryEntry] = []
      for (key, item) in try value.object("a dictionary") {
        entries.append(DictionaryEntry(key, try expression(item, depth + 1)))
      }
      return .dictionary(entries)
    case .array(let elements):
      guard case .string(let name)? = elements.first else {
        throw value.error("an operation begins with its name, as in [\".name\"]; an array is [\"[]\", …]")
      }
      let operation = JSONOperation(
        name: name, word: name.uppercased(), operands: Array((value.elements ?? []).dropFirst()), value: value,
        depth: depth + 1)
      return try self.operation(operation)
    }
  }

  private func operation(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    let name = operation.name
    if name.hasPrefix("_.") { return try member(operation) }
    if name.utf8.first == UInt8(ascii: ".") { return try property(operation) }
    if name.utf8.first == UInt8(ascii: "$") { return try parameter(operation) }
    if name.utf8.first == UInt8(ascii: "?") { return try variable(operation) }
    if name.hasSuffix("()") { return try call(operation) }
    return try wordOperation(operation)
  }

  /// Parses the operands as expressions.
  ///
  /// - Throws: ``JSONQueryError`` unless there are `count` operands.
  func operands(_ operation: JSONOperation, _ count: Int) throws(JSONQueryError) -> [QueryExpression] {
    guard operation.operands.count == count else {
      let noun = count == 1 ? "operand" : "operands"
      throw operation.value.error("\(operation.word) takes \(count) \(noun), \(operation.operands.count) given")
    }
    return try operands(operation)
  }

  func operands(_ operation: JSONOperation) throws(JSONQueryError) -> [QueryExpression] {
    var expressions: [QueryExpression] = []
    for operand in operation.operands { expressions.append(try expression(operand, operation.depth)) }
    return expressions
  }

  // MARK: Names and paths

  /// `[".a.b"]`, `[".", "a", "b"]`
  private func property(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    let components = try path(operation, prefix: 1, operation.operands)
    guard let first = components.first, components != [.key("")] else { return .everything(source: nil) }
    let source = names.match(components)
    let rest = Array(components.dropFirst(source?.length ?? 0))
    if source != nil, rest == [.key("")] { return .everything(source: source?.name) }
    if case .key(let key)? = rest.first, let field = MetadataField(propertyName: key) {
      return QueryExpression.metadata(field, source: source?.name).member(at: Array(rest.dropFirst()))
    }
    if source != nil { return .everything(source: source?.name).member(at: rest) }
    guard case .key = first else { throw operation.value.error("a property must begin with a key") }
    return .property(PropertyPath(components), source: nil)
  }

  /// `["_.a.b", x]`, `["_.", x, "a", "b"]`, `["_.", x, ".a.b"]`
  private func member(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    guard let base = operation.operands.first else { throw operation.value.error("_. takes an expression") }
    var rest = Array(operation.operands.dropFirst())
    var components = try path(operation, prefix: 2, [])
    if components.isEmpty, rest.count == 1, case .string(let text) = rest[0].value, text.hasPrefix(".") {
      components = try JSONPathText.components(of: String(text.dropFirst()), at: rest[0])
      rest = []
    }
    components += try parts(rest)
    guard !components.isEmpty else { throw operation.value.error("_. takes an expression and a path") }
    let value = try expression(base, operation.depth)
    if case .metadata(nil, _) = value, components.first.flatMap(MetadataField.init(component:)) == nil {
      let fields = MetadataField.allCases.map(\.rawValue).joined(separator: ", ")
      throw operation.value.error("META() has only the fields \(fields)")
    }
    return value.member(at: components)
  }

  private func parameter(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    let name = try self.name(operation, "a parameter")
    guard name.rest.isEmpty, !name.text.isEmpty else {
      throw operation.value.error("a parameter consists of a name only: [\"$name\"]")
    }
    return .parameter(name.text)
  }

  /// `["?v.a"]`, `["?", "v", "a"]`
  private func variable(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    let components = try path(operation, prefix: 1, operation.operands)
    guard case .key(let name)? = components.first, !name.isEmpty else {
      throw operation.value.error("a variable must have a name: [\"?name\"]")
    }
    return .variable(name, PropertyPath(Array(components.dropFirst())))
  }

  /// Returns the name, unparsed: the text after the first character of the operation, or else the first operand.
  private func name(
    _ operation: JSONOperation, _ what: String
  ) throws(JSONQueryError) -> (text: String, rest: ArraySlice<LocatedJSON>) {
    let text = String(operation.name.unicodeScalars.dropFirst())
    if !text.isEmpty { return (text, operation.operands[...]) }
    guard let first = operation.operands.first else { throw operation.value.error("\(what) must have a name") }
    return (try first.string("the name of \(what)"), operation.operands.dropFirst())
  }

  /// Returns the path components in the name, after its first `prefix` characters, and in the operands.
  private func path(
    _ operation: JSONOperation, prefix: Int, _ operands: [LocatedJSON]
  ) throws(JSONQueryError) -> [PropertyPath.Component] {
    let text = String(operation.name.unicodeScalars.dropFirst(prefix))
    let components = text.isEmpty ? [] : try JSONPathText.components(of: text, at: operation.value)
    return components + (try parts(operands))
  }

  /// Parses path components given as operands: keys as strings, array positions in brackets.
  private func parts(_ operands: [LocatedJSON]) throws(JSONQueryError) -> [PropertyPath.Component] {
    var components: [PropertyPath.Component] = []
    for operand in operands {
      switch operand.value {
      case .string(let key): components.append(.key(key))
      case .array(let elements):
        guard elements.count == 1, case .int64(let number) = elements[0] else { fallthrough }
        components.append(.position(Int(number)))
      default:
        throw operand.error("a path component must be a key or a position, \"name\" or [0], not \(operand.shown)")
      }
    }
    return components
  }

  // MARK: Calls

  private func call(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    switch operation.word {
    case "META()": return try metadata(operation)
    case "MATCH()":
      guard operation.operands.count == 2 else { throw operation.value.error("MATCH() takes an index and a query") }
      return .match(try index(operation.operands[0]), query: try expression(operation.operands[1], operation.depth))
    case "RANK()":
      guard operation.operands.count == 1 else { throw operation.value.error("RANK() takes an index") }
      return .rank(try index(operation.operands[0]))
    default: return try function(operation)
    }
  }

  private func function(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    let name = String(operation.name.dropLast(2))
    guard let function = QueryFunction(named: name) else {
      let hint = QueryFunction.closestName(to: name).map { "; did you mean \($0)()?" } ?? ""
      throw operation.value.error("there is no function \(name)()\(hint)")
    }
    var arguments = operation.operands
    var isDistinct = false
    if let inner = arguments.first?.operation, inner.name == "DISTINCT", arguments.count == 1 {
      guard function.isAggregate else { throw arguments[0].error("DISTINCT is only allowed in an aggregate") }
      isDistinct = true
      arguments = inner.operands
    }
    if function == .count, arguments.isEmpty, !isDistinct { return .function(.count, [.everything(source: nil)]) }
    guard function.takes(arguments.count) else {
      let diagnostic = Diagnostic(.argumentCount(function, given: arguments.count), at: SourceSpan(at: 0))
      throw operation.value.error(DiagnosticRenderer().headline(diagnostic, in: ""))
    }
    var expressions: [QueryExpression] = []
    for argument in arguments { expressions.append(try expression(argument, operation.depth)) }
    return .function(function, expressions, isDistinct: isDistinct)
  }

  private func metadata(_ operation: JSONOperation) throws(JSONQueryError) -> QueryExpression {
    guard let operand = operation.operands.first else { return .metadata(nil, source: nil) }
    let name = try operand.string("the name of a source")
    guard operation.operands.count == 1, names.all.contains(name) else {
      throw operand.error("no source of the query is called \"\(name)\"")
    }
    return .metadata(nil, source: name)
  }

  private func index(_ value: LocatedJSON) throws(JSONQueryError) -> FullTextIndexName {
    FullTextIndexName(try value.string("the name of a full-text index"), in: names)
  }
}

/// An operation whose operands have not been parsed yet.
struct JSONOperation {
  let name: String
  /// The name in upper case.
  let word: String
  let operands: [LocatedJSON]
  let value: LocatedJSON
  /// The nesting level of the operands.
  let depth: Int
}
