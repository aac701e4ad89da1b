import JSONText

/// The possible locations of the array that `ANY a.b.c` refers to.
///
/// Any value on the path may be the array; the rest of the path then continues from each element, as in key-value
/// coding. Which value is the array depends on the document.
struct PredicateElements {
  private let base: QueryExpression
  private let steps: [PropertyPath.Component]
  /// The numbers of path components that may lead to the array.
  private let lengths: ClosedRange<Int>

  /// The number of values on the path that may be the array.
  var count: Int { lengths.count }

  init(_ expression: QueryExpression) {
    var first = 0
    switch expression {
    case .property(let path, let source):
      (base, steps) = (.everything(source: source), path.components)
      // The document itself is not an array.
      first = 1
    case .variable(let name, let path): (base, steps) = (.variable(name, PropertyPath([])), path.components)
    case .member(let inner, let path): (base, steps) = (inner, path.components)
    default: (base, steps) = (expression, [])
    }
    // A position refers to an array, not to its elements.
    let lastPosition = steps.lastIndex { step in
      if case .position = step { true } else { false }
    }
    first = max(first, lastPosition.map { $0 + 1 } ?? 0)
    lengths = first...max(first, steps.count)
  }

  /// Returns a quantified condition on the elements, for each possible location of the array.
  func quantified(
    _ quantifier: Quantifier, variable: String, _ condition: (QueryExpression) -> QueryExpression
  ) -> QueryExpression {
    let branches = lengths.map { length in
      let array = base.member(at: Array(steps.prefix(length)))
      let element = QueryExpression.variable(variable, PropertyPath(Array(steps.dropFirst(length))))
      return ConditionalBranch(
        when: .function(.isArray, [array]),
        then: .quantified(quantifier, variable: variable, in: array, satisfies: condition(element)))
    }
    guard let last = branches.last, branches.count > 1 else { return branches.first?.then ?? .boolean(false) }
    return .conditional(subject: nil, branches: branches.dropLast(), otherwise: last.then)
  }

  /// Returns a name for the element variable that does not occur in these expressions.
  static func variable(for expressions: [QueryExpression]) -> String {
    var taken: Set<String> = []
    for expression in expressions {
      expression.visit { inner in
        switch inner {
        case .variable(let name, _), .quantified(_, let name, _, _): taken.insert(name)
        case .property(let path, nil): if case .key(let key)? = path.components.first { taken.insert(key) }
        default: break
        }
      }
    }
    let number = (1...).first { !taken.contains($0 == 1 ? "element" : "element\($0)") } ?? 1
    return number == 1 ? "element" : "element\(number)"
  }
}
