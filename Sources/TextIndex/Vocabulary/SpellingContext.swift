import QueryModel

/// Corrects the words of a query in the context of each other.
///
/// An unknown word is replaced with the likeliest similar word. A known word may be a typo of the authors or a correct
/// but rare word; only the adjacent words of the query can tell. It is replaced with a word one edit away if
/// - at least ``requiredRatio`` times as many documents contain the other word, and
/// - the other word occurs near the word adjacent to the typed one, in at least ``requiredPairCount`` documents and at
///   least ``requiredRatio`` times as often as the typed words.
///
/// Both words of a pair may be replaced together: in `memmory alocation`, neither correction occurs near the other
/// typed word.
struct SpellingContext {
  /// The minimum ratio of document frequencies for the correction of a known word.
  static let requiredRatio = 10
  /// The minimum number of documents that contain the words near each other.
  static let requiredPairCount = 3
  /// The maximum number of words between words that are near each other: `allocation of the memory`.
  private static let distance = 2
  /// The maximum number of candidates per word. Each pair of candidates requires a search.
  private static let candidateCount = 3
  /// The maximum number of proposals. Each of them requires a search.
  private static let maximumProposalCount = 8

  /// A word with its possible corrections.
  private struct Choice {
    var word: StoredFullTextIndex.Word
    /// The number of documents that contain the word as typed.
    var documentCount: Int
    /// The candidates, likeliest first.
    var candidates: [String]
    /// The replacement of the word; nil if none is chosen yet.
    var chosen: String?

    /// The words to choose from. `isTyped` is true for the typed word, which is included if documents contain it.
    var options: [(word: String, isTyped: Bool)] {
      if let chosen { return [(chosen, false)] }
      return (documentCount > 0 ? [(word.typed, true)] : []) + candidates.map { ($0, false) }
    }
  }

  private let finder: WordFinder
  private let reader: IndexReader
  private var choices: [Choice] = []

  /// - Parameter maximumCount: words with a higher document frequency are considered correct.
  init(
    _ words: [CountedWord], maximumCount: Int = .max, _ finder: WordFinder, _ reader: IndexReader
  ) throws {
    self.finder = finder
    self.reader = reader
    choices = try words.map { counted in
      let (word, count) = (counted.word, counted.documentCount)
      let candidates =
        try count == 0 ? likelyWords(for: word) : count <= maximumCount ? commonWords(for: word, count) : []
      return Choice(word: word, documentCount: count, candidates: candidates)
    }
  }

  /// Returns the chosen corrections, in the order of the text.
  func corrections() throws -> [SpellingCorrection] { corrections(try choicesInContext(), numbers: []) }

  /// Whether an unknown word has no candidates.
  var hasUnknownWord: Bool { choices.contains { $0.documentCount == 0 && $0.candidates.isEmpty } }

  /// Returns the proposed corrections, likeliest first: with known words replaced, then without, and then with other
  /// candidates for unknown words.
  func proposals() throws -> [[SpellingCorrection]] {
    let inContext = try choicesInContext()
    let likeliest = corrections(inContext, numbers: [])
    var proposals = [likeliest, likeliest.filter { !$0.isKnown }]
    // The sum of the candidate numbers measures how unlikely a combination is.
    let open = choices.filter { $0.documentCount == 0 }.map(\.candidates.count)
    let others = Self.numbers(below: open, limit: Self.maximumProposalCount)
    proposals += others.map { corrections(choices, numbers: $0) }
    var seen = Set<[SpellingCorrection]>()
    return Array(proposals.filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(Self.maximumProposalCount))
  }

  private func choicesInContext() throws -> [Choice] {
    var choices = choices
    for position in choices.indices.dropLast() { try choose(&choices, position, position + 1) }
    return choices
  }

  /// - Parameter numbers: the candidate number of each unknown word; 0 for the words without one.
  private func corrections(_ choices: [Choice], numbers: [Int]) -> [SpellingCorrection] {
    var numbers = numbers[...]
    return choices.compactMap { choice in
      let isKnown = choice.documentCount > 0
      let number = isKnown ? nil : numbers.popFirst() ?? 0
      let correction = choice.chosen ?? number.flatMap { choice.candidates.dropFirst($0).first }
      return correction.map {
        SpellingCorrection(range: choice.word.range, typed: choice.word.typed, word: $0, isKnown: isKnown)
      }
    }
  }

  /// Returns lists of numbers below the given limits, those with small sums first.
  private static func numbers(below limits: [Int], limit: Int) -> [[Int]] {
    var lists: [[Int]] = [[]]
    for count in limits {
      lists = lists.flatMap { list in (0..<max(count, 1)).map { list + [$0] } }
      lists.sort { $0.reduce(0, +) < $1.reduce(0, +) }
      lists = Array(lists.prefix(limit))
    }
    return lists
  }

  // MARK: One word

