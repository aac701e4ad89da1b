import GRDB
import TextAnalysis

/// The document frequencies of terms of an index.
struct TermStatistics {
  /// How many documents the index has.
  let documentCount: Int
  private let index: StoredFullTextIndex
  private let counter: TermFrequencies

  init(_ index: StoredFullTextIndex, _ db: Database) throws {
    self.index = index
    counter = try TermFrequencies(index, db)
    do {
      documentCount = Int(try (counter.reader?.state.totals ?? index.table.totals(db)).rowCount)
    } catch let damage as DoclistCorruption {
      throw damage.error(index: index.name)
    }
  }

  /// The document frequency of a term.
  func documentFrequency(of match: CompiledMatch) throws -> Int { try counter.documentFrequency(of: match) }

  /// Whether a term of this document frequency distinguishes documents: if the function words of the language are
  /// known, those in more than half of the documents do not, and otherwise those in more than a quarter, which most function
  /// words are. On Cranfield without a language the effectiveness of feedback is the same with a quarter and with a half.
  func isDiscriminative(documentFrequency: Int) -> Bool {
    let share = index.groups.allSatisfy(\.hasStems) ? 2 : 4
    return documentFrequency <= max(TermStatistics.fewDocuments, documentCount / share)
  }

  /// No share of fewer documents says anything.
  private static let fewDocuments = 10

  /// The idf of a term with this document frequency, as in ``Ranking``.
  func idf(documentFrequency: Int) -> Double {
    Scorer.idf(documentFrequency: documentFrequency, documentCount: documentCount)
  }
}
