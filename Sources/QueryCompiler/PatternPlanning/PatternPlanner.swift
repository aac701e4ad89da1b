import JSONText
import PatternMatching
import QueryModel
import TrigramIndex

/// Finds the conditions with patterns that pattern indexes narrow down: LIKE, ILIKE, regular expressions and CONTAINS over properties of
/// the first source, at the top of WHERE, below OR and inside ANY.
///
/// Below NOT an index says nothing of use: what may match is just what is not asked for.
struct PatternPlanner {
  private let query: ResolvedQuery
  private let source: ResolvedSource
  private let indexes: [StoredPatternIndex]
  /// SQL for the rows of an operand of OR that other indexes answer.
  private let otherRows: ([Conjunct]) throws -> String?

  init(
    _ query: ResolvedQuery, _ source: ResolvedSource, _ schema: CollectionSchema,
    otherRows: @escaping ([Conjunct]) throws -> String?
  ) {
    self.query = query
    self.source = source
    indexes = schema.patternIndexes.filter { !$0.isOutdated }.sorted { $0.breadth < $1.breadth }
    self.otherRows = otherRows
  }

  /// What the pattern indexes know of the rows; nil where no condition asks them.
  func candidates(_ conjuncts: [Conjunct]) throws -> RowCandidates? {
    guard !indexes.isEmpty else { return nil }
    let found = try all(conjuncts, ConditionContext())
    return found?.probes.isEmpty == false ? found : nil
  }

  /// Why a query does not ask an index.
  ///
  /// - Parameter probes: the questions that it asks others.
  static func reason(against index: StoredPatternIndex, _ probes: [PatternProbe]) -> String {
    if index.isOutdated { return "it was made by another version and must be rebuilt" }
    if let probe = probes.first(where: { index.covers($0.path) }) {
      return "\"\(probe.index.name)\" serves as much or more"
    }
    return "no LIKE, regular expression or CONTAINS on its properties has to be true"
  }

  /// What is around a condition.
  private struct ConditionContext {
    /// The paths that variables of ANY stand for.
    var variables: [String: PropertyPath] = [:]
    /// The outermost ANY.
    var test: QueryExpression?
  }

  private func all(_ conjuncts: [Conjunct], _ around: ConditionContext) throws -> RowCandidates? {
    let parts = try conjuncts.compactMap { try candidates($0, around) }
    return parts.count > 1 ? .all(parts) : parts.first
  }

  private func candidates(_ conjunct: Conjunct, _ around: ConditionContext) throws -> RowCandidates? {
    switch conjunct.inner {
    case .or(let operands) where operands.count <= PatternPlanner.maximumOperands:
      var parts: [RowCandidates] = []
      for operand in operands {
        let inner = Conjunct.all(of: operand, collation: conjunct.collation)
        if let part = try all(inner, around) {
          parts.append(part)
        } else if around.test == nil, let sql = try otherRows(inner) {
          parts.append(.rows(sql))
        } else {
          return nil
        }
      }
      return .any(parts)
    case .quantified(let quantifier, let name, let list, let condition) where quantifier != .every:
      guard let path = path(of: list, around) else { return nil }
      var inside = around
      inside.variables[name] = PropertyPath(path.components + [.each])
      inside.test = around.test ?? conjunct.test
      return try all(Conjunct.all(of: condition, collation: conjunct.collation), inside)
    default: return probe(conjunct, around).map { .pattern($0) }
    }
  }

  private static let maximumOperands = 100

  private func probe(_ conjunct: Conjunct, _ around: ConditionContext) -> PatternProbe? {
    let (subject, pattern, kind): (QueryExpression, QueryExpression, PatternProbe.Kind)
    switch conjunct.inner {
    case .like(let text, let like): (subject, pattern, kind) = (text, like, .like(.init(conjunct.collation)))
    case .ilike(let text, let like): (subject, pattern, kind) = (text, like, .like(.unicode))
    case .function(.contains, let arguments, _) where conjunct.collation == .binary:
      (subject, pattern, kind) = (arguments[0], arguments[1], .literal)
    case .function(.regexContains, let arguments, _), .function(.regexLike, let arguments, _):
      let flags = arguments.dropFirst(2).first ?? .string("")
      guard let flags = PatternProbe.Text(flags) else { return nil }
      (subject, pattern, kind) = (arguments[0], arguments[1], .regularExpression(flags: flags))
    default: return nil
    }
    guard let path = path(of: subject, around), let index = indexes.first(where: { $0.covers(path) }) else {
      return nil
    }
    guard let text = PatternProbe.Text(pattern) else { return nil }
    return PatternProbe(
      index: index, condition: query.text(of: conjunct.expression), test: around.test ?? conjunct.test, kind: kind,
      text: text, path: path)
  }

  /// The path of a property of the source, also where a variable of ANY leads there.
  private func path(of expression: QueryExpression, _ around: ConditionContext) -> PropertyPath? {
    switch expression {
    case .property(let path, source.name): path
    case .variable(let name, let path): around.variables[name].map { PropertyPath($0.components + path.components) }
    default: nil
    }
  }
}

extension Conjunct {
  /// The condition with its collation.
  fileprivate var test: QueryExpression { collation == .binary ? inner : .collated(inner, collation) }
}

extension PatternProbe.Text {
  fileprivate init?(_ expression: QueryExpression) {
    switch expression {
    case .string(let string): self = .literal(string)
    case .parameter(let name): self = .parameter(name)
    default: return nil
    }
  }
}

extension TrigramQuery.LikeFolding {
  fileprivate init(_ collation: QueryCollation) {
    switch collation {
    case .binary: self = .none
    case .asciiIgnoringCase: self = .ascii
    case .unicode: self = .collation
    }
  }
}
