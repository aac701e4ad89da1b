import TextAnalysis

/// A term of a full-text index.
public struct IndexTerm: Hashable, Sendable {
  /// The order in which terms are listed.
  public enum Order: Hashable, Sendable {
    /// Descending document frequency.
    case frequency
    /// Byte order.
    case term
  }

  /// The term as indexed: folded, and possibly a stem.
  public let text: String
  /// The document frequency.
  public let documentFrequency: Int
  /// The collection frequency; nil if it cannot be counted because the FTS5 format is unknown.
  public let occurrences: Int?
}

extension IndexReader {
  /// Returns the terms of the index, words and stems, with exact frequencies.
  ///
  /// - Parameters:
  ///   - beginning: the prefix, folded like the text of the index; "" for all terms. A `*` at its end is ignored.
  ///   - order: the order of the result. Terms with the same document frequency are in byte order.
  ///   - limit: the maximum number of terms; nil for all.
  /// - Throws: ``TextIndexError`` if the index is damaged or outdated, or cannot be read.
  /// - Complexity: O(v) in the number of terms, plus a lookup for each returned term. For the most frequent terms, the
  ///   terms that may be as frequent are also looked up, and O(v) may be repeated O(log v) times.
  public func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order = .frequency, limit: Int? = nil
  ) throws -> [IndexTerm] {
    try terms(
      beginningWith: beginning, order: order, limit: limit, scanningFrom: IndexReader.manyTerms)
  }

  /// - Parameter manyTerms: the minimum number of terms for which one pass over the index replaces individual lookups.
  func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order, limit: Int? = nil, scanningFrom manyTerms: Int
  ) throws -> [IndexTerm] {
    try index.requireCurrent()
    let beginning = folded(beginning)
    let prefix = Array(beginning.utf8)
    let list = try termSource().terms(beginningWith: prefix)
    let range = list.numbers(beginningWith: prefix)
    let wanted = min(max(0, limit ?? range.count), range.count)
    let counter = TermFrequencies(self)
    // For many terms, individual lookups take longer than reading all of them in order.
    let scannedFrequencies =
      range.count >= manyTerms && wanted >= range.count / 4
      ? try termSource().frequencies(prefix: beginning, list, range) : nil
    func scanned(_ number: Int) -> ScannedFrequencies? {
      scannedFrequencies.map { $0[number - range.lowerBound] }.flatMap { $0.isCertain ? $0 : nil }
    }
    func documentFrequency(_ number: Int) throws -> Int {
      try scanned(number)?.documents ?? counter.documentFrequency(list.text(number))
    }
    func term(_ number: Int, _ documentFrequency: Int) throws -> IndexTerm {
      let text = list.text(number)
      let occurrences = try scanned(number).map { $0.occurrences } ?? counter.occurrences(text)
      return IndexTerm(text: text, documentFrequency: documentFrequency, occurrences: occurrences)
    }
    switch order {
    case .frequency:
      return try list.mostFrequent(wanted, of: range, documentFrequency).map { try term($0.number, $0.count) }
    case .term:
      var terms: [IndexTerm] = []
      for number in range where terms.count < wanted {
        let count = try documentFrequency(number)
        if count > 0 { terms.append(try term(number, count)) }
      }
      return terms
    }
  }

  private static let manyTerms = 1000

  /// Returns the folded form of a prefix; the prefix itself if the fields fold it differently.
  private func folded(_ beginning: String) -> String {
    var text = Substring(beginning)
    while text.last == "*" { text.removeLast() }
    let tokenizers = GroupTokenizers(index)
    let forms = Set(
      index.groups.indices.map { group -> String in
        let terms = tokenizers[group].queryTerms(String(text), prefix: true)
        // Input that is analyzed to several terms is not a prefix of any term; input without terms is searched for
        // unchanged.
        return terms.count == 1 ? terms[0].forms.first ?? String(text) : String(text)
      })
    return forms.count == 1 ? forms.first ?? String(text) : String(text)
  }
}

extension TermList {
  /// Returns the terms with the highest exact document frequencies, highest first, without those that no document
  /// still contains. Terms with the same frequency are in byte order.
  ///
  /// Terms are counted in descending order of the upper bounds on their frequencies, until the bounds of the others
  /// show that none of them is among the most frequent.
  ///
  /// - Parameters:
  ///   - wanted: the maximum number of terms.
  ///   - range: the terms to choose from.
  ///   - documentFrequency: returns the exact document frequency of a term.
  fileprivate func mostFrequent(
    _ wanted: Int, of range: Range<Int>, _ documentFrequency: (Int) throws -> Int
  ) throws -> [(number: Int, count: Int)] {
    var found: [(number: Int, count: Int)] = []
    var countedTerms = 0
    while wanted > 0, countedTerms < range.count {
      // More terms are counted than requested, because most bounds are above the frequencies.
      let candidates = possiblyMostFrequent(of: range, limit: max(2 * countedTerms, wanted + wanted / 4 + 16))
      for number in candidates[countedTerms...] {
        let count = try documentFrequency(number)
        if count > 0 { found.append((number, count)) }
      }
      countedTerms = candidates.count
      found.sort { ($0.count, $1.number) > ($1.count, $0.number) }
      found.removeLast(max(0, found.count - wanted))
      guard found.count == wanted, let least = found.last, let last = candidates.last else { continue }
      // Each other term has a lower bound than the last candidate, or the same bound and a higher number.
      if (least.count, last) >= (Int(maximums[last]), least.number) { break }
    }
    return found
  }
}
