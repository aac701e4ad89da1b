public import GRDB

/// A term of a full-text index.
public struct IndexTerm: Hashable, Sendable {
  /// The orders that terms are listed in.
  public enum Order: Hashable, Sendable {
    /// The terms of the most documents first.
    case frequency
    /// By the bytes of the terms.
    case term
  }

  /// The term, as it stands in the index: folded, and possibly a stem.
  public let text: String
  /// The number of documents that it stands in.
  public let documentFrequency: Int
  /// How often it stands in all of them together; nil where FTS5's version is not known and it could not be counted.
  public let occurrences: Int?
}

extension InvertedIndex {
  /// The terms of the index, words and stems, with exact numbers.
  ///
  /// - Parameters:
  ///   - beginning: what they begin with, as they stand in the index; "" for all.
  ///   - order: the order that they come in. Which are the most frequent is estimated where terms stand in many documents.
  ///   - limit: how many at most; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Throws: ``TextIndexError`` for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v) in the number of terms, and a look-up of each that is returned.
  public func terms(
    beginningWith beginning: String = "", order: IndexTerm.Order = .frequency, limit: Int? = nil, _ db: Database
  ) throws -> [IndexTerm] {
    try requireCurrent()
    let list = try vocabulary(db).terms
    let range = list.numbers(beginningWith: Array(beginning.utf8))
    let wanted = max(0, limit ?? range.count)
    let numbers: [Int]
    switch order {
    case .frequency:
      // A term whose documents are all deleted may be among them.
      let (more, overflows) = wanted.addingReportingOverflow(wanted / 4 + 16)
      numbers = list.commonest(of: [range], limit: overflows ? wanted : more)
    case .term: numbers = Array(range)
    }
    let counter = try TermFrequencies(self, db)
    var terms: [IndexTerm] = []
    for number in numbers where order == .frequency || terms.count < wanted {
      let text = list.text(number)
      let count = try counter.documentFrequency(text)
      if count > 0 {
        terms.append(IndexTerm(text: text, documentFrequency: count, occurrences: try counter.occurrences(text)))
      }
    }
    if order == .frequency {
      terms.sort { ($0.documentFrequency, $1.text) > ($1.documentFrequency, $0.text) }
    }
    return Array(terms.prefix(wanted))
  }
}
