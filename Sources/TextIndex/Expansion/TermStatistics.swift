import Foundation
import GRDB

/// In how many documents of an index terms stand.
struct TermStatistics {
  /// How many documents the index has.
  let documentCount: Int
  private let index: InvertedIndex
  private let db: Database

  init(_ index: InvertedIndex, _ db: Database) throws {
    self.index = index
    self.db = db
    do {
      documentCount = Int(try index.table.totals(db).rowCount)
    } catch let damage as DoclistDamage {
      throw damage.error(index: index.name)
    }
  }

  /// In how many documents a term stands.
  func documentFrequency(of term: CompiledPhrase) throws -> Int {
    try FullTextQuery(compiled: .phrase(term), in: index).count(db)
  }

  /// How rare a term is that stands in so many documents, as in ``Ranking``.
  func rarity(documentFrequency: Int) -> Double {
    let frequency = Double(documentFrequency)
    return log(1 + max(0, (Double(documentCount) - frequency + 0.5) / (frequency + 0.5)))
  }
}
