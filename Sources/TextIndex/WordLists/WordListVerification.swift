import GRDB

/// Checks the word lists of an index against its segments.
struct WordListVerification {
  let table: FullTextTable
  let db: Database

  /// Returns a description of the first problem, or nil. Lists that are missing or do not match the leaves of their
  /// segment are not used, so they are not a problem.
  ///
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms.
  func problem() throws -> String? {
    let reader = try SegmentTerms(table, db)
    let lists = try WordListReader(table.name, db)
    for segment in try reader.segments() where try lists.list(of: segment) != nil {
      guard try isIntact(segment, reader, lists) else {
        return "its word lists do not match its documents; rebuild it"
      }
    }
    return nil
  }

  private func isIntact(
    _ segment: SegmentStructure.Segment, _ reader: SegmentTerms, _ lists: WordListReader
  ) throws -> Bool {
    guard let checksum = try lists.firstLeafChecksum(of: segment) else { return false }
    var isIntact = true
    try reader.encode(reader.leaves(of: segment), firstLeafChecksum: checksum) { id, block in
      let isEqual = try DoclistFormat.withBlock(id, table: table.name, db) { $0.elementsEqual(block) }
      if isEqual != true { isIntact = false }
    }
    return isIntact
  }
}
