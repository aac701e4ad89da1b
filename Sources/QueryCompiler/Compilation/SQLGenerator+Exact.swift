import JSONText
import QueryModel
import SQLiteAccess

/// Expressions in the exact encoding.
extension SQLGenerator {
  /// Returns SQL for the exact value of an expression.
  func exact(_ expression: QueryExpression) throws -> String {
    try countExpression()
    if let column = indexColumn(expression) { return column.exact }
    if let end = indexExtremes.first(where: { $0.aggregate.isIdentical(to: expression) }) { return end.sql }
    if let (lifted, collation) = expression.liftingCollation {
      return try withCollation(collation) { try exact(lifted) }
    }
    switch expression {
    case .missing: return "NULL"
    case .null: return SQLText.null
    case .boolean(let boolean): return SQLText.exact(boolean)
    case .integer(let number): return SQLText.literal(number)
    case .double(let number): return self.number(number)
    case .string(let string): return SQLText.literal(string)
    case .array(let elements): return try array(elements, of: expression)
    case .dictionary(let entries): return try dictionary(entries, of: expression)
    case .property(let path, let source): return try property(path, source ?? "")
    case .everything(let source): return try everything(source ?? "")
    case .metadata(let field, let source): return try metadata(field, source ?? "")
    case .parameter(let name): return bind(.parameter(ExactString(name), .exact))
    case .variable(let name, let path): return member("\(try variable(name)).value", path)
    case .member(let base, let path): return member(try exact(base), path)
    case .negated(let operand): return "concordance_op_negate(\(try exact(operand)))"
    case .arithmetic(let symbol, let one, let other):
      return "concordance_op_\(symbol.functionName)(\(try exact(one)), \(try exact(other)))"
    case .concatenation: return try concatenation(expression)
    case .conditional(let subject, let branches, let otherwise):
      return try conditional(subject, branches, otherwise.map { try exact($0) } ?? SQLText.null, exact)
    case .collated(let operand, let collation): return try withCollation(collation) { try exact(operand) }
    case .function(.prediction, let arguments, _): return try prediction(arguments)
    case .function(let function, let arguments, let isDistinct):
      return try call(function, arguments, isDistinct: isDistinct)
    case .rank(let index):
      guard let score = scores[index] else {
        throw QueryCompilationError(.invalid, "RANK(\(index.name)) needs a MATCH(\(index.name), …) in WHERE")
      }
      return score
    case .comparison(let symbol, let one, let other): return try comparison(symbol, one, other)
    case .and(let operands): return try folded("concordance_op_and", operands)
    case .or(let operands): return try folded("concordance_op_or", operands)
    case .not(let operand): return "concordance_op_not(\(try exact(operand)))"
    case .in(let value, let list): return try operation("in", [value, list])
    case .between(let value, let low, let high): return try operation("between", [value, low, high])
    case .like(let text, let pattern): return try operation("like", [text, pattern])
    case .ilike(let text, let pattern): return "concordance_op_ilike(\(try exact(text)), \(try exact(pattern)))"
    case .is(let one, let other) where other != .null && other != .missing:
      return try comparison(.equal, one, other)
    case .is, .isValued, .exists, .quantified, .match:
      return "concordance_boolean(\(try condition(expression)))"
    }
  }

  /// Returns SQL for a member of a value that is given as SQL.
  func member(_ base: String, _ path: PropertyPath) -> String {
    path.components.isEmpty ? base : "concordance_member(\(base), \(SQLText.literal(path.description)))"
  }

  private func property(_ path: PropertyPath, _ name: String) throws -> String {
    let source = try source(name)
    guard source.isDocument else { return member("\(source.alias).value", path) }
    return "concordance_value(\(try document(name)).body, \(SQLText.literal(path.description)))"
  }

  private func everything(_ name: String) throws -> String {
    let source = try source(name)
    return source.isDocument ? "concordance_value(\(try document(name)).body, '')" : "\(source.alias).value"
  }

  private func metadata(_ field: MetadataField?, _ name: String) throws -> String {
    let table = try document(name)
    switch field {
    case .id: return "\(table).id"
    case .sequence: return "\(table).sequence"
    case .expiration: return "\(table).expiration"
    case .deleted: return "concordance_boolean(\(table).deleted)"
    case .revisionID:
      // printf converts NULL, in a left join without a match, to 0.
      return "CASE WHEN \(table).revision IS NOT NULL THEN printf('%x', \(table).revision) END"
    case nil:
      let members = try MetadataField.allCases.map { "'\($0.rawValue)', \(try metadata($0, name))" }
      return
        "CASE WHEN \(table).id IS NOT NULL THEN concordance_op_object(\(members.joined(separator: ", "))) END"
    }
  }

  private func array(_ elements: [QueryExpression], of expression: QueryExpression) throws -> String {
    if let constant = expression.constantJSON { return SQLText.blob(Array(constant.text.utf8)) }
    return try splitCall(elements.map { try exact($0) }, "concordance_array_of", joinedBy: "concordance_array_concat")
  }

  private func dictionary(_ entries: [DictionaryEntry], of expression: QueryExpression) throws -> String {
    if let constant = expression.constantJSON { return SQLText.blob(Array(constant.text.utf8)) }
    guard entries.count * 2 <= QueryFunctions.maximumArity else {
      throw QueryCompilationError(
        .unsupported,
        "a dictionary of computed values may have at most \(QueryFunctions.maximumArity / 2) entries, "
          + "not \(entries.count)")
    }
    let members = try entries.map { "\(SQLText.literal($0.key)), \(try exact($0.value))" }
    return "concordance_op_object(\(members.joined(separator: ", ")))"
  }

