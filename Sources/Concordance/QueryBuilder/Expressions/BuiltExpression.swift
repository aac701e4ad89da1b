import JSONText
import QueryModel

/// An expression of the builder: a part of the syntax tree, and the first error of the calls that built it.
struct BuiltExpression: Sendable {
  let model: QueryExpression
  /// The nesting depth.
  let height: Int
  /// The first error.
  let fault: CBLError?

  /// Creates an expression without operands.
  init(_ model: QueryExpression) {
    self.init(model: model, height: 1, fault: nil)
  }

  /// Creates a placeholder for an invalid expression.
  init(fault: CBLError) {
    self.init(model: .null, height: 1, fault: fault)
  }

  /// Creates an expression with operands.
  init(over operands: [BuiltExpression], _ make: ([QueryExpression]) -> QueryExpression) {
    self.init(
      over: operands, height: (operands.map(\.height).max() ?? 0) + 1, model: { make(operands.map(\.model)) })
  }

  fileprivate init(over operands: [BuiltExpression], height: Int, model: () -> QueryExpression) {
    if let fault = operands.lazy.compactMap(\.fault).first {
      self.init(fault: fault)
    } else if height > SQLParser.maximumDepth {
      // Traversing and releasing an expression are recursive, so a deeper expression must never be created.
      self.init(fault: .invalidQuery("an expression is nested more than \(SQLParser.maximumDepth) levels deep"))
    } else if height % 32 == 0, !StackSpace().hasRoom(forLevels: height + 32) {
      // Checked only occasionally, because it takes a few microseconds.
      self.init(
        fault: .invalidQuery(
          "an expression is nested \(height) levels deep, too deep for the stack of this thread"))
    } else {
      self.init(model: model(), height: height, fault: nil)
    }
  }

  private init(model: QueryExpression, height: Int, fault: CBLError?) {
    self.model = model
    self.height = height
    self.fault = fault
  }

  /// Creates a placeholder for an object whose type is not defined by this library.
  static func foreign(_ object: Any, _ maker: String) -> BuiltExpression {
    BuiltExpression(
      fault: .invalidQuery("a query cannot contain a \(type(of: object)); create it with \(maker)"))
  }
}

extension BuiltExpression {
  /// Converts an expression that the caller passed in.
  init(_ expression: any ExpressionProtocol) {
    self = (expression as? any BuilderExpression)?.built ?? .foreign(expression, "Expression")
  }

  /// Returns the conjunction with another condition. A chain of conjunctions is one flat list of operands.
  func and(_ other: BuiltExpression) -> BuiltExpression {
    var isChain = false
    if case .and = model { isChain = true }
    return joined(other, isChain: isChain) { model.and(other.model) }
  }

  /// Returns the disjunction with another condition. A chain of disjunctions is one flat list of operands.
  func or(_ other: BuiltExpression) -> BuiltExpression {
    var isChain = false
    if case .or = model { isChain = true }
    return joined(other, isChain: isChain) { model.or(other.model) }
  }

  private func joined(
    _ other: BuiltExpression, isChain: Bool, _ make: () -> QueryExpression
  ) -> BuiltExpression {
    BuiltExpression(
      over: [self, other], height: max(isChain ? height : height + 1, other.height + 1), model: make)
  }

  /// Returns the same property, document or metadata value of another source. Other expressions are returned unchanged.
  func from(_ source: String?) -> BuiltExpression {
    switch model {
    case _ where fault != nil: self
    case .property(let path, _): BuiltExpression(.property(path, source: source))
    case .everything: BuiltExpression(.everything(source: source))
    case .metadata(let field, _): BuiltExpression(.metadata(field, source: source))
    default: self
    }
  }
}

/// A type that can be converted to a ``BuiltExpression``: every expression type of this library.
protocol BuilderExpression: ExpressionProtocol {
  var built: BuiltExpression { get }
}

extension BuilderExpression {
  var description: String { built.fault?.message ?? SQLPrinter().text(of: built.model) }
}

extension BuiltExpression: BuilderExpression {
  var built: BuiltExpression { self }
}

extension CBLError {
  static func invalidQuery(_ message: String) -> CBLError { CBLError(invalidQuery, message) }
}
