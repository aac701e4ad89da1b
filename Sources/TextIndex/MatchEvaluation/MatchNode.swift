/// A match expression with the postings of its terms.
indirect enum MatchNode: Sendable {
  case nothing
  case leaf(MatchLeaf)
  case and([MatchNode])
  case or([MatchNode])
  case not(MatchNode, MatchNode)
}

extension MatchNode {
  /// Returns the node with its phrase scores multiplied by a factor.
  func weighted(_ weight: Double) -> MatchNode {
    switch self {
    case .nothing: return .nothing
    case .leaf(let leaf): return .leaf(leaf.weighted(weight))
    case .and(let operands): return .and(operands.map { $0.weighted(weight) })
    case .or(let operands): return .or(operands.map { $0.weighted(weight) })
    case .not(let positive, let negative): return .not(positive.weighted(weight), negative)
    }
  }
}

/// A term, prefix or phrase with the documents that contain it.
struct MatchLeaf: Sendable {
  let postings: Postings
  /// The postings from which its frequencies in the collection are computed. They contain more documents than
  /// ``postings`` if the documents must also be near other phrases.
  let statistics: Postings
  /// The cache key of the postings; nil if they are not cached.
  let key: PostingsCache.Key?
  /// A factor of its scores.
  var weight = 1.0
  /// The phrases whose documents rank below the leaf's own, regardless of scores; see ``CompiledMatch/fuzzy(_:_:)``.
  var outranked: [OutrankedPhrase] = []
  /// A number that is added to the scores of its documents, so that they rank above those of the outranked phrases; see
  /// ``MatchSearch/prepared(for:)``.
  var precedence = 0.0

  init(_ postings: Postings, statistics: Postings? = nil, key: PostingsCache.Key? = nil) {
    self.postings = postings
    self.statistics = statistics ?? postings
    self.key = key
  }

  /// The number of documents that contain it.
  var documentFrequency: Int { statistics.count }

  /// Its summand of ``MatchNode/queryWeight``. The likelihood of a term that no document contains is unknown, so it has
  /// none.
  var queryWeight: Double { statistics.count == 0 ? 0 : weight }

  /// Returns the term scorer of its postings.
  func scorer(_ scorer: Scorer) -> TermScorer { TermScorer(scorer, statistics, weight: weight) }
}

/// Looks up the terms of a match expression.
struct MatchResolver {
  let store: any PostingStore

  init(_ store: any PostingStore) { self.store = store }

  /// Returns the expression with its postings.
  ///
  /// - Parameter columns: the columns to search; nil for all.
  func resolve(_ match: CompiledMatch, in columns: Set<Int>? = nil) throws -> MatchNode {
    switch match {
    case .nothing: return .nothing
    case .phrase(let phrase): return .leaf(try leaf(phrase, columns, withPositions: false))
    case .phraseByColumns(let variants): return .leaf(try leaf(variants, columns))
    case .near(let phrases, let distance):
      let leaves = try leaves(inSameDocuments: phrases, columns)
      return .and(
        try NearEvaluator(phrases.map(\.positions.count), distance: distance, columnCount: store.columnCount)
          .evaluate(leaves).map { .leaf($0) })
    case .and(let operands): return .conjunction(try operands.map { try resolve($0, in: columns) })
    case .or(let operands): return .or(try operands.map { try resolve($0, in: columns) })
    case .not(let positive, let negative):
      return .not(try resolve(positive, in: columns), try resolve(negative, in: columns))
    case .columns(let inner, let operand):
      return try resolve(operand, in: columns.map { $0.intersection(inner) } ?? Set(inner))
    case .weighted(let operand, let weight): return try resolve(operand, in: columns).weighted(weight)
    case .fuzzy(let typed, let all):
      let others = try resolve(all, in: columns)
      var first = try resolve(typed, in: columns)
      if case .leaf(let leaf) = first { first = .leaf(leaf.preceding(others.scoredPhrases)) }
      return .or([first, others])
    }
  }

  func leaf(_ phrase: CompiledPhrase, _ columns: Set<Int>?, withPositions: Bool) throws -> MatchLeaf {
    if phrase.isTerm {
      return try term(phrase.positions[0][0], isPrefix: phrase.isPrefix, columns, withPositions: withPositions)
    }
    let key = PostingsCache.Key(phrase, columns: columns)
    let postings = try store.search.postings.postings(key, withPositions: withPositions) {
      let parts = try parts(phrase)
      if parts.count == 1, columns == nil, !phrase.isInitial { return parts[0] }
      return try PhraseEvaluator(parts, columnCount: store.columnCount, columns, isInitial: phrase.isInitial)
        .evaluate(keepingPositions: withPositions)
    }
    return MatchLeaf(postings, key: key)
  }

