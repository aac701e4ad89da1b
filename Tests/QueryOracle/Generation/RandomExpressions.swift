import JSONText
import QueryModel

/// Random expressions that make sense: numbers are added, strings are joined, most of the time.
struct RandomExpressions {
  var choices: RandomChoices
  /// What can be read here.
  var subjects: [RandomSubject]
  /// The values of parameters that stand for literals.
  var parameters: [String: JSONValue] = [:]
  /// Once in how many times a literal becomes a parameter.
  var parameterRarity = 12
  /// Whether only that may stand here for which the query builder has calls: no CASE, no EXISTS and so on.
  var isPlain = false
  /// How many quantifiers are around.
  var quantifierDepth = 0

  init(choices: RandomChoices, subjects: [RandomSubject]) {
    self.choices = choices
    self.subjects = subjects
  }

  // MARK: Leaves

  /// A value in a document, or an element.
  mutating func reference(_ kind: RandomSubject.Kind) -> QueryExpression {
    // Variables stand last, and a condition is of little use without its own.
    let subject = quantifierDepth > 0 && !choices.chance(3) ? subjects[subjects.count - 1] : choices.one(of: subjects)
    return subject.expression(choices.one(of: subject.paths(kind)))
  }

  /// `META().id` and so on of one of the documents; a reference where there is none.
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

  /// The value as a literal or as a parameter.
  mutating func literal(_ value: JSONValue) -> QueryExpression {
    if choices.chance(parameterRarity) {
      if choices.chance(3), let name = parameters.keys.sorted().first(where: { parameters[$0] == value }) {
        return .parameter(name)
      }
      let name = ["p", "q 2", "Ü", "1"][parameters.count % 4] + (parameters.count < 4 ? "" : "\(parameters.count)")
      parameters[name] = value
      return .parameter(name)
    }
    return RandomExpressions.expression(of: value)
  }

  /// A value written out.
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

  /// Once in a while a value with a collation of its own, as the left side of a comparison.
  mutating func collated(_ operand: QueryExpression) -> QueryExpression {
    choices.chance(10) ? .collated(operand, collation()) : operand
  }
}
