public import JSONText

/// Expressions put together so that each meaning has one form, whichever front end asks for it.
extension QueryExpression {
  /// The value at a path inside this one: `.a[0]` behind it.
  ///
  /// A path behind a path is one path; behind `META()` a key is its field. For no steps this expression itself.
  public func member(at steps: [PropertyPath.Component]) -> QueryExpression {
    guard let first = steps.first else { return self }
    switch self {
    case .everything(let source):
      // A document is no array, so a position at its very beginning has no form as a property.
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

  /// The conjunction with another condition: a chain of calls makes one flat ``and(_:)``, as `a AND b AND c` does.
  public func and(_ other: QueryExpression) -> QueryExpression {
    if case .and(let operands) = self { return .and(operands + [other]) }
    return .and([self, other])
  }

  /// The disjunction with another condition, flat as in ``and(_:)-(QueryExpression)``.
  public func or(_ other: QueryExpression) -> QueryExpression {
    if case .or(let operands) = self { return .or(operands + [other]) }
    return .or([self, other])
  }
}
