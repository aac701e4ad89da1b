import QueryModel
import TextAnalysis

/// Turns a match expression into terms of an index: analyses its words, drops stop words, adds synonyms, and resolves
/// field names.
final class MatchCompiler {
  private let index: InvertedIndex
  private let tokenizer: Tokenizer
  /// Whether an operand without any word is passed over. Otherwise it matches nothing, as in FTS5's language.
  private let skipsEmptyOperands: Bool
  /// Whether one operand of a conjunction is enough, see ``RelaxableQuery``.
  private var isRelaxing: Bool
  private let approximations: Approximations

  init(
    _ index: InvertedIndex, skippingEmptyOperands: Bool, relaxing: Bool = false, _ approximations: Approximations
  ) {
    self.index = index
    self.approximations = approximations
    skipsEmptyOperands = skippingEmptyOperands
    isRelaxing = relaxing
    tokenizer = index.analyzer.takeTokenizer()
  }

  deinit { index.analyzer.giveBack(tokenizer) }

  /// Compiles an expression.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/unknownField``.
  func compile(_ query: MatchQuery) throws -> CompiledMatch {
    switch query {
    case .nothing: return .nothing
    case .phrase(let phrase): return try self.phrase(phrase)
    case .words(let phrases): return try words(phrases)
    case .near(let phrases, let distance):
      let compiled = phrases.map { terms(of: $0) }.filter { !$0.positions.isEmpty }
      return compiled.count > 1
        ? .near(compiled, distance: distance) : compiled.first.map { .phrase($0) } ?? .nothing
    case .and(let operands): return all(try operands.map { try compile($0) })
    case .or(let operands): return .any(try operands.map { try compile($0) })
    case .not(let positive, let negative):
      let positive = try compile(positive)
      let negative = try compileStrictly(negative)
      return positive == .nothing ? .nothing : negative == .nothing ? positive : .not(positive, negative)
    case .fields(let filter, let operand):
      let compiled = try compile(operand)
      let columns = try index.columns(filter)
      return compiled == .nothing || columns.isEmpty ? .nothing : .columns(columns, compiled)
    }
  }
}

extension MatchCompiler {
  /// What is not wanted is never relaxed: that would exclude more.
  private func compileStrictly(_ query: MatchQuery) throws -> CompiledMatch {
    let wasRelaxing = isRelaxing
    isRelaxing = false
    defer { isRelaxing = wasRelaxing }
    return try compile(query)
  }

  private func all(_ operands: [CompiledMatch]) -> CompiledMatch {
    isRelaxing ? .anyFlattened(operands) : .all(skipsEmptyOperands ? operands.filter { $0 != .nothing } : operands)
  }

  /// Words side by side: all of them must be there, but stop words may be missing unless there is nothing else, and
  /// a run of words that synonyms are known for may be replaced by any of them. Where one word is enough, the function
  /// words of the language do not count as one.
  private func words(_ phrases: [MatchPhrase]) throws -> CompiledMatch {
    let items = phrases.map { Item($0, analyzed($0)) }.filter { !$0.terms.isEmpty }
    var operands: [(match: CompiledMatch, isEmptyWord: Bool)] = []
    var position = 0
    while position < items.count {
      // Before stop words go: an entry of the synonyms may begin with one.
      if let (length, expansion) = try expansion(at: position, in: items) {
        operands.append((expansion, false))
        position += length
      } else {
        let item = items[position]
        operands.append((try word(item), isRelaxing ? item.isFunctionWord : item.isStopWord))
        position += 1
      }
    }
    let significant = operands.filter { !$0.isEmptyWord }
    let matches = (significant.isEmpty ? operands : significant).map(\.match)
    return isRelaxing ? .anyFlattened(matches) : .all(matches)
  }

  /// A word or phrase. A bare word in which the analyzer finds several terms (`boundary-layer`) is a phrase, and where one
  /// word is enough, each of them is one, as of a phrase that was not closed.
  private func word(_ item: Item) throws -> CompiledMatch {
    guard isRelaxing, item.isPlainWord || item.isUnclosed else { return try match(item) }
    let telling = item.terms.filter { !$0.isFunctionWord }
    return .any((telling.isEmpty ? item.terms : telling).map { .phrase(CompiledPhrase([$0])) })
  }