  /// Returns the likeliest words for an unknown word.
  private func likelyWords(for word: StoredFullTextIndex.Word) throws -> [String] {
    if word.isName {
      return try finder.words(
        for: word.words[0], firstLetter: .kept, includingNames: true, columns: word.columns,
        limit: RealWordErrorRule.candidateCount
      )
      .filter { IdentifierSpelling.isTypo(word.words[0], of: $0) }
    }
    // If no text contains "barriers", the stem of "bariers" is closer to "barrier" than the word itself.
    for form in word.words + word.stems {
      let words = try finder.words(
        for: form, firstLetter: .keptByTwoEdits, columns: word.columns, limit: Self.candidateCount)
      if !words.isEmpty { return words }
    }
    return []
  }

  /// Returns far more common words for a known word.
  private func commonWords(for word: StoredFullTextIndex.Word, _ count: Int) throws -> [String] {
    guard !word.isName else { return [] }
    return Array(
      try finder.commonWords(for: word, ratio: Self.requiredRatio, documentCount: count).prefix(Self.candidateCount))
  }

  // MARK: Two words

  /// Replaces two adjacent words, or one of them, if documents contain the resulting words near each other.
  private func choose(_ choices: inout [Choice], _ first: Int, _ second: Int) throws {
    let (left, right) = (choices[first], choices[second])
    guard left.word.columns == right.word.columns, !left.word.isName, !right.word.isName,
      !(left.candidates.isEmpty && right.candidates.isEmpty)
    else { return }
    let pairs = left.options.flatMap { left in right.options.map { (left: left, right: $0) } }
      .filter { !($0.left.isTyped && $0.right.isTyped) }
    guard !pairs.isEmpty, left.chosen == nil || !right.candidates.isEmpty else { return }
    let typedCount =
      left.documentCount > 0 && right.documentCount > 0
      ? try pairCount(left.word.typed, right.word.typed, left.word.columns) : 0
    var best: (left: String, right: String, count: Int)?
    let counts = try wordCounts(in: pairs.flatMap { [$0.left.word, $0.right.word] }, left.word.columns)
    for pair in pairs {
      let replacesKnown =
        !pair.left.isTyped && left.documentCount > 0 && left.chosen == nil
        || !pair.right.isTyped && right.documentCount > 0
      let required = replacesKnown ? max(Self.requiredPairCount, Self.requiredRatio * typedCount) : 1
      let needed = max(required, (best?.count ?? 0) + 1)
      // A pair does not occur in more documents than either of its words. Most pairs need no search.
      guard min(counts[pair.left.word] ?? 0, counts[pair.right.word] ?? 0) >= needed else { continue }
      let count = try pairCount(pair.left.word, pair.right.word, left.word.columns)
      if count >= needed { best = (pair.left.word, pair.right.word, count) }
    }
    guard let best else { return }
    if best.left != left.word.typed { choices[first].chosen = best.left }
    if best.right != right.word.typed { choices[second].chosen = best.right }
  }

  /// Returns the number of documents that contain each word, in the forms that a search for it finds.
  private func wordCounts(in words: [String], _ columns: [Int]?) throws -> [String: Int] {
    try Set(words).reduce(into: [:]) {
      $0[$1] = try finder.counter.documentFrequency(of: query(.phrase(.word($1)), columns).match)
    }
  }

  /// Returns the number of documents that contain two words near each other.
  private func pairCount(_ left: String, _ right: String, _ columns: [Int]?) throws -> Int {
    try query(.near([.word(left), .word(right)], distance: Self.distance), columns).matches(reader).count
  }

  private func query(_ match: MatchQuery, _ columns: [Int]?) throws -> FullTextQuery {
    let fields = columns.map { $0.map { reader.index.definition.fields[$0].name } }
    return try FullTextQuery(match, fields: fields, in: reader.index)
  }
}

/// A word of a query with the number of documents that contain it as typed.
struct CountedWord {
  let word: StoredFullTextIndex.Word
  let documentCount: Int
}

extension WordFinder {
  /// Returns the words one edit away from a known word that have far higher document frequencies, likeliest first.
  ///
  /// - Parameters:
  ///   - ratio: the minimum ratio of the document frequencies.
  ///   - documentCount: the number of documents that contain the word as typed.
  func commonWords(for word: StoredFullTextIndex.Word, ratio: Int, documentCount: Int) throws -> [String] {
    let (required, overflows) = documentCount.multipliedReportingOverflow(by: ratio)
    guard !overflows, let folded = word.words.first else { return [] }
    let typed = Array(folded.unicodeScalars)
    // ``RealWordErrorRule`` accepts one edit of any letter except the first.
    return try words(
      for: folded, maximumEdits: 1, firstLetter: .kept, columns: word.columns, limit: RealWordErrorRule.candidateCount
    ).filter {
      try RealWordErrorRule.isTypo(typed, of: Array($0.unicodeScalars))
        && counter.documentFrequency($0, columns: word.columns) >= required
    }
  }
}
