public import GRDB

/// Checks an index against the documents that it should contain.
///
/// ``SegmentVerification`` reads every byte of the tables before FTS5's integrity check runs. That check covers more
/// but also trusts its input more. FTS5 cannot check a contentless table against its documents. Therefore each instance
/// of a term in the table (term, document, column, position) is hashed and the hashes are summed; the sum must equal
/// that of the terms of the documents.
public struct FullTextVerification {
  private let index: StoredFullTextIndex
  private let db: Database
  private var expected = PostingChecksum()
  private var documents: Set<Int64> = []
  private var lengths: LengthVerification
  /// The storage of the index; nil for a file.
  private let remote: (any RemoteIndexStorage)?

  /// Creates a check of an index. In a file, it requires the writing connection because FTS5's integrity check is an
  /// INSERT statement, although it writes nothing.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the connection.
  public init(_ index: StoredFullTextIndex, _ db: Database) {
    self.index = index
    self.db = db
    lengths = LengthVerification(LengthTable(of: index))
    remote = RemoteIndexes.storage(of: db)
  }

  /// Adds a document that the index should contain.
  ///
  /// - Parameters:
  ///   - document: the terms of the document.
  ///   - rowID: the row of the document.
  public mutating func expect(_ document: AnalyzedDocument, rowID: Int64) {
    documents.insert(rowID)
    lengths.expect(document.lengths, rowID: rowID)
    if remote != nil {
      // The boundaries between strings are stored only by FTS5.
      document.forEachTerm { expected.add($0, rowID, $1, $2) }
      return
    }
    document.forEachOccurrence { expected.add($0, rowID, $1, $2) }
  }

  /// Returns a description of the first problem, or nil.
  ///
  /// - Throws: `DatabaseError` for an error other than damage.
  /// - Complexity: O(n) in the size of the index.
  public func problem() throws -> String? {
    if index.isOutdated {
      return "it was built with another version of the text analysis (\(index.analyzerVersion)); rebuild it"
    }
    if let remote { return try problem(in: remote.contents(of: index, db)) }
    do {
      let table = index.table
      let segments = SegmentVerification(
        table: table.name, detail: .full(columnCount: table.columnCount), largestRow: documents.max() ?? 0)
      if let problem = try segments.problem(db) { return problem }
      try table.checkIntegrity(db)
      let rows = try Set(Int64.fetchAll(db, sql: "SELECT id FROM \(index.table.name)_docsize"))
      if let problem = rowsProblem(rows) { return problem }
      guard try table.totals(db) == lengths.totals else { return FullTextVerification.wrongTotals }
      if let problem = try lengths.problem(db) { return problem }
      if let problem = try problemOrDamage(BoundsVerification(index: index, db: db).problem) { return problem }
      if let problem = try problemOrDamage(WordListVerification(table: table, db: db).problem) { return problem }
      return termsProblem(try PostingChecksum(ofTable: index.table.name, db))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "its table is damaged (\(error.message ?? "corrupt")); rebuild it"
    }
  }

  /// Returns the problem that a check finds, or the damage that ends the check. A table that only FTS5 can read passes
  /// it.
  private func problemOrDamage(_ check: () throws -> String?) throws -> String? {
    do {
      return try check()
    } catch is FTS5FallbackRequired {
      return nil
    } catch let damage as DoclistCorruption {
      return damage.reason
    }
  }

  private static let wrongTotals = "its totals do not match its documents; rebuild it"

  private func problem(in contents: IndexContents) -> String? {
    if let problem = rowsProblem(contents.rows) { return problem }
    guard contents.totals == lengths.totals else { return FullTextVerification.wrongTotals }
    return termsProblem(contents.postings)
  }

  private func rowsProblem(_ indexed: Set<Int64>) -> String? {
    let missing = documents.subtracting(indexed).count
    let surplus = indexed.subtracting(documents).count
    guard missing > 0 || surplus > 0 else { return nil }
    return "it lacks \(missing) documents and contains \(surplus) that do not exist; rebuild it"
  }

  private func termsProblem(_ found: PostingChecksum) -> String? {
    if found == expected { return nil }
    return "its terms (\(found.count)) do not match those of its documents (\(expected.count)); rebuild it"
  }
}
