/// The windows of pairs of successive words that the sequential dependence model scores; see ``SequentialDependence``.
struct DependenceWindows {
  let dependence: SequentialDependence
  /// The expression whose words form pairs.
  let source: CompiledMatch
  /// A factor by which the weights of the windows are multiplied.
  let weight: Double

  /// Looks up the windows. A pair that occurs in no document has none.
  ///
  /// - Throws: errors of the store.
  func resolve(_ store: any PostingStore) throws -> [WindowLeaf] {
    let resolver = MatchResolver(store)
    return try counted(source.successivePairs).flatMap { pair, count -> [WindowLeaf] in
      let weight = weight * Double(count)
      var windows: [WindowLeaf] = []
      if dependence.orderedWeight > 0 {
        windows.append(WindowLeaf(pair, nil, try resolver.ordered(pair), weight * dependence.orderedWeight))
      }
      if dependence.unorderedWeight > 0 {
        let postings = try resolver.unordered(pair, dependence.windowLength)
        windows.append(WindowLeaf(pair, dependence.windowLength, postings, weight * dependence.unorderedWeight))
      }
      return windows.filter { $0.leaf.postings.count > 0 }
    }
  }

  /// Returns the distinct pairs with the number of their occurrences in the query, which is a factor of their weights.
  private func counted(_ pairs: [WordPair]) -> [(pair: WordPair, count: Int)] {
    let counts = pairs.reduce(into: [WordPair: Int]()) { $0[$1, default: 0] += 1 }
    var seen = Set<WordPair>()
    return pairs.filter { seen.insert($0).inserted }.map { ($0, counts[$0] ?? 1) }
  }
}

/// The windows of a pair of words in all documents.
struct WindowLeaf: Sendable {
  let leaf: MatchLeaf
  /// The pair as a phrase, with the terms of all columns, for explanations.
  let phrase: CompiledPhrase
  /// The maximum number of positions of an unordered window; nil for an ordered one.
  let length: Int?

  init(_ pair: WordPair, _ length: Int?, _ postings: Postings, _ weight: Double) {
    var leaf = MatchLeaf(postings)
    leaf.weight = weight
    self.leaf = leaf
    self.length = length
    phrase = pair.parts.dropFirst().reduce(pair.parts.first?.phrase ?? CompiledPhrase(positions: [])) {
      $0.union($1.phrase)
    }
  }
}

/// Two successive words or phrases of a query, for each set of columns in which they have different terms.
struct WordPair: Hashable {
  struct Part: Hashable {
    /// Nil for all columns.
    let columns: Set<Int>?
    let first: CompiledPhrase
    let second: CompiledPhrase

    var phrase: CompiledPhrase { CompiledPhrase(positions: first.positions + second.positions) }
  }

  let parts: [Part]

  /// Returns nil if the words are equal or are in no common column.
  fileprivate init?(_ first: PairedWord, _ second: PairedWord) {
    parts = first.variants.flatMap { one in
      second.variants.compactMap { other -> Part? in
        if one.phrase == other.phrase { return nil }
        let columns = one.columns.map { one in other.columns.map { one.intersection($0) } ?? one } ?? other.columns
        return columns?.isEmpty == true ? nil : Part(columns: columns, first: one.phrase, second: other.phrase)
      }
    }
    if parts.isEmpty { return nil }
  }
}

/// A word or phrase of a query that can be part of a pair.
private struct PairedWord {
  var variants: [(columns: Set<Int>?, phrase: CompiledPhrase)]

  /// Returns nil for other expressions, prefixes, and phrases that must be at the beginning of a field.
  init?(_ match: CompiledMatch) {
    switch match {
    case .phrase(let phrase): variants = [(nil, phrase)]
    case .phraseByColumns(let parts): variants = parts.map { (Set($0.columns), $0.phrase) }
    case .weighted(let operand, _):
      guard let word = PairedWord(operand) else { return nil }
      self = word
    case .columns(let columns, let operand):
      guard let word = PairedWord(operand) else { return nil }
      self = word.restricted(to: Set(columns))
    case .nothing, .near, .and, .or, .not, .fuzzy: return nil
    }
    if variants.contains(where: { $0.phrase.isPrefix || $0.phrase.isInitial }) { return nil }
  }

  func restricted(to columns: Set<Int>) -> PairedWord {
    var word = self
    word.variants = variants.compactMap { variant in
      let common = variant.columns?.intersection(columns) ?? columns
      return common.isEmpty ? nil : (common, variant.phrase)
    }
    return word
  }
}

extension CompiledMatch {
  /// The pairs of successive words that AND and OR join at any level. An expression that is not a word separates the
  /// words before and after it. Operands of NOT that must not match form no pairs.
  var successivePairs: [WordPair] {
    switch self {
    case .and(let operands), .or(let operands):
      let words = operands.map { PairedWord($0) }
      let pairs = zip(words, words.dropFirst()).compactMap { first, second in
        first.flatMap { first in second.flatMap { WordPair(first, $0) } }
      }
      return pairs + operands.flatMap(\.successivePairs)
    case .not(let operand, _), .weighted(let operand, _): return operand.successivePairs
    case .columns(let columns, let operand): return operand.successivePairs.compactMap { $0.restricted(to: columns) }
    case .nothing, .phrase, .phraseByColumns, .near, .fuzzy: return []
    }
  }
}

extension WordPair {
  private init(parts: [Part]) { self.parts = parts }

  fileprivate func restricted(to columns: [Int]) -> WordPair? {
    let restricted = parts.compactMap { part -> Part? in
      let common = part.columns.map { $0.intersection(columns) } ?? Set(columns)
      return common.isEmpty ? nil : Part(columns: common, first: part.first, second: part.second)
    }
    return restricted.isEmpty ? nil : WordPair(parts: restricted)
  }
}

extension MatchResolver {
  fileprivate func ordered(_ pair: WordPair) throws -> Postings {
    try union(pair.parts.map { try leaf($0.phrase, $0.columns, withPositions: false).postings })
  }

  fileprivate func unordered(_ pair: WordPair, _ windowLength: Int) throws -> Postings {
    try union(
      pair.parts.map { part in
        let leaves = try leaves(inSameDocuments: [part.first, part.second], part.columns)
        return try UnorderedWindowEvaluator(
          (part.first.positions.count, part.second.positions.count), windowLength: windowLength,
          columnCount: store.columnCount
        ).evaluate(leaves[0].postings, leaves[1].postings)
      })
  }

  private func union(_ postings: [Postings]) -> Postings {
    if postings.count == 1 { return postings[0] }
    return .union(postings, columnCount: store.columnCount, keepingPositions: false)
  }
}
