import JSONText
import QueryModel

/// Random expressions that are mostly meaningful: numbers are added, strings are joined.
struct RandomExpressions {
  var choices: RandomChoices
  /// The values that an expression can read.
  var subjects: [RandomSubject]
  /// The values of parameters that replace literals.
  var parameters: [String: JSONValue] = [:]
  /// One in this number of literals becomes a parameter.
  var parameterIDF = 12
  /// Whether to use only expressions for which the query builder has calls: no CASE, no EXISTS and so on.
  var isPlain = false
  /// The number of enclosing quantifiers.
  var quantifierDepth = 0

  init(choices: RandomChoices, subjects: [RandomSubject]) {
    self.choices = choices
    self.subjects = subjects
  }

  // MARK: Leaves

  /// Returns a value in a document, or an element.
  mutating func reference(_ kind: RandomSubject.Kind) -> QueryExpression {
    // Variables come last, and a condition is of little use without its variable.
    let subject = quantifierDepth > 0 && !choices.chance(3) ? subjects[subjects.count - 1] : choices.one(of: subjects)
    return subject.expression(choices.one(of: subject.paths(kind)))
  }

  /// Returns `META().id` and the like of one of the documents; a reference if there is none.
  mutating func metadata() -> QueryExpression {
    guard case .document(let source) = choices.one(of: subjects) else { return reference(.any) }
    let field = choices.one(of: [MetadataField.id, .id, .id, .sequence, .sequence, .deleted, .expiration])
    return .metadata(field, source: source)
  }

  mutating func literal(_ kind: RandomSubject.Kind) -> QueryExpression {
    switch kind {
    case .number: literal(choices.numberValue())
    case .text: literal(.string(choices.string()))
    case .list: literal(choices.list(of: 0...3))
    case .any: literal(choices.value())
    }
  }

  /// Returns the value as a literal or as a parameter.
  mutating func literal(_ value: JSONValue) -> QueryExpression {
    if choices.chance(parameterIDF) {
      if choices.chance(3), let name = parameters.keys.sorted().first(where: { parameters[$0] == value }) {
        return .parameter(name)
      }
      let name = ["p", "q 2", "Ü", "1"][parameters.count % 4] + (parameters.count < 4 ? "" : "\(parameters.count)")
      parameters[name] = value
      return .parameter(name)
    }
    return RandomExpressions.expression(of: value)
  }

  /// Returns the value as an expression.
  static func expression(of value: JSONValue) -> QueryExpression {
    switch value {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .int64(let number): .integer(number)
    case .uint64(let number): .double(Double(number))
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(expression))
    case .object(let members): .dictionary(members.map { DictionaryEntry($0.key, expression(of: $0.value)) })
    }
  }

  mutating func leaf(_ kind: RandomSubject.Kind) -> QueryExpression {
    switch choices.number(0..<12) {
    case 0..<8: reference(kind)
    case 8..<11: literal(kind)
    default: choices.chance(3) ? (choices.chance(2) && !isPlain ? .missing : .null) : metadata()
    }
  }

  // MARK: Parts

  mutating func several<T>(_ count: ClosedRange<Int>, _ make: (inout RandomExpressions) -> T) -> [T] {
    (0..<choices.number(count)).map { _ in make(&self) }
  }

  mutating func collation() -> QueryCollation { choices.chance(4) ? .binary : .asciiIgnoringCase }

  /// Occasionally returns a value with an explicit collation, as the left operand of a comparison.
  mutating func collated(_ operand: QueryExpression) -> QueryExpression {
    choices.chance(10) ? .collated(operand, collation()) : operand
  }
}
