import GRDB
import TextAnalysis

/// The document frequencies of terms of an index.
struct TermStatistics {
  /// The number of documents of the index.
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

  /// Returns the document frequency of a term.
  func documentFrequency(of match: CompiledMatch) throws -> Int { try counter.documentFrequency(of: match) }

  /// Returns whether a term with this document frequency distinguishes documents. The limit is half of the documents if
  /// the function words of the language are known, and otherwise a quarter, which excludes most function words. On
  /// Cranfield without a language, feedback is equally effective with either limit.
  func isDiscriminative(documentFrequency: Int) -> Bool {
    let share = index.groups.allSatisfy(\.hasStems) ? 2 : 4
    return documentFrequency <= max(TermStatistics.fewDocuments, documentCount / share)
  }

  /// With fewer documents, the fraction is not significant.
  private static let fewDocuments = 10

  /// Returns the idf of a term with this document frequency, as in ``Ranking``.
  func idf(documentFrequency: Int) -> Double {
    Scorer.idf(documentFrequency: documentFrequency, documentCount: documentCount)
  }
}
