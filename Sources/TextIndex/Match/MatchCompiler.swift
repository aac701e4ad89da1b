import QueryModel
import TextAnalysis

/// Compiles a match expression to terms of an index: analyzes its words, removes stop words, adds synonyms and resolves
/// field names.
///
/// Each word is analyzed with the analyzer of every field that is searched, and each field is searched for its own
/// form; see ``ColumnScope``. The structure of the query does not depend on the number of forms.
final class MatchCompiler {
  private let index: StoredFullTextIndex
  let tokenizers: GroupTokenizers
  /// Whether operands without words are skipped. Otherwise they match nothing, as in FTS5 query syntax.
  private let skipsEmptyOperands: Bool
  /// Whether one operand of a conjunction is enough; see ``RelaxableQuery``.
  private(set) var isRelaxing: Bool
  /// The columns that the current part of the query searches.
  private(set) var scope: ColumnScope
  /// The words that are similar to each word marked with `~`.
  let fuzzyExpansions: FuzzyExpansions
  /// Whether synonyms of words also match.
  var addsSynonyms = true
  /// Whether a word that was compiled has synonyms.
  var hasSynonyms = false

  init(
    _ index: StoredFullTextIndex, skippingEmptyOperands: Bool, relaxing: Bool = false,
    _ fuzzyExpansions: FuzzyExpansions
  ) {
    self.index = index
    self.fuzzyExpansions = fuzzyExpansions
    skipsEmptyOperands = skippingEmptyOperands
    isRelaxing = relaxing
    tokenizers = GroupTokenizers(index)
    scope = ColumnScope(index.groups)
  }

  /// Compiles an expression for the given fields; nil means all fields. Repeated operands are not merged; see
  /// ``CompiledMatch/mergingRepetitions``.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unknownField``.
  func compile(_ query: MatchQuery, fields: [String]?) throws -> CompiledMatch {
    guard let fields else { return try compile(query) }
    return try compile(query, in: index.columns(.include(fields.map { FieldName($0) })))
  }

  /// Compiles an expression.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unknownField``.
  func compile(_ query: MatchQuery) throws -> CompiledMatch {
    switch query {
    case .nothing: return .nothing
    case .phrase(let phrase): return try self.phrase(phrase)
    case .words(let phrases): return try words(phrases)
    case .near(let phrases, let distance): return near(phrases.map { item($0) }, distance)
    case .and(let operands):
      // Stop words are optional if there are other words, as in a list of adjacent words.
      let significant = try operands.filter { try !hasOnlyEmptyWords($0) }
      return try conjunction(significant.isEmpty ? operands : significant)
    case .or(let operands): return .any(try operands.map { try compile($0) }, keepingRepetitions: true)
    case .not(let positive, let negative):
      let positive = try compile(positive)
      let negative = try compileStrictly(negative)
      return positive == .nothing ? .nothing : negative == .nothing ? positive : .not(positive, negative)
    case .fields(let filter, let operand):
      let columns = try index.columns(filter)
      // `path:sched/core` is one restriction, not several words of a sentence.
      if case .phrase = operand { return try strictly { try compile(operand, in: columns) } }
      return try compile(operand, in: columns)
    }
  }

  /// Returns the analyzed forms of a phrase in all groups of columns.
  func item(_ phrase: MatchPhrase) -> QueryItem {
    QueryItem(variants: scope.parts.map { AnalyzedPhrase(phrase, tokenizers[$0.group]) })
  }
}

extension MatchCompiler {
  /// Compiles an expression without relaxing it. Relaxing an excluded operand would exclude more documents.
  private func compileStrictly(_ query: MatchQuery) throws -> CompiledMatch { try strictly { try compile(query) } }

  private func strictly<T>(_ body: () throws -> T) rethrows -> T {
    let wasRelaxing = isRelaxing
    isRelaxing = false
    defer { isRelaxing = wasRelaxing }
    return try body()
  }

  private func compile(_ query: MatchQuery, in columns: [Int]) throws -> CompiledMatch {
    let compiled = try within(columns) { try compile(query) }
    return compiled == .nothing || columns.isEmpty ? .nothing : .columns(columns, compiled)
  }

  /// Returns the conjunction of some operands. If one word is enough, this applies only to operands without a field; an
  /// operand such as `path:net` remains a restriction.
  private func conjunction(_ operands: [MatchQuery]) throws -> CompiledMatch {
    guard isRelaxing else { return all(try operands.map { try compile($0) }) }
    let words = try operands.filter { !$0.isOnlyInFields }.map { try compile($0) }
    let restrictions = try operands.filter(\.isOnlyInFields).map { try compileStrictly($0) }
    guard !restrictions.isEmpty else { return .anyFlattened(words, keepingRepetitions: true) }
    // An operand without words restricts nothing and does not count as a word.
    let word = CompiledMatch.anyFlattened(words, keepingRepetitions: true)
    return .all((restrictions + [word]).filter { $0 != .nothing }, keepingRepetitions: true)
  }

  private func within<T>(_ columns: [Int], _ body: () throws -> T) rethrows -> T {
    let outer = scope
    scope = ColumnScope(index.groups, columns: outer.columns.map { $0.intersection(columns) } ?? Set(columns))
    defer { scope = outer }
    return try body()
  }

  /// Returns whether all words of an expression are optional.
  private func hasOnlyEmptyWords(_ query: MatchQuery) throws -> Bool {
    switch query {
    case .phrase(let phrase): return isEmptyWord(item(phrase))
    case .words(let phrases):
      let items = phrases.map { item($0) }.filter { !$0.isEmpty }
      return !items.isEmpty && items.allSatisfy { isEmptyWord($0) }
    case .and(let operands): return try operands.allSatisfy { try hasOnlyEmptyWords($0) }
    case .fields(let filter, let operand):
      return try within(index.columns(filter)) { try hasOnlyEmptyWords(operand) }
    case .nothing, .near, .or, .not: return false
    }
  }

  private func all(_ operands: [CompiledMatch]) -> CompiledMatch {
    .all(skipsEmptyOperands ? operands.filter { $0 != .nothing } : operands, keepingRepetitions: true)
  }

  /// Compiles NEAR. Phrases can only be near each other in one column, so each group is compiled separately.
  private func near(_ items: [QueryItem], _ distance: Int) -> CompiledMatch {
    scope.union(
      scope.parts.indices.map { part in
        let phrases = items.map { $0.variants[part].compiled }.filter { !$0.positions.isEmpty }
        return phrases.count > 1
          ? .near(phrases, distance: distance) : phrases.first.map { .phrase($0) } ?? .nothing
      })
  }
}

extension MatchQuery {
  /// Whether every word of the query has a field.
  fileprivate var isOnlyInFields: Bool {
    switch self {
    case .fields: true
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isOnlyInFields)
    case .not(let operand, _): operand.isOnlyInFields
    case .nothing, .phrase, .words, .near: false
    }
  }
}
