public import GRDB
import TextAnalysis

/// A term of a full-text index.
public struct IndexTerm: Hashable, Sendable {
  /// The orders that terms are listed in.
  public enum Order: Hashable, Sendable {
    /// The terms of the most documents first.
    case frequency
    /// By the bytes of the terms.
    case term
  }

  /// The term as it is in the index: folded, and possibly a stem.
  public let text: String
  /// The document frequency.
  public let documentFrequency: Int
  /// The collection frequency; nil if FTS5's version is not known and it could not be counted.
  public let occurrences: Int?
}

extension StoredFullTextIndex {
  /// The terms of the index, words and stems, with exact numbers.
  ///
  /// - Parameters:
  ///   - beginning: what they begin with, folded as the text of the index is; "" for all. A `*` at its end says the
  ///     same.
  ///   - order: the order that they come in. The most frequent ones are estimated if terms are in many documents.
  ///   - limit: how many at most; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Throws: ``TextIndexError`` for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v) in the number of terms, and a look-up of each that is returned.
  public func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order = .frequency, limit: Int? = nil, _ db: Database
  ) throws -> [IndexTerm] {
    try terms(
      beginningWith: beginning, order: order, limit: limit, scanningFrom: StoredFullTextIndex.manyTerms, db)
  }

  /// - Parameter manyTerms: from how many terms on they are counted in one pass.
  func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order, limit: Int? = nil, scanningFrom manyTerms: Int,
    _ db: Database
  ) throws -> [IndexTerm] {
    try requireCurrent()
    let beginning = folded(beginning)
    let prefix = Array(beginning.utf8)
    let list = try TermDictionary(self, db).terms(beginningWith: prefix)
    let range = list.numbers(beginningWith: prefix)
    let wanted = max(0, limit ?? range.count)
    let numbers: [Int]
    switch order {
    case .frequency:
      // A term whose documents are all deleted may be among them.
      let (more, overflows) = wanted.addingReportingOverflow(wanted / 4 + 16)
      numbers = list.mostFrequent(of: [range], limit: overflows ? wanted : more)
    case .term: numbers = Array(range)
    }
    let counter = try TermFrequencies(self, db)
    // Looking terms up one by one takes longer than reading all of them in order.
    let scannedFrequencies =
      numbers.count >= manyTerms && wanted >= range.count / 4
      ? try readingDoclists { try counter.reader?.scan(prefix: beginning, list, range) } ?? nil : nil
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

  /// What terms begin with that begin so in a text; the text itself where fields have different terms for it.
  private func folded(_ beginning: String) -> String {
    var text = Substring(beginning)
    while text.last == "*" { text.removeLast() }
    let tokenizers = GroupTokenizers(self)
    let forms = Set(
      groups.indices.map { group -> String in
        let terms = tokenizers[group].queryTerms(String(text), prefix: true)
        // A text of several terms is the prefix of none, and a text that is not a term is searched for unchanged.
        return terms.count == 1 ? terms[0].forms.first ?? String(text) : String(text)
      })
    return forms.count == 1 ? forms.first ?? String(text) : String(text)
  }
}
