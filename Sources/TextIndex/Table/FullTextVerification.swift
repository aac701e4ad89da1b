public import GRDB

/// Checks an index against the documents that it should hold.
///
/// Its tables are read first, each byte checked (``SegmentVerification``), and then handed to FTS5's own check, which looks at more
/// and trusts more. That cannot know what a contentless table should hold. So each instance of a term in the table (term,
/// document, column, position) is hashed and the hashes are added up, and the same is done with the terms that the
/// documents give now; equal sums mean an equal index.
public struct FullTextVerification {
  private let index: StoredFullTextIndex
  private let db: Database
  private var expected = PostingChecksum()
  private var documents: Set<Int64> = []
  private var lengths: LengthVerification

  /// Checks an index on the writing connection: FTS5's own check needs one that may write, although it writes nothing.
  public init(_ index: StoredFullTextIndex, _ db: Database) {
    self.index = index
    self.db = db
    lengths = LengthVerification(LengthTable(of: index))
  }

  /// Adds a document that the index should hold.
  public mutating func expect(_ document: AnalyzedDocument, rowID: Int64) {
    documents.insert(rowID)
    lengths.expect(document.lengths, rowID: rowID)
    document.stream.withUnsafeBytes { stream in
      for column in document.columnEnds.indices {
        let bytes = UnsafeRawBufferPointer(rebasing: stream[document.column(column)])
        TermStream.forEachTerm(in: bytes) { term, position in
          expected.add(term, rowID, column, position)
        }
      }
    }
  }

  /// A description of the first problem; nil if there is none.
  ///
  /// - Complexity: O(n) in the size of the index.
  public func problem() throws -> String? {
    if index.isOutdated {
      return "made with another version of the text analysis (\(index.analyzerVersion)); rebuild it"
    }
    do {
      let table = index.table
      let segments = SegmentVerification(
        table: table.name, detail: .full(columnCount: table.columnCount), largestRow: documents.max() ?? 0)
      if let problem = try segments.problem(db) { return problem }
      try table.checkIntegrity(db)
      if let problem = try rowsProblem() { return problem }
      guard try table.totals(db) == lengths.totals else { return FullTextVerification.wrongTotals }
      if let problem = try lengths.problem(db) { return problem }
      if let problem = try BoundsVerification(index, db).problem() { return problem }
      return try termsProblem()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "its table is damaged (\(error.message ?? "corrupt")); rebuild it"
    }
  }

  private static let wrongTotals = "its totals do not match its documents; rebuild it"

  private func rowsProblem() throws -> String? {
    let indexed = try Set(Int64.fetchAll(db, sql: "SELECT id FROM \(index.table.name)_docsize"))
    let missing = documents.subtracting(indexed).count
    let surplus = indexed.subtracting(documents).count
    guard missing > 0 || surplus > 0 else { return nil }
    return "\(missing) documents are missing from it, and \(surplus) are in it that do not exist; rebuild it"
  }

  private func termsProblem() throws -> String? {
    let found = try PostingChecksum(ofTable: index.table.name, db)
    if found == expected { return nil }
    return "it holds \(found.count) terms where the documents have \(expected.count), or other ones; rebuild it"
  }
}
