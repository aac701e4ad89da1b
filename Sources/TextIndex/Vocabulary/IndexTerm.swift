public import GRDB
import TextAnalysis

/// A term of a full-text index.
public struct IndexTerm: Hashable, Sendable {
  /// The orders of listed terms.
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
  /// The collection frequency; nil if the FTS5 format is unknown and it could not be counted.
  public let occurrences: Int?
}

extension StoredFullTextIndex {
  /// Returns the terms of the index, words and stems, with exact frequencies.
  ///
  /// - Parameters:
  ///   - beginning: the prefix, folded like the text of the index; "" for all terms. A `*` at its end is ignored.
  ///   - order: the order. The most frequent terms are chosen by estimates if terms are in many documents.
  ///   - limit: the maximum number of terms; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Throws: ``TextIndexError`` for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v) in the number of terms, plus a lookup for each returned term.
  public func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order = .frequency, limit: Int? = nil, _ db: Database
  ) throws -> [IndexTerm] {
    try terms(
      beginningWith: beginning, order: order, limit: limit, scanningFrom: StoredFullTextIndex.manyTerms, db)
  }

  /// - Parameter manyTerms: the number of terms above which they are counted in one pass.
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
      // Terms whose documents are all deleted may be among them.
      let (more, overflows) = wanted.addingReportingOverflow(wanted / 4 + 16)
      numbers = list.mostFrequent(of: [range], limit: overflows ? wanted : more)
    case .term: numbers = Array(range)
    }
    let counter = try TermFrequencies(self, db)
    // Looking terms up individually takes longer than reading all of them in order.
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

  /// Returns the prefix of terms for a text; the text itself if fields have different terms for it.
  private func folded(_ beginning: String) -> String {
    var text = Substring(beginning)
    while text.last == "*" { text.removeLast() }
    let tokenizers = GroupTokenizers(self)
    let forms = Set(
      groups.indices.map { group -> String in
        let terms = tokenizers[group].queryTerms(String(text), prefix: true)
        // A text of several terms is not a prefix of any term, and a text without terms is searched as it is.
        return terms.count == 1 ? terms[0].forms.first ?? String(text) : String(text)
      })
    return forms.count == 1 ? forms.first ?? String(text) : String(text)
  }
}
