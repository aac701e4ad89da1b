import Foundation
import QueryModel

/// The state of a translation: the values of the predicate's variables, and the properties of its types.
final class PredicateContext {
  var bindings: [PredicateExpressions.VariableID: QueryExpression] = [:]
  let keyPaths = KeyPathResolver()
  private let variableName: String
  /// The number of element variables in scope.
  private var depth = 0

  init(variableName: String) {
    self.variableName = variableName
  }

  // MARK: Parts

  func value(_ part: some PredicateExpression) throws -> QueryExpression {
    if let constant = try constant(part) { return try CapturedValue.expression(of: constant.value) }
    return try node(part).value(in: self)
  }

  func condition(_ part: some PredicateExpression, is expected: Bool) throws -> QueryExpression {
    if let constant = try constant(part) {
      guard let boolean = constant.unwrapped as? Bool else { return .boolean(false) }
      return .boolean(boolean == expected)
    }
    return try node(part).condition(expected, in: self)
  }

  func nilCondition(_ part: some PredicateExpression, is isNil: Bool) throws -> QueryExpression? {
    if let constant = try constant(part) { return constant.unwrapped == nil ? .boolean(isNil) : nil }
    return try node(part).nilCondition(isNil, in: self)
  }

  func anyCounted(_ part: some PredicateExpression) throws -> QueryExpression? {
    try node(part).anyCounted(in: self)
  }

  /// A value that is the same for every document.
  struct Constant {
    let value: Any

    /// The value, or nil for nil.
    var unwrapped: Any? {
      var value = value
      while let optional = value as? any OptionalValue {
        guard let inner = optional.wrappedValue else { return nil }
        value = inner
      }
      return value
    }
  }

  /// The value of a part that is the same for every document.
  func constant(_ part: some PredicateExpression) throws -> Constant? {
    guard try node(part).isConstant else { return nil }
    do {
      return Constant(value: try part.evaluate(PredicateBindings()))
    } catch {
      throw CBLError(CBLError.invalidQuery, "a captured value of the predicate cannot be computed: \(error)")
    }
  }

  private func node(_ part: some PredicateExpression) throws -> any TranslatableExpression {
    guard let node = part as? any TranslatableExpression else { throw PredicateContext.unsupported(part) }
    return node
  }

  static func unsupported(_ part: Any, _ reason: String? = nil) -> CBLError {
    // Without generic arguments, as in `SequenceMinimum<KeyPath<…>>`.
    let name = "\(type(of: part))".prefix { $0 != "<" }
    return CBLError(
      CBLError.invalidQuery, "the predicate cannot be asked of documents: \(reason ?? "\(name) has no form in a query")"
    )
  }

  // MARK: Elements

  /// Calls `body` with a name for the elements of an array.
  func withElement<R>(_ body: (String) throws -> R) rethrows -> R {
    depth += 1
    defer { depth -= 1 }
    return try body(depth == 1 ? variableName : "\(variableName)\(depth)")
  }
}
