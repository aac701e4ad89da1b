extension MatchQuery {
  /// Rewrites a query from the leaves up: calls `transform` for every node after its operands were replaced.
  ///
  /// ```swift
  /// query.map { if case .phrase(let phrase) = $0 { expand(phrase) } else { $0 } }
  /// ```
  ///
  /// - Complexity: One call per node.
  public func map<Failure: Error>(
    _ transform: (MatchQuery) throws(Failure) -> MatchQuery
  ) throws(Failure) -> MatchQuery {
    switch self {
    case .nothing, .phrase, .words, .near:
      return try transform(self)
    case .and(let operands):
      return try transform(.and(Self.map(operands, transform)))
    case .or(let operands):
      return try transform(.or(Self.map(operands, transform)))
    case .not(let wanted, let unwanted):
      return try transform(.not(wanted.map(transform), unwanted.map(transform)))
    case .fields(let filter, let operand):
      return try transform(.fields(filter, operand.map(transform)))
    }
  }

  /// Calls `body` for every node: a node before its operands, operands in source order.
  public func visit<Failure: Error>(_ body: (MatchQuery) throws(Failure) -> Void) throws(Failure) {
    try body(self)
    switch self {
    case .nothing, .phrase, .words, .near:
      break
    case .and(let operands), .or(let operands):
      for operand in operands { try operand.visit(body) }
    case .not(let wanted, let unwanted):
      try wanted.visit(body)
      try unwanted.visit(body)
    case .fields(_, let operand):
      try operand.visit(body)
    }
  }

  /// Every phrase of the query in source order, including those under `NOT`.
  public var phrases: [MatchPhrase] {
    var found: [MatchPhrase] = []
    visit { node in
      switch node {
      case .phrase(let phrase): found.append(phrase)
      case .words(let phrases), .near(let phrases, _): found += phrases
      case .nothing, .and, .or, .not, .fields: break
      }
    }
    return found
  }

  private static func map<Failure: Error>(
    _ operands: [MatchQuery], _ transform: (MatchQuery) throws(Failure) -> MatchQuery
  ) throws(Failure) -> [MatchQuery] {
    var result: [MatchQuery] = []
    result.reserveCapacity(operands.count)
    for operand in operands { result.append(try operand.map(transform)) }
    return result
  }
}