  /// Returns phrases with their positions, at least those in the documents that contain all of them.
  func leaves(inSameDocuments phrases: [CompiledPhrase], _ columns: Set<Int>?) throws -> [MatchLeaf] {
    guard store.readsTermsTogether else { return try phrases.map { try leaf($0, columns, withPositions: true) } }
    func isWord(_ phrase: CompiledPhrase) -> Bool { phrase.isTerm && !phrase.isPrefix }
    let leaves = try phrases.map { try leaf($0, columns, withPositions: !isWord($0)) }
    let words = phrases.filter(isWord).map { $0.positions[0][0] }
    guard !words.isEmpty else { return leaves }
    var found = try store.positions(of: words, in: RowIntersection.rows(leaves.map(\.postings)))[...]
    return try zip(phrases, leaves).map { phrase, leaf in
      guard isWord(phrase), let positions = found.popFirst() else { return leaf }
      let wanted = try columns.map { try positions.filtered(columns: $0, columnCount: store.columnCount) }
      return MatchLeaf(wanted ?? positions, statistics: leaf.postings)
    }
  }

  /// Returns the postings of each position of a phrase, with positions, at least those of the documents that contain
  /// the words of all positions.
  private func parts(_ phrase: CompiledPhrase) throws -> [Postings] {
    guard store.readsTermsTogether, phrase.positions.count > 1, !phrase.isPrefix else {
      return try phrase.positions.enumerated().map { position, forms in
        try alternatives(forms, isPrefix: phrase.isPrefix && position == phrase.positions.count - 1)
      }
    }
    func union(_ postings: [Postings], keepingPositions: Bool) -> Postings {
      postings.count == 1
        ? postings[0]
        : .union(postings, columnCount: store.columnCount, keepingPositions: keepingPositions)
    }
    let words = try phrase.positions.map { forms in
      union(try forms.map { try store.postings($0, withPositions: false) }, keepingPositions: false)
    }
    var found = try store.positions(of: phrase.positions.flatMap(\.self), in: RowIntersection.rows(words))[...]
    return phrase.positions.map { forms in
      defer { found = found.dropFirst(forms.count) }
      return union(Array(found.prefix(forms.count)), keepingPositions: true)
    }
  }

  /// Returns one leaf for all columns, so that the documents and positions of a word are counted together even if its
  /// terms differ between columns.
  private func leaf(_ variants: [ColumnPhrase], _ columns: Set<Int>?) throws -> MatchLeaf {
    let leaves = try variants.compactMap { variant -> MatchLeaf? in
      let wanted = columns.map { $0.intersection(variant.columns) } ?? Set(variant.columns)
      return wanted.isEmpty ? nil : try leaf(variant.phrase, wanted, withPositions: false)
    }
    func union() -> Postings {
      .union(leaves.map(\.postings), columnCount: store.columnCount, keepingPositions: false)
    }
    let keys = leaves.compactMap(\.key)
    guard keys.count == leaves.count else { return MatchLeaf(union()) }
    let key = PostingsCache.Key(parts: keys)
    return MatchLeaf(store.search.postings.postings(key, withPositions: false, union), key: key)
  }

  private func term(
    _ term: String, isPrefix: Bool, _ columns: Set<Int>?, withPositions: Bool
  ) throws -> MatchLeaf {
    func all() throws -> Postings {
      isPrefix
        ? try store.postings(prefix: term, withPositions: withPositions)
        : try store.postings(term, withPositions: withPositions)
    }
    let key = PostingsCache.Key(term: term, isPrefix: isPrefix, columns: columns)
    guard let columns else { return MatchLeaf(try all(), key: key) }
    let filtered = try store.search.postings.postings(key, withPositions: withPositions) {
      try all().filtered(columns: columns, columnCount: store.columnCount)
    }
    return MatchLeaf(filtered, key: key)
  }

  private func alternatives(_ forms: [String], isPrefix: Bool) throws -> Postings {
    let postings = try forms.map {
      isPrefix
        ? try store.postings(prefix: $0, withPositions: true) : try store.postings($0, withPositions: true)
    }
    return postings.count == 1 ? postings[0] : Postings.union(postings, columnCount: store.columnCount)
  }
}
