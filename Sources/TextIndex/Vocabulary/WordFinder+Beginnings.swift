import DocumentStore

extension WordFinder {
  /// Returns the words with a prefix that have the highest document frequencies.
  ///
  /// Estimated frequencies determine which words are looked up. With a context or fields, several times as many are
  /// looked up, because a common word may be rare there.
  ///
  /// - Parameters:
  ///   - beginning: the prefix, folded.
  ///   - misspelled: whether words with a similar prefix and the same first letter are also accepted.
  ///   - columns: the columns that must contain the words; nil for any.
  ///   - context: an additional condition on the documents; nil for none.
  ///   - limit: the maximum number of words.
  func completions(
    _ beginning: String, misspelled: Bool = false, columns: [Int]?, context: FullTextQuery?, limit: Int
  ) throws -> [(word: String, count: Int)] {
    let isNarrowed = columns != nil || context != nil
    let wanted = limit.clamped(to: WordFinder.maximumLimit)
    let (terms, ranges) = try misspelled ? similarTerms(beginning) : exactTerms(beginning)
    let numbers = terms.mostFrequent(
      of: ranges, limit: isNarrowed ? 4 * wanted + WordFinder.extra : 2 * wanted)
    let context = try numbers.isEmpty ? nil : context.map { try counter.context($0) }
    var found: [(word: String, count: Int)] = []
    for number in numbers where isNarrowed || found.count < wanted {
      let term = Array(terms.bytes[terms.range(number)])
      guard try surfaceForms.contains(term, in: columns) else { continue }
      let word = terms.text(number)
      let count = try counter.documentFrequency(word, columns: columns, context: context)
      if count > 0 { found.append((word, count)) }
    }
    found.sort { ($0.count, $1.word) > ($1.count, $0.word) }
    return Array(found.prefix(wanted))
  }

  /// Returns a list of terms, and the numbers of the terms in it that have a prefix.
  private func exactTerms(_ beginning: String) throws -> (TermList, [Range<Int>]) {
    let prefix = Array(beginning.utf8)
    let terms = try dictionary.terms(beginningWith: prefix)
    return (terms, [terms.numbers(beginningWith: prefix)])
  }

  /// Returns a list of terms, and the numbers of the terms in it that have a similar prefix and the same first letter.
  private func similarTerms(_ beginning: String) throws -> (TermList, [Range<Int>]) {
    let letters = Array(beginning.unicodeScalars)
    let edits = WordFinder.edits(forLetters: letters.count)
    guard edits > 0, let first = letters.first, let automaton = LevenshteinAutomaton(letters, edits: edits) else {
      return (TermList(), [])
    }
    let terms = try dictionary.terms(near: automaton)
    let sameLetter = terms.numbers(beginningWith: Array(String(first).utf8))
    let ranges = terms.numbers(withPrefixAcceptedBy: automaton).map { $0.clamped(to: sameLetter) }
    // The search may have ended early.
    try LongCall.check()
    return (terms, ranges)
  }

  private static let maximumLimit = 10_000
  private static let extra = 24
}

extension TermList {
  /// Returns the numbers of the terms with the highest document frequencies, highest first.
  ///
  /// - Parameter ranges: the terms to choose from.
  /// - Complexity: O(v + k log k), where v is the number of terms in the ranges and k is the number of terms returned.
  func mostFrequent(of ranges: [Range<Int>], limit: Int) -> [Int] {
    TermList.numbers(withHighest: frequencies, of: ranges, limit: limit)
  }

  /// Returns the numbers of the terms with the highest upper bounds on their document frequencies, highest first. Terms
  /// with the same bound are in byte order.
  ///
  /// - Complexity: that of ``mostFrequent(of:limit:)``.
  func possiblyMostFrequent(of range: Range<Int>, limit: Int) -> [Int] {
    TermList.numbers(withHighest: maximums, of: [range], limit: limit)
  }

  private static func numbers(withHighest values: [UInt32], of ranges: [Range<Int>], limit: Int) -> [Int] {
    var hits = TopHits(capacity: limit)
    for number in ranges.joined() { hits.offer(UInt32(number), Double(values[number])) }
    return hits.ranked.map { Int($0.rowID) }
  }
}

extension Int {
  fileprivate func clamped(to limit: Int) -> Int { Swift.min(Swift.max(0, self), limit) }
}
