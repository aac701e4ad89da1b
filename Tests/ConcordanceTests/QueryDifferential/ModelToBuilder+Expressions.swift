import Concordance
import JSONText
import QueryModel

extension ModelToBuilder {
  /// Returns the expression that the builder creates, or nil.
  func expression(_ expression: QueryExpression) -> (any ExpressionProtocol)? {
    switch expression {
    case .null: Expression.value(nil)
    case .boolean(let flag): Expression.boolean(flag)
    case .integer(let number): Expression.int64(number)
    case .double(let number): Expression.double(number)
    case .string(let text): Expression.string(text)
    case .array(let elements): expressions(elements).map { Expression.array($0) }
    case .dictionary(let entries): dictionary(entries)
    case .property(let path, let source):
      source == nil ? Expression.property(path.description) : Expression.property(path.description).from(source)
    case .everything(let source): source == nil ? Expression.all() : Expression.all().from(source)
    case .metadata(let field, let source): metadata(field, source)
    case .parameter(let name): Expression.parameter(name)
    case .variable(let name, let path):
      ArrayExpression.variable(PropertyPath([.key(name)] + path.components).description)
    case .quantified(let quantifier, let variable, let array, let condition):
      quantified(quantifier, variable, array, condition)
    case .function(let function, let arguments, isDistinct: false): call(function, arguments)
    default: operation(expression)
    }
  }

  /// Returns all expressions, or nil if the builder cannot create one of them.
  func expressions(_ expressions: [QueryExpression]) -> [any ExpressionProtocol]? {
    let built = expressions.compactMap(expression)
    return built.count == expressions.count ? built : nil
  }

  private func operation(_ operation: QueryExpression) -> (any ExpressionProtocol)? {
    guard let operands = expressions(operation.children) else { return nil }
    switch operation {
    case .arithmetic(.add, _, _): return operands[0].add(operands[1])
    case .arithmetic(.subtract, _, _): return operands[0].subtract(operands[1])
    case .arithmetic(.multiply, _, _): return operands[0].multiply(operands[1])
    case .arithmetic(.divide, _, _): return operands[0].divide(operands[1])
    case .arithmetic(.remainder, _, _): return operands[0].modulo(operands[1])
    case .comparison(.equal, _, _): return operands[0].equalTo(operands[1])
    case .comparison(.notEqual, _, _): return operands[0].notEqualTo(operands[1])
    case .comparison(.less, _, _): return operands[0].lessThan(operands[1])
    case .comparison(.lessOrEqual, _, _): return operands[0].lessThanOrEqualTo(operands[1])
    case .comparison(.greater, _, _): return operands[0].greaterThan(operands[1])
    case .comparison(.greaterOrEqual, _, _): return operands[0].greaterThanOrEqualTo(operands[1])
    case .is(_, .null): return operands[0].is(operands[1])
    case .isValued: return operands[0].isValued()
    case .in(let left, .array(let elements)):
      guard let value = expression(left), let list = expressions(elements) else { return nil }
      return value.in(list)
    case .in: return operands[0].in(operands[1])
    case .between: return operands[0].between(operands[1], and: operands[2])
    case .like: return operands[0].like(operands[1])
    case .ilike: return operands[0].ilike(operands[1])
    case .not(.isValued(let inner)): return expression(inner)?.isNotValued()
    case .not(.is(let inner, .null)): return expression(inner)?.isNot(Expression.value(nil))
    case .not: return Expression.not(operands[0])
    // A chain of calls is flat, so a conjunction cannot begin with another.
    case .and(let parts):
      if case .and? = parts.first { return nil }
      return operands.dropFirst().reduce(operands[0]) { $0.and($1) }
    case .or(let parts):
      if case .or? = parts.first { return nil }
      return operands.dropFirst().reduce(operands[0]) { $0.or($1) }
    case .collated(_, .binary): return operands[0].collate(Collation.ascii())
    case .collated(_, .asciiIgnoringCase): return operands[0].collate(Collation.ascii().ignoreCase(true))
    case .collated(_, .unicode(let locale, let ignoresCase, let ignoresAccents)):
      let collation = Collation.unicode().locale(locale).ignoreCase(ignoresCase).ignoreAccents(ignoresAccents)
      return operands[0].collate(collation)
    default: return nil
    }
  }

  // MARK: Operands

  private func dictionary(_ entries: [DictionaryEntry]) -> (any ExpressionProtocol)? {
    // A Swift dictionary is unordered and has unique keys; the builder sorts the keys.
    let keys = entries.map { Array($0.key.utf8) }
    guard zip(keys, keys.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
      let values = expressions(entries.map(\.value))
    else { return nil }
    return Expression.dictionary(Dictionary(zip(entries.map(\.key), values)) { first, _ in first })
  }

  private func metadata(_ field: MetadataField?, _ source: String?) -> (any ExpressionProtocol)? {
    let value: any MetaExpressionProtocol
    switch field {
    case .id: value = Meta.id
    case .sequence: value = Meta.sequence
    case .revisionID: value = Meta.revisionID
    case .deleted: value = Meta.isDeleted
    case .expiration: value = Meta.expiration
    case nil: return nil
    }
    return source.map { value.from($0) } ?? value
  }

  private func quantified(
    _ quantifier: Quantifier, _ name: String, _ array: QueryExpression, _ condition: QueryExpression
  ) -> (any ExpressionProtocol)? {
    guard let array = expression(array), let condition = expression(condition) else { return nil }
    let variable = ArrayExpression.variable(PropertyPath([.key(name)]).description)
    let elements =
      switch quantifier {
      case .any: ArrayExpression.any(variable)
      case .every: ArrayExpression.every(variable)
      case .anyAndEvery: ArrayExpression.anyAndEvery(variable)
      }
    return elements.in(array).satisfies(condition)
  }

  private func call(_ function: QueryModel.QueryFunction, _ arguments: [QueryExpression]) -> (any ExpressionProtocol)? {
    if function == .count, arguments == [.everything(source: nil)] { return Function.count() }
    guard let values = expressions(arguments) else { return nil }
    switch (function, values.count) {
    case (.average, 1): return Function.avg(values[0])
    case (.count, 1): return Function.count(values[0])
    case (.maximum, 1): return Function.max(values[0])
    case (.minimum, 1): return Function.min(values[0])
    case (.sum, 1): return Function.sum(values[0])
    case (.abs, 1): return Function.abs(values[0])
    case (.ceil, 1): return Function.ceil(values[0])
    case (.floor, 1): return Function.floor(values[0])
    case (.round, 1): return Function.round(values[0])
    case (.sign, 1): return Function.sign(values[0])
    case (.truncate, 1): return Function.trunc(values[0])
    case (.contains, 2): return Function.contains(values[0], substring: values[1])
    case (.length, 1): return Function.length(values[0])
    case (.lower, 1): return Function.lower(values[0])
    case (.upper, 1): return Function.upper(values[0])
    case (.trim, 1): return Function.trim(values[0])
    case (.trimLeft, 1): return Function.ltrim(values[0])
    case (.trimRight, 1): return Function.rtrim(values[0])
    case (.arrayContains, 2): return ArrayFunction.contains(values[0], value: values[1])
    case (.arrayLength, 1): return ArrayFunction.length(values[0])
    // The other functions are called by name. An array cannot be passed as variadic arguments.
    case (_, 1): return Function.call(function.rawValue, values[0])
    case (_, 2): return Function.call(function.rawValue, values[0], values[1])
    case (_, 3): return Function.call(function.rawValue, values[0], values[1], values[2])
    default: return nil
    }
  }
}
