public import GRDB
import TextIndex

/// Checks a pattern index against the documents that it should hold; compare `FullTextVerification`.
public struct PatternVerification {
  private let index: StoredPatternIndex
  private let db: Database
  private let writer: PatternIndexWriter?
  private var expected = PostingChecksum()
  private var partCount = 0
  private var largestPart: Int64 = 0
  private var hasWrongParts = false

  /// Checks an index on the writing connection: FTS5's own check needs one that may write, although it writes nothing.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    self.index = index
    self.db = db
    writer = index.isOutdated ? nil : try PatternIndexWriter(index, db)
  }

  /// Adds a document that the index should hold.
  public mutating func expect(_ document: DocumentTrigrams, rowID: Int64) throws {
    guard let parts = try writer?.parts(ofRow: rowID) else { return }
    guard parts.count == document.ends.count else {
      hasWrongParts = true
      return
    }
    partCount += parts.count
    largestPart = max(largestPart, parts.max() ?? 0)
    document.bytes.withUnsafeBytes { bytes in
      for (number, part) in parts.enumerated() {
        for start in stride(from: document.part(number).lowerBound, to: document.part(number).upperBound, by: 3) {
          expected.add(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 3)]), part, 0, 0)
        }
      }
    }
  }

  /// A description of the first problem; nil if there is none.
  ///
  /// - Complexity: O(n) in the size of the index.
  public func problem() throws -> String? {
    if index.isOutdated { return "made by another version (\(index.version)); rebuild it" }
    do {
      let segments = SegmentVerification(table: index.tableName, detail: .none, largestRow: largestPart)
      if let problem = try segments.problem(db) { return problem }
      try index.table.checkIntegrity(db)
      let parts = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(index.table.parts)") ?? 0
      guard !hasWrongParts, parts == partCount else {
        return "it does not hold the documents that there are; rebuild it"
      }
      let totals = try IndexTotals(ofTable: index.tableName, columnCount: 1, db)
      guard totals.rowCount == Int64(partCount), totals.tokenCounts == [Int64(expected.count)] else {
        return "what it has counted is not what its documents have; rebuild it"
      }
      let found = try PostingChecksum(ofTable: index.tableName, db)
      if found == expected { return nil }
      return "it holds \(found.count) trigrams where the documents have \(expected.count), or other ones; rebuild it"
    } catch let damage as DoclistCorruption {
      return "its table is damaged (\(damage.reason)); rebuild it"
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "its table is damaged (\(error.message ?? "corrupt")); rebuild it"
    }
  }
}
