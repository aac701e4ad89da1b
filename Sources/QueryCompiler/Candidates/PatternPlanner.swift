import JSONText
import PatternMatching
import QueryModel
import TrigramIndex

/// Finds the conditions with patterns for which pattern indexes provide candidates: LIKE, ILIKE, regular expressions
/// and CONTAINS on properties of the first source, at the top level of WHERE, inside OR and inside ANY.
///
/// Inside NOT an index does not help: its candidates are the documents that NOT excludes.
struct PatternPlanner {
  private let query: ResolvedQuery
  private let source: ResolvedSource
  private let indexes: [StoredPatternIndex]
  /// Returns SQL for the rows of an operand of OR that another index answers.
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

  /// Returns the candidates; nil if no condition uses a pattern index.
  func candidates(_ conjuncts: [Conjunct]) throws -> RowCandidates? {
    guard !indexes.isEmpty else { return nil }
    let found = try all(conjuncts, ConditionContext())
    return found?.probes.isEmpty == false ? found : nil
  }

  /// Returns why a query does not use an index.
  ///
  /// - Parameter probes: the lookups of the query in other indexes.
  static func reason(against index: StoredPatternIndex, _ probes: [PatternProbe]) -> String {
    if index.isOutdated { return "it was built by another version and must be rebuilt" }
    if let probe = probes.first(where: { index.covers($0.path, includingMembers: true) }) {
      return "\"\(probe.index.name)\" answers at least as many conditions"
    }
    if index.coversElements {
      return "the query requires no LIKE, regular expression or CONTAINS condition on its properties; for conditions "
        + "inside ANY, index the array itself: tags instead of tags[]"
    }
    return "the query requires no LIKE, regular expression or CONTAINS condition on its properties"
  }

  /// The context of a condition inside ANY.
  private struct ConditionContext {
    /// The paths to which variables of ANY refer.
    var variables: [String: PropertyPath] = [:]
    /// The outermost ANY.
    var test: QueryExpression?
  }

  private func all(_ conjuncts: [Conjunct], _ context: ConditionContext) throws -> RowCandidates? {
    let parts = try conjuncts.compactMap { try candidates($0, context) }
    return parts.count > 1 ? .all(parts) : parts.first
  }

  private func candidates(_ conjunct: Conjunct, _ context: ConditionContext) throws -> RowCandidates? {
    switch conjunct.inner {
    case .or(let operands) where operands.count <= PatternPlanner.maximumOperands:
      var parts: [RowCandidates] = []
      for operand in operands {
        let inner = Conjunct.all(of: operand, collation: conjunct.collation)
        if let part = try all(inner, context) {
          parts.append(part)
        } else if context.test == nil, let sql = try otherRows(inner) {
          parts.append(.rows(sql))
        } else {
          return nil
        }
      }
      return .any(parts)
    case .quantified(let quantifier, let name, let list, let condition) where quantifier != .every:
      guard let path = path(of: list, context) else { return nil }
      var inside = context
      inside.variables[name] = PropertyPath(path.components + [.each])
      inside.test = context.test ?? conjunct.test
      return try all(Conjunct.all(of: condition, collation: conjunct.collation), inside)
    default: return probe(conjunct, context).map { .pattern($0) }
    }
  }

  private static let maximumOperands = 100

  private func probe(_ conjunct: Conjunct, _ context: ConditionContext) -> PatternProbe? {
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
    // ANY also tests the members of an object, which an index on the elements of the array does not contain.
    guard let path = path(of: subject, context),
      let index = indexes.first(where: { $0.covers(path, includingMembers: true) })
    else { return nil }
    guard let text = PatternProbe.Text(pattern) else { return nil }
    return PatternProbe(
      index: index, condition: query.text(of: conjunct.expression), test: context.test ?? conjunct.test, kind: kind,
      text: text, path: path)
  }

  /// Returns the path of the property of the source that an expression refers to, directly or through a variable of
  /// ANY.
  private func path(of expression: QueryExpression, _ context: ConditionContext) -> PropertyPath? {
    switch expression {
    case .property(let path, source.name): path
    case .variable(let name, let path): context.variables[name].map { PropertyPath($0.components + path.components) }
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
