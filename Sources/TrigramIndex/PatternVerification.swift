public import GRDB
import SQLiteAccess
import TextIndex

/// Checks a pattern index against the documents that it should contain; see also `FullTextVerification`.
public struct PatternVerification {
  private let index: StoredPatternIndex
  private let db: Database
  private let writer: PatternTableWriter?
  /// The index in another database, and the documents of each trigram that it must contain.
  private let remote: (any RemotePatternIndexes)?
  private var expectedRows: [UInt32: [UInt32]] = [:]
  private var expected = PostingChecksum()
  private var chunkCount = 0
  private var largestChunk: Int64 = 0
  private var hasWrongChunks = false

  /// Creates a check of an index. It requires the writing connection because FTS5's integrity check is an INSERT
  /// statement, although it writes nothing.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    self.index = index
    self.db = db
    remote = db.remotePatternIndexes
    writer = index.isOutdated || remote != nil ? nil : try PatternTableWriter(index, db)
  }

  /// Adds a document that the index should contain.
  public mutating func expect(_ document: DocumentTrigrams, rowID: Int64) throws {
    if remote != nil {
      for trigram in document.trigrams { expectedRows[trigram, default: []].append(UInt32(truncatingIfNeeded: rowID)) }
      return
    }
    guard let chunks = try writer?.chunks(ofRow: rowID) else { return }
    guard chunks.count == document.ends.count else {
      hasWrongChunks = true
      return
    }
    chunkCount += chunks.count
    largestChunk = max(largestChunk, chunks.max() ?? 0)
    document.bytes.withUnsafeBytes { bytes in
      for (number, chunk) in chunks.enumerated() {
        for start in stride(from: document.chunk(number).lowerBound, to: document.chunk(number).upperBound, by: 3) {
          expected.add(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 3)]), chunk, 0, 0)
        }
      }
    }
  }

  /// Returns a description of the first problem; nil if there is none.
  ///
  /// - Complexity: O(n) in the size of the index.
  public func problem() throws -> String? {
    if index.isOutdated { return "it was built by another version (\(index.version)); rebuild it" }
    if let remote {
      do { return try problem(in: remote) } catch let error as TextIndexError where error.kind == .damaged {
        return "its lists are damaged; rebuild it"
      }
    }
    do {
      let segments = SegmentVerification(table: index.tableName, detail: .none, largestRow: largestChunk)
      if let problem = try segments.problem(db) { return problem }
      try index.table.checkIntegrity(db)
      let chunks = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.table.chunkTable)") ?? 0
      guard !hasWrongChunks, chunks == chunkCount else {
        return "it does not contain the documents of the collection; rebuild it"
      }
      let totals = try IndexTotals(ofTable: index.tableName, columnCount: 1, db)
      guard totals.rowCount == Int64(chunkCount), totals.tokenCounts == [Int64(expected.count)] else {
        return "its totals do not match its documents; rebuild it"
      }
      let found = try PostingChecksum(ofTable: index.tableName, db)
      if found == expected { return nil }
      return "its trigrams (\(found.count)) do not match those of its documents (\(expected.count)); rebuild it"
    } catch let damage as DoclistCorruption {
      return "its table is damaged (\(damage.reason)); rebuild it"
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "its table is damaged (\(error.message ?? "corrupt")); rebuild it"
    }
  }

  /// Candidates may contain documents without a trigram, but must contain all with it.
  private func problem(in remote: any RemotePatternIndexes) throws -> String? {
    let trigrams = expectedRows.keys.sorted()
    let recent = try remote.patternSummary(index.id, of: [], withLongDocuments: false).recent
    let unlisted = Set(recent.map(\.row))
    for start in stride(from: 0, to: trigrams.count, by: 1_000) {
      let part = trigrams[start..<min(start + 1_000, trigrams.count)]
      let found = try remote.patternLists(index.id, of: Set(part))
      for trigram in part {
        let listed = Set(found[trigram] ?? [])
        let missing = (expectedRows[trigram] ?? []).filter { !listed.contains($0) && !unlisted.contains($0) }
        if !missing.isEmpty { return "it lacks trigrams of \(missing.count) documents; rebuild it" }
      }
    }
    return nil
  }
}
