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
  ///   - order: the order of the result. The most frequent terms are chosen by estimated document frequencies, which
  ///     may be inexact for terms in many documents.
  ///   - limit: the maximum number of terms; nil for all.
  /// - Throws: ``TextIndexError`` if the index is damaged or outdated, or cannot be read.
  /// - Complexity: O(v) in the number of terms, plus a lookup for each returned term.
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
    let wanted = max(0, limit ?? range.count)
    let numbers: [Int]
    switch order {
    case .frequency:
      // More terms are looked up than requested, because the documents of some may all have been deleted.
      let (more, overflows) = wanted.addingReportingOverflow(wanted / 4 + 16)
      numbers = list.mostFrequent(of: [range], limit: overflows ? wanted : more)
    case .term: numbers = Array(range)
    }
    let counter = TermFrequencies(self)
    // For many terms, individual lookups take longer than reading all of them in order.
    let scannedFrequencies =
      numbers.count >= manyTerms && wanted >= range.count / 4
      ? try termSource().frequencies(prefix: beginning, list, range) : nil
    var terms: [IndexTerm] = []
    for number in numbers where order == .frequency || terms.count < wanted {
      let text = list.text(number)
      let scan = scannedFrequencies.map { $0[number - range.lowerBound] }
      let isKnown = scan?.isCertain ?? false
      let count = isKnown ? scan?.documents ?? 0 : try counter.documentFrequency(text)
      guard count > 0 else { continue }
      let occurrences = isKnown ? scan?.occurrences : try counter.occurrences(text)
      terms.append(IndexTerm(text: text, documentFrequency: count, occurrences: occurrences))
    }
    if order == .frequency {
      terms.sort { ($0.documentFrequency, $1.text) > ($1.documentFrequency, $0.text) }
    }
    return Array(terms.prefix(wanted))
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