  private func concatenation(_ expression: QueryExpression) throws -> String {
    var operands: [QueryExpression] = []
    func collect(_ expression: QueryExpression) {
      if case .concatenation(let one, let other) = expression {
        collect(one)
        collect(other)
      } else {
        operands.append(expression)
      }
    }
    collect(expression)
    return try splitCall(operands.map { try exact($0) }, "concordance_concat", joinedBy: "concordance_concat")
  }

  /// Returns a call to the function for AND or OR with any number of operands.
  func folded(_ name: String, _ operands: [QueryExpression], isCondition: Bool = false) throws -> String {
    let values = try operands.map { try exact($0) }
    guard values.count > 1 else {
      let truth = "concordance_truth(\(values.first ?? "NULL"))"
      return isCondition ? truth : "concordance_boolean(\(truth))"
    }
    let call = splitCall(values, name, joinedBy: name)
    return isCondition ? "\(name)_condition\(call.dropFirst(name.count))" : call
  }

  /// Returns a call that is split into nested calls if it has more arguments than SQLite allows.
  private func splitCall(_ arguments: [String], _ name: String, joinedBy outer: String) -> String {
    let size = QueryFunctions.maximumArity
    guard arguments.count > size else { return "\(name)(\(arguments.joined(separator: ", ")))" }
    let parts = stride(from: 0, to: arguments.count, by: size).map { start in
      let part = arguments[start..<min(start + size, arguments.count)]
      return part.count == 1 && name == outer ? part[start] : "\(name)(\(part.joined(separator: ", ")))"
    }
    return splitCall(parts, outer, joinedBy: outer)
  }

  private func comparison(
    _ symbol: ComparisonOperator, _ one: QueryExpression, _ other: QueryExpression
  ) throws -> String {
    switch symbol {
    case .equal: try operation("equals", [one, other])
    case .notEqual: try operation("not_equals", [one, other])
    case .less: try operation("less", [one, other])
    case .lessOrEqual: try operation("less_or_equals", [one, other])
    case .greater: try operation("less", [other, one])
    case .greaterOrEqual: try operation("less_or_equals", [other, one])
    }
  }

  /// Returns a call to the function for an operator, with the current collation.
  func operation(_ name: String, _ operands: [QueryExpression], isCondition: Bool = false) throws -> String {
    var arguments = try operands.map { try exact($0) }
    if let collation = try collationName() { arguments.append(SQLText.literal(collation)) }
    return "concordance_op_\(name)\(isCondition ? "_condition" : "")(\(arguments.joined(separator: ", ")))"
  }

  /// Returns SQL for CASE; `result` returns the SQL for the result of a branch.
  func conditional(
    _ subject: QueryExpression?, _ branches: [ConditionalBranch], _ otherwise: String,
    _ result: (QueryExpression) throws -> String
  ) throws -> String {
    guard !branches.isEmpty else { return otherwise }
    if let subject { return try simpleConditional(subject, branches, otherwise, result) }
    let parts = try branches.map { branch in
      "WHEN \(try condition(branch.when)) THEN \(try result(branch.then))"
    }
    return "CASE \(parts.joined(separator: " ")) ELSE \(otherwise) END"
  }

  /// Returns SQL for CASE with a subject. The subject is written only once: if every branch repeated it, a few levels
  /// of nesting would produce megabytes of SQL.
  private func simpleConditional(
    _ subject: QueryExpression, _ branches: [ConditionalBranch], _ otherwise: String,
    _ result: (QueryExpression) throws -> String
  ) throws -> String {
    let pairs = [subject] + branches.map(\.when)
    let collation = QueryExpression.firstCollation(of: pairs) ?? self.collation
    let (key, values) = try withCollation(collation) {
      let values = try branches.map { try operand($0.when.withoutCollations) }
      return (try collated(operand(subject.withoutCollations), with: values.joined()), values)
    }
    let parts = try zip(values, branches).map { "WHEN \($0) THEN \(try result($1.then))" }
    return "CASE \(key) \(parts.joined(separator: " ")) ELSE \(otherwise) END"
  }
}

extension ArithmeticOperator {
  fileprivate var functionName: String {
    switch self {
    case .add: "add"
    case .subtract: "subtract"
    case .multiply: "multiply"
    case .divide: "divide"
    case .remainder: "remainder"
    }
  }
}

extension QueryExpression {
  /// The value of an expression that consists of literals only, otherwise nil. A missing element of an array becomes
  /// null; a missing member of a dictionary is omitted.
  var constantJSON: JSONValue? {
    switch self {
    case .null: return .null
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let number): return .int64(number)
    case .double(let number): return number.isFinite ? .double(number) : .null
    case .string(let string): return .string(string)
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements {
        guard let value = element == .missing ? .null : element.constantJSON else { return nil }
        values.append(value)
      }
      return .array(values)
    case .dictionary(let entries):
      var members: [JSONMember] = []
      for entry in entries where entry.value != .missing {
        guard let value = entry.value.constantJSON else { return nil }
        members.append(JSONMember(entry.key, value))
      }
      return .object(members)
    default: return nil
    }
  }
}
