import GRDB
import SQLiteAccess

/// Checks the word lists of an index against its segments.
struct WordListVerification {
  private let table: FullTextTable
  private let db: Database

  init(_ table: FullTextTable, _ db: Database) {
    self.table = table
    self.db = db
  }

  /// Returns a description of the first problem; nil if there is none. Lists that are missing or do not match the leaves
  /// of their segment, so that they are not used, are not a problem.
  ///
  /// - Complexity: O(v) in the number of terms.
  func problem() throws -> String? {
    do {
      let reader = try SegmentTerms(table, db)
      let lists = try WordListReader(table.name, db)
      for segment in try reader.segments() where try lists.list(of: segment) != nil {
        guard try isIntact(segment, reader, lists) else { return WordListVerification.wrong }
      }
      return nil
    } catch is FTS5FallbackRequired {
      return nil
    } catch let damage as DoclistCorruption {
      return damage.reason
    }
  }

  private static let wrong = "its word lists do not match its documents; rebuild it"

  private func isIntact(
    _ segment: SegmentStructure.Segment, _ reader: SegmentTerms, _ lists: WordListReader
  ) throws -> Bool {
    guard let checksum = try lists.firstLeafChecksum(of: segment) else { return false }
    let stored = try SQLStatement(cached: "SELECT block FROM \(table.name)_data WHERE id = ?", in: db)
    var isIntact = true
    try reader.encode(reader.leaves(of: segment), firstLeafChecksum: checksum) { id, block in
      stored.bind(1, id)
      defer { stored.reset() }
      if try !stored.step() || !stored.row.blob(0).elementsEqual(block) { isIntact = false }
    }
    return isIntact
  }
}
