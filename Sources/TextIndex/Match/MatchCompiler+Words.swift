import QueryModel
import TextAnalysis

/// Words and phrases: stop words, synonyms, typing errors.
extension MatchCompiler {
  /// Words side by side: all of them must be there, but stop words may be missing unless there is nothing else, and
  /// a run of words that synonyms are known for may be replaced by any of them. Where one word is enough, the function
  /// words of the language do not count as one.
  func words(_ phrases: [MatchPhrase]) throws -> CompiledMatch {
    let items = phrases.map { item($0) }.filter { !$0.isEmpty }
    let operands = try operands(items[...], synonymsOf: Array(scope.parts.indices))
    let significant = operands.filter { !$0.isEmptyWord }
    let matches = (significant.isEmpty ? operands : significant).map(\.match)
    return isRelaxing ? .anyFlattened(matches) : .all(matches)
  }

  func phrase(_ phrase: MatchPhrase) throws -> CompiledMatch {
    let item = item(phrase)
    guard !item.isEmpty else { return .nothing }
    guard item.isPlainWord else { return try word(item) }
    let known = scope.parts.indices.compactMap { part in synonyms(of: [item], part) }
      .filter { $0.termCount == item.variants[$0.part].terms.count }
    return known.isEmpty ? try word(item) : .any([scope.union(item.variants.map(\.match))] + alternatives(known))
  }

  /// Whether a word may be missing while there are others.
  func isEmptyWord(_ item: QueryItem) -> Bool { isRelaxing ? item.isFunctionWord : item.isStopWord }

  /// How many words and phrases a document must match by, stop words included.
  func wordCount(_ query: MatchQuery) -> Int {
    switch query {
    case .nothing: 0
    case .phrase(let phrase): item(phrase).isEmpty ? 0 : 1
    case .words(let phrases): phrases.count { !item($0).isEmpty }
    case .near, .or: 1
    case .and(let operands): operands.reduce(0) { $0 + wordCount($1) }
    case .not(let operand, _), .fields(_, let operand): wordCount(operand)
    }
  }

  /// What a run of words asks for, an operand each, and which operands may be missing.
  ///
  /// - Parameter parts: the parts of the scope whose synonyms count.
  private func operands(
    _ items: ArraySlice<QueryItem>, synonymsOf parts: [Int]
  ) throws -> [(match: CompiledMatch, isEmptyWord: Bool)] {
    var operands: [(match: CompiledMatch, isEmptyWord: Bool)] = []
    var rest = items
    while let item = rest.first {
      // Before stop words go: an entry of the synonyms may begin with one.
      if let (length, expansion) = try expansion(of: rest, by: parts) {
        operands.append((expansion, false))
        rest = rest.dropFirst(length)
      } else {
        operands.append((try word(item), isEmptyWord(item)))
        rest = rest.dropFirst()
      }
    }
    return operands
  }

  /// A word or phrase. A bare word in which the analyzer finds several terms (`boundary-layer`) is a phrase, and where
  /// one word is enough, each of them is one, as of a phrase that was not closed.
  private func word(_ item: QueryItem) throws -> CompiledMatch {
    guard isRelaxing, item.isPlainWord || item.isUnclosed else { return try match(item) }
    let count = item.variants[0].terms.count
    guard item.variants.allSatisfy({ $0.terms.count == count }) else {
      return scope.union(
        item.variants.map { variant in .any(variant.contentTerms.map { .phrase(CompiledPhrase([$0])) }) })
    }
    let positions = 0..<count
    let contentTerms = positions.filter { position in !item.variants.contains { $0.terms[position].isFunctionWord } }
    return .any(
      (contentTerms.isEmpty ? Array(positions) : contentTerms).map { position in
        scope.union(item.variants.map { .phrase(CompiledPhrase([$0.terms[position]])) })
      })
  }

  /// What a phrase matches that has no synonyms. A word that may be misspelt matches other words as well; those count
  /// as one with it, and a document with the word itself comes first.
  private func match(_ item: QueryItem) throws -> CompiledMatch {
    let exact = scope.union(item.variants.map(\.match))
    guard let word = item.approximateWord else { return exact }
    let words = try approximations.words(for: word)
    let others = zip(scope.parts, item.variants).map { part, variant -> CompiledMatch in
      guard variant.approximateWord != nil, let forms = variant.compiled.positions.first else { return variant.match }
      let more = words.flatMap { tokenizers[part.group].queryTerms($0, prefix: false).first?.forms ?? [] }
        .filter { !forms.contains($0) }
      guard !more.isEmpty else { return variant.match }
      return .phrase(CompiledPhrase(positions: [(forms + more).withoutRepetitions]))
    }
    let all = scope.union(others)
    return all == exact ? exact : .approximate(exact, all)
  }
}

// MARK: - Synonyms

extension MatchCompiler {
  /// The synonyms that a group knows for a run of words.
  private struct Synonyms {
    /// The number of the group's part of the scope.
    let part: Int
    /// How many words they replace, and how many terms these have.
    let length: Int
    let termCount: Int
    let alternatives: [[QueryTerm]]
  }

  /// The synonyms of the longest run of bare words that a list begins with.
  private func synonyms(of items: ArraySlice<QueryItem>, _ part: Int) -> Synonyms? {
    let table = tokenizers.groups[scope.parts[part].group].analyzer.synonyms
    let run = items.prefix(table.longestEntry).prefix { $0.isPlainWord }.map { $0.variants[part].terms }
    let (length, alternatives) = table.expansions(at: 0, in: Array(run.joined()))
    guard length > 0, !alternatives.isEmpty else { return nil }
    // A rule may end inside a word of several terms ("wi-fi"); then it does not apply.
    var covered = 0
    var count = 0
    while covered < length {
      covered += run[count].count
      count += 1
    }
    return covered == length
      ? Synonyms(part: part, length: count, termCount: length, alternatives: alternatives) : nil
  }

  /// The longest run of bare words that a list begins with and that has synonyms, and what it becomes. Groups that know
  /// synonyms of fewer of these words have them among the words that the run still represents.
  private func expansion(
    of items: ArraySlice<QueryItem>, by parts: [Int]
  ) throws -> (length: Int, CompiledMatch)? {
    let known = parts.compactMap { synonyms(of: items, $0) }
    guard let length = known.map(\.length).max() else { return nil }
    let longest = known.filter { $0.length == length }
    let others = parts.filter { part in !longest.contains { $0.part == part } }
    let words = try operands(items.prefix(length), synonymsOf: others).map(\.match)
    let original = isRelaxing ? CompiledMatch.anyFlattened(words) : .all(words)
    return (length, .any([original] + alternatives(longest)))
  }

  /// The synonyms as phrases, those of each group in its columns. Phrases at the same position of the lists count as
  /// one: the groups mostly have the same rules, and other terms for them.
  private func alternatives(_ known: [Synonyms]) -> [CompiledMatch] {
    (0..<(known.map(\.alternatives.count).max() ?? 0)).map { number in
      scope.union(
        scope.parts.indices.map { part in
          let alternatives = known.first { $0.part == part }?.alternatives ?? []
          return number < alternatives.count ? .phrase(CompiledPhrase(alternatives[number])) : .nothing
        })
    }
  }
}

extension AnalyzedPhrase {
  /// The terms without function words, unless there are no others.
  fileprivate var contentTerms: [QueryTerm] {
    let contentTerms = terms.filter { !$0.isFunctionWord }
    return contentTerms.isEmpty ? terms : contentTerms
  }
}

extension [String] {
  fileprivate var withoutRepetitions: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
