public import JSONText

/// Constructors that represent each meaning in a single form, regardless of the query language.
extension QueryExpression {
  /// Returns the value at a path inside this one: `.a[0]` after the expression.
  ///
  /// A path after a path becomes one path; a key after `META()` becomes a metadata field. With no components, returns
  /// the expression itself.
  public func member(at steps: [PropertyPath.Component]) -> QueryExpression {
    guard let first = steps.first else { return self }
    switch self {
    case .everything(let source):
      // A document is not an array, so a path that begins with a position is not a property.
      if case .key = first { return .property(PropertyPath(steps), source: source) }
    case .property(let path, let source):
      return .property(PropertyPath(path.components + steps), source: source)
    case .variable(let name, let path): return .variable(name, PropertyPath(path.components + steps))
    case .member(let base, let path): return .member(of: base, PropertyPath(path.components + steps))
    case .metadata(nil, let source):
      if case .key(let key) = first, let field = MetadataField(rawValue: key) {
        return QueryExpression.metadata(field, source: source).member(at: Array(steps.dropFirst()))
      }
    default: break
    }
    return .member(of: self, PropertyPath(steps))
  }

  /// Returns the conjunction with another condition. A chain of calls creates one flat ``and(_:)``, as `a AND b AND c`
  /// does.
  public func and(_ other: QueryExpression) -> QueryExpression {
    if case .and(let operands) = self { return .and(operands + [other]) }
    return .and([self, other])
  }

  /// Returns the disjunction with another condition, flat as in ``and(_:)-(QueryExpression)``.
  public func or(_ other: QueryExpression) -> QueryExpression {
    if case .or(let operands) = self { return .or(operands + [other]) }
    return .or([self, other])
  }
}