  private func phrase(_ phrase: MatchPhrase) throws -> CompiledMatch {
    let item = Item(phrase, analyzed(phrase))
    guard !item.terms.isEmpty else { return .nothing }
    guard item.isPlainWord else { return try word(item) }
    let (length, alternatives) = index.analyzer.synonyms.expansions(at: 0, in: item.terms)
    guard length == item.terms.count, !alternatives.isEmpty else { return try word(item) }
    return .any([.phrase(item.compiled)] + alternatives.map { .phrase(CompiledPhrase($0)) })
  }

  /// What a phrase matches that has no synonyms. A word that may be misspelt matches other words as well; those count as one
  /// with it, and a document with the word itself comes first.
  private func match(_ item: Item) throws -> CompiledMatch {
    guard let word = item.approximateWord, let forms = item.compiled.positions.first else {
      return .phrase(item.compiled)
    }
    let others = try approximations.words(for: word).flatMap {
      tokenizer.queryTerms($0, prefix: false).first?.forms ?? []
    }
    .filter { !forms.contains($0) }
    guard !others.isEmpty else { return .phrase(item.compiled) }
    return .approximate(item.compiled, CompiledPhrase(positions: [(forms + others).withoutRepetitions]))
  }

  /// The longest run of bare words from here on that has synonyms, and what it becomes.
  private func expansion(at start: Int, in items: [Item]) throws -> (length: Int, CompiledMatch)? {
    let run = items[start...].prefix(index.analyzer.synonyms.longestEntry).prefix { $0.isPlainWord }
    guard !run.isEmpty else { return nil }
    let terms = run.flatMap(\.terms)
    let (length, alternatives) = index.analyzer.synonyms.expansions(at: 0, in: terms)
    guard length > 0, !alternatives.isEmpty else { return nil }
    // A rule may end inside a word of several terms ("wi-fi"); then it does not apply.
    var covered = 0
    var count = 0
    while covered < length {
      covered += run[start + count].terms.count
      count += 1
    }
    guard covered == length else { return nil }
    let words = try run.prefix(count).map { try word($0) }
    let original = isRelaxing ? CompiledMatch.anyFlattened(words) : .all(words)
    return (count, .any([original] + alternatives.map { .phrase(CompiledPhrase($0)) }))
  }

  private func terms(of phrase: MatchPhrase) -> CompiledPhrase { Item(phrase, analyzed(phrase)).compiled }

  private func analyzed(_ phrase: MatchPhrase) -> [QueryTerm] {
    phrase.parts.enumerated().flatMap { number, part in
      tokenizer.queryTerms(part.text, prefix: part.isPrefix && number == phrase.parts.count - 1)
    }
  }
}

/// A phrase of the query with its terms.
private struct Item {
  let terms: [QueryTerm]
  let compiled: CompiledPhrase
  let isStopWord: Bool
  let isFunctionWord: Bool
  /// A bare word without `*` and `^`: what synonyms apply to.
  let isPlainWord: Bool
  /// A phrase whose second quotation mark is missing.
  let isUnclosed: Bool
  /// The word as it was typed, where others close to it are wanted as well.
  let approximateWord: String?

  init(_ phrase: MatchPhrase, _ terms: [QueryTerm]) {
    self.terms = terms
    compiled = CompiledPhrase(terms, isInitial: phrase.isInitial)
    let isWholeWord = phrase.isBareWord && !phrase.isPrefix && !phrase.isApproximate
    isStopWord = isWholeWord && terms.allSatisfy(\.isStopWord)
    isFunctionWord = isWholeWord && terms.allSatisfy(\.isFunctionWord)
    isPlainWord = phrase.isBareWord && !compiled.isPrefix && !phrase.isInitial && !phrase.isApproximate
    isUnclosed = phrase.parts.count == 1 && phrase.parts[0].isUnclosed
    approximateWord = phrase.isApproximate && terms.count == 1 ? phrase.parts[0].text : nil
  }
}

extension CompiledPhrase {
  init(_ terms: [QueryTerm], isInitial: Bool = false) {
    positions = terms.map(\.forms)
    isPrefix = terms.last?.isPrefix ?? false
    self.isInitial = isInitial
  }
}

extension [String] {
  fileprivate var withoutRepetitions: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
