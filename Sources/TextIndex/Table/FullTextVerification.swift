public import GRDB
import GRDBSQLite

/// Checks an index against the documents that it should hold.
///
/// FTS5's own check cannot know what a contentless table should hold. So each instance of a term in the table (term,
/// document, column, position) is hashed and the hashes are added up, and the same is done with the terms that the
/// documents give now; equal sums mean an equal index.
public struct FullTextVerification {
  private let index: InvertedIndex
  private let db: Database
  private var expectedSum: UInt64 = 0
  private var expectedCount = 0
  private var documents: Set<Int64> = []
  private var lengths: LengthVerification

  /// Checks an index on the writing connection: FTS5's own check needs one that may write, although it writes nothing.
  public init(_ index: InvertedIndex, _ db: Database) {
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
          expectedSum &+= FullTextVerification.hash(term, rowID, column, position)
          expectedCount += 1
        }
      }
    }
  }

  /// What is wrong with the index, in words; nil when nothing is.
  ///
  /// - Complexity: O(n) in the size of the index.
  public func problem() throws -> String? {
    if index.isOutdated {
      return "made with another version of the text analysis (\(index.analyzerVersion)); rebuild it"
    }
    do {
      try index.table.checkIntegrity(db)
      if let problem = try rowsProblem() { return problem }
      if let problem = try lengths.problem(db) { return problem }
      return try termsProblem()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "its table is damaged (\(error.message ?? "corrupt")); rebuild it"
    }
  }

  private func rowsProblem() throws -> String? {
    let indexed = try Set(Int64.fetchAll(db, sql: "SELECT id FROM \(index.table.name)_docsize"))
    let missing = documents.subtracting(indexed).count
    let surplus = indexed.subtracting(documents).count
    guard missing > 0 || surplus > 0 else { return nil }
    return "\(missing) documents are missing from it, and \(surplus) are in it that do not exist; rebuild it"
  }

  private func termsProblem() throws -> String? {
    let vocabulary = "concordance_verification"
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(vocabulary)
        USING fts5vocab(main, \(index.table.name), instance)
        """)
    defer { try? db.execute(sql: "DROP TABLE temp.\(vocabulary)") }
    let statement = try db.makeStatement(sql: "SELECT term, doc, col, offset FROM temp.\(vocabulary)")
    let handle = statement.sqliteStatement
    var sum: UInt64 = 0
    var count = 0
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
      }
      let text = sqlite3_column_blob(handle, 0)
      let term = UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, 0)))
      let column = column(sqlite3_column_blob(handle, 2), sqlite3_column_bytes(handle, 2))
      sum &+= FullTextVerification.hash(
        term, sqlite3_column_int64(handle, 1), column, Int(sqlite3_column_int64(handle, 3)))
      count += 1
    }
    if sum == expectedSum, count == expectedCount { return nil }
    return "it holds \(count) terms where the documents have \(expectedCount), or other ones; rebuild it"
  }

  /// The number behind the `c` of a column's name.
  private func column(_ name: UnsafeRawPointer?, _ length: Int32) -> Int {
    guard let name, length > 1 else { return -1 }
    let digits = UnsafeRawBufferPointer(start: name + 1, count: Int(length) - 1)
    return digits.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 }
  }

  /// FNV-1a over the term, mixed with the place (finalizer of MurmurHash3).
  private static func hash(_ term: UnsafeRawBufferPointer, _ rowID: Int64, _ column: Int, _ position: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in term { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= UInt64(bitPattern: rowID) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    // A damaged table may give any number.
    hash ^= UInt64(truncatingIfNeeded: column) << 48 ^ UInt64(truncatingIfNeeded: position)
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ (hash >> 33)
  }
}
