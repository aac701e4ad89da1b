import QueryModel
import TextAnalysis

/// Words and phrases: stop words, synonyms, typos.
extension MatchCompiler {
  /// Compiles adjacent words. A document must contain all of them, except stop words if there are other words. Any of
  /// the synonyms of a run of words also matches. If one word is enough, function words of the language are ignored
  /// instead of stop words.
  func words(_ phrases: [MatchPhrase]) throws -> CompiledMatch {
    let items = phrases.map { item($0) }.filter { !$0.isEmpty }
    let operands = try operands(items[...], synonymsOf: Array(scope.parts.indices))
    let significant = operands.filter { !$0.isEmptyWord }
    let matches = (significant.isEmpty ? operands : significant).map(\.match)
    return isRelaxing ? .anyFlattened(matches, keepingRepetitions: true) : .all(matches, keepingRepetitions: true)
  }

  func phrase(_ phrase: MatchPhrase) throws -> CompiledMatch {
    let item = item(phrase)
    guard !item.isEmpty else { return .nothing }
    guard item.isPlainWord else { return try word(item) }
    let known = scope.parts.indices.compactMap { part in synonyms(of: [item], part) }
      .filter { $0.termCount == item.variants[$0.part].terms.count }
    return known.isEmpty ? try word(item) : .any([scope.union(item.variants.map(\.match))] + alternatives(known))
  }

  /// Returns whether a word is optional if there are other words.
  func isEmptyWord(_ item: QueryItem) -> Bool { isRelaxing ? item.isLanguageStopWord : item.isStopWord }

  /// Returns the number of words and phrases that a document must match, including stop words.
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

  /// Returns one operand per word or synonym run of a list of words, and which operands are optional.
  ///
  /// - Parameter parts: the parts of the scope whose synonyms are used.
  private func operands(
    _ items: ArraySlice<QueryItem>, synonymsOf parts: [Int]
  ) throws -> [(match: CompiledMatch, isEmptyWord: Bool)] {
    var operands: [(match: CompiledMatch, isEmptyWord: Bool)] = []
    var rest = items
    while let item = rest.first {
      // Stop words are removed later because a synonym rule may begin with one.
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

  /// Compiles a word or phrase. A bare word with several terms (`boundary-layer`) is a phrase. If one word is enough,
  /// each of its terms is a word, and so is each term of a phrase without a closing quotation mark.
  private func word(_ item: QueryItem) throws -> CompiledMatch {
    guard isRelaxing, item.isPlainWord || item.isUnclosed else { return try match(item) }
    let count = item.variants[0].terms.count
    guard item.variants.allSatisfy({ $0.terms.count == count }) else {
      return scope.union(
        item.variants.map { variant in
          .any(variant.contentTerms.map { .phrase(CompiledPhrase([$0])) }, keepingRepetitions: true)
        })
    }
    let positions = 0..<count
    let contentTerms = positions.filter { position in !item.variants.contains { $0.terms[position].isLanguageStopWord }
    }
    return .any(
      (contentTerms.isEmpty ? Array(positions) : contentTerms).map { position in
        scope.union(item.variants.map { .phrase(CompiledPhrase([$0.terms[position]])) })
      }, keepingRepetitions: true)
  }

  /// Returns the match of a phrase without synonyms. A word with `~` also matches similar words, which count as the
  /// same word; documents that contain the word itself come first.
  private func match(_ item: QueryItem) throws -> CompiledMatch {
    let exact = scope.union(item.variants.map(\.match))
    guard let word = item.fuzzyWord else { return exact }
    let words = try fuzzyExpansions.words(for: word)
    let others = zip(scope.parts, item.variants).map { part, variant -> CompiledMatch in
      guard variant.fuzzyWord != nil, let forms = variant.compiled.positions.first else { return variant.match }
      let more = words.flatMap { tokenizers[part.group].queryTerms($0, prefix: false).first?.forms ?? [] }
        .filter { !forms.contains($0) }
      guard !more.isEmpty else { return variant.match }
      return .phrase(CompiledPhrase(positions: [(forms + more).withoutRepetitions]))
    }
    let all = scope.union(others)
    return all == exact ? exact : .fuzzy(exact, all)
  }
}

// MARK: - Synonyms

extension MatchCompiler {
  /// A synonym rule of a group for a run of words.
  private struct Synonyms {
    /// The number of the group's part in the scope.
    let part: Int
    /// The number of words that the rule replaces.
    let length: Int
    /// The number of their terms.
    let termCount: Int
    let alternatives: [[QueryTerm]]
  }

  /// Returns the synonyms of the longest run of bare words at the beginning of a list.
  private func synonyms(of items: ArraySlice<QueryItem>, _ part: Int) -> Synonyms? {
    let table = tokenizers.groups[scope.parts[part].group].analyzer.synonyms
    let run = items.prefix(table.longestEntry).prefix { $0.isPlainWord }.map { $0.variants[part].terms }
    let (length, alternatives) = table.expansions(at: 0, in: Array(run.joined()))
    guard length > 0, !alternatives.isEmpty else { return nil }
    hasSynonyms = true
    guard addsSynonyms else { return nil }
    // A rule that ends inside a word of several terms ("wi-fi") does not apply.
    var covered = 0
    var count = 0
    while covered < length {
      covered += run[count].count
      count += 1
    }
    return covered == length
      ? Synonyms(part: part, length: count, termCount: length, alternatives: alternatives) : nil
  }

  /// Returns the longest run of bare words at the beginning of a list that has synonyms, and its replacement. In groups
  /// whose rules replace fewer of these words, the remaining words of the run match without synonyms.
  private func expansion(
    of items: ArraySlice<QueryItem>, by parts: [Int]
  ) throws -> (length: Int, CompiledMatch)? {
    let known = parts.compactMap { synonyms(of: items, $0) }
    guard let length = known.map(\.length).max() else { return nil }
    let longest = known.filter { $0.length == length }
    let others = parts.filter { part in !longest.contains { $0.part == part } }
    let words = try operands(items.prefix(length), synonymsOf: others).map(\.match)
    let original =
      isRelaxing
      ? CompiledMatch.anyFlattened(words, keepingRepetitions: true) : .all(words, keepingRepetitions: true)
    return (length, .any([original] + alternatives(longest)))
  }

  /// Returns the synonyms as phrases, each in the columns of its group. Phrases at the same index in the groups' lists
  /// count as one, because groups usually have the same rules with different terms.
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
  /// Returns the terms without function words, or all if there are no others.
  fileprivate var contentTerms: [QueryTerm] {
    let contentTerms = terms.filter { !$0.isLanguageStopWord }
    return contentTerms.isEmpty ? terms : contentTerms
  }
}

extension [String] {
  fileprivate var withoutRepetitions: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
