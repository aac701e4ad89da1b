import Foundation
import QueryModel

/// The state of the translation of one predicate: the values of its variables, and the properties of its key paths.
///
/// Its methods translate the parts of an expression. A part that is the same for every document is evaluated
/// immediately and becomes a literal; for other parts they call the methods of ``TranslatableExpression``.
final class PredicateContext {
  /// The value of each variable in scope: a document, an element of an array, or an unwrapped value.
  var bindings: [PredicateExpressions.VariableID: QueryExpression] = [:]
  /// Finds the properties of key paths.
  let keyPaths = KeyPathResolver()
  /// The name of the outermost element variable in the query.
  private let variableName: String
  /// The number of element variables in scope.
  private var depth = 0

  /// Creates the context of a translation.
  ///
  /// - Parameter variableName: the name of the outermost element variable. The names of nested variables consist of it
  ///   and a number. No property of the query may begin with it.
  init(variableName: String) {
    self.variableName = variableName
  }

  // MARK: Parts

  /// Returns the value of a part.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the part cannot be translated. The other methods throw the same error.
  func value(_ part: some PredicateExpression) throws -> QueryExpression {
    if let constant = try constant(part) { return try CapturedValue.expression(of: constant.value) }
    return try node(part).value(in: self)
  }

  /// Returns the condition that a part is true, or that it is false. See ``TranslatableExpression/condition(_:in:)``.
  func condition(_ part: some PredicateExpression, is expected: Bool) throws -> QueryExpression {
    if let constant = try constant(part) {
      guard let boolean = constant.unwrapped as? Bool else { return .boolean(false) }
      return .boolean(boolean == expected)
    }
    return try node(part).condition(expected, in: self)
  }

  /// Returns the condition that a part is nil, or that it is not nil. Returns nil if the part cannot be nil.
  func nilCondition(_ part: some PredicateExpression, is isNil: Bool) throws -> QueryExpression? {
    if let constant = try constant(part) { return constant.unwrapped == nil ? .boolean(isNil) : nil }
    return try node(part).nilCondition(isNil, in: self)
  }

  /// Returns the condition that a count of filtered elements is not 0; nil if the part is not such a count.
  func anyCounted(_ part: some PredicateExpression) throws -> QueryExpression? {
    try node(part).anyCounted(in: self)
  }

  /// A value that is the same for every document.
  struct Constant {
    let value: Any

    /// The value with all optionals unwrapped; nil if one of them is nil.
    var unwrapped: Any? {
      var value = value
      while let optional = value as? any OptionalValue {
        guard let inner = optional.wrappedValue else { return nil }
        value = inner
      }
      return value
    }
  }

  /// Evaluates a part that is the same for every document; returns nil for other parts.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the evaluation throws an error.
  func constant(_ part: some PredicateExpression) throws -> Constant? {
    guard try node(part).isConstant else { return nil }
    do {
      return Constant(value: try part.evaluate(PredicateBindings()))
    } catch {
      throw CBLError(CBLError.invalidQuery, "a captured value of the predicate cannot be evaluated: \(error)")
    }
  }

  /// Returns the part as a translatable expression.
  private func node(_ part: some PredicateExpression) throws -> any TranslatableExpression {
    guard let node = part as? any TranslatableExpression else { throw PredicateContext.unsupported(part) }
    return node
  }

  /// Returns the error for a part that cannot be translated.
  ///
  /// - Parameters:
  ///   - part: the part. If there is no reason, the message contains its type.
  ///   - reason: the reason, for the message.
  static func unsupported(_ part: Any, _ reason: String? = nil) -> CBLError {
    // Without generic arguments, as in `SequenceMinimum<KeyPath<…>>`.
    let name = "\(type(of: part))".prefix { $0 != "<" }
    return CBLError(
      CBLError.invalidQuery,
      "the predicate cannot be translated to a query: \(reason ?? "\(name) has no equivalent in queries")")
  }

  // MARK: Elements

  /// Calls `body` with the name of a new element variable, which is in scope until `body` returns.
  func withElement<R>(_ body: (String) throws -> R) rethrows -> R {
    depth += 1
    defer { depth -= 1 }
    return try body(depth == 1 ? variableName : "\(variableName)\(depth)")
  }
}
