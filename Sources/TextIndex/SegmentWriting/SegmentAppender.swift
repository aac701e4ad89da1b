import GRDB
import SQLiteAccess

/// Adds postings and removals to an FTS5 table as a new segment without using FTS5, whose hash table, sorting and
/// merges took half of the time needed to build an index.
///
/// FTS5 caches the table's structure and totals. Before the segment is added, FTS5 is made to write its changes;
/// afterwards, it is made to read the structure again.
package struct SegmentAppender {
  /// The FTS5 table.
  let table: String
  let detail: PostingsHash.Detail
  /// Whether the table has a row in `t_docsize` for each document.
  let hasSizes: Bool

  /// The maximum page size. FTS5 stores offsets in leaves as 16-bit numbers.
  private static let largestPageSize = 32_000

  package init(table: String, detail: PostingsHash.Detail, hasSizes: Bool) {
    self.table = table
    self.detail = detail
    self.hasSizes = hasSizes
  }

  /// Returns whether the table has a format to which segments can be added. If the table is damaged, FTS5 reports it.
  func isSupported(_ db: Database) -> Bool { supportedPageSize(db) != nil }

  /// Returns the page size of the table; nil if no segments can be added to it.
  func supportedPageSize(_ db: Database) -> Int? {
    do {
      let pageSize = try pageSize(db)
      let levels = try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: table, db))
      return levels.unusedID == nil ? nil : pageSize
    } catch {
      return nil
    }
  }

  /// Writes the postings and lengths of documents that are inserted and removed.
  /// - Throws: ``FTS5FallbackRequired`` if the table is not supported, ``DoclistCorruption``, `DatabaseError`.
  func append(_ postings: PostingsBuilder<some Any>, _ lengths: DocumentLengthList, _ db: Database) throws {
    let pageSize = try pageSize(db)
    try append(lengths, pageSize: pageSize, db) { postings.encode(segment: $0, pageSize: pageSize) }
  }

  /// Writes prepared postings, and the lengths of their documents.
  ///
  /// - Returns: false if they were encoded for another page size. In that case, nothing is written.
  /// - Throws: as ``append(_:_:_:)``.
  func append(_ prepared: PreparedPostings<some Any>, _ db: Database) throws -> Bool {
    let pageSize = try pageSize(db)
    guard let encoding = prepared.encoding, pageSize == prepared.pageSize else { return false }
    try append(prepared.lengths, pageSize: pageSize, encodedSegment: 0, db) { _ in encoding }
    return true
  }

  /// Writes lengths and the leaves of a segment.
  ///
  /// - Parameters:
  ///   - encodedSegment: the number of the segment in the ids of the encoded leaves; nil for the number of the new
  ///     segment.
  ///   - encode: starts to encode the leaves of the segment with the given number.
  private func append(
    _ lengths: DocumentLengthList, pageSize: Int, encodedSegment: Int64? = nil, _ db: Database,
    encode: (Int64) -> SegmentEncoding
  ) throws {
    try SegmentAppender.flushFTS5(db)
    var levels = try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: table, db))
    guard let id = levels.unusedID else { throw FTS5FallbackRequired.unknownFormat }
    let totals = try IndexTotals(ofTable: table, columnCount: lengths.columnCount, db)
    let encoding = encode(id)
    // Has no effect after the last part.
    defer { encoding.cancel() }
    let leafCount = try UntrustedSchemaSettings.withoutDefense(db) {
      // The first leaves are ready only when the terms are sorted.
      if hasSizes { try write(lengths, db) }
      let leafCount = try encoding.forEachPart(store(segment: id, encodedAs: encodedSegment ?? id, db))
      if leafCount > 0 {
        levels.append(id, leafCount: leafCount)
        try mergeFullLevels(&levels, afterAdding: leafCount, pageSize: pageSize, db)
      }
      let blocks = try BlockWriter(table, db)
      try blocks.write(DoclistFormat.averagesID, lengths.averages(changing: totals))
      if leafCount > 0 { try blocks.write(DoclistFormat.structureID, levels.record) }
      return leafCount
    }
    try resetFTS5(db)
    let mergedLeaves = levels.leavesToMerge(afterAdding: leafCount)
    if mergedLeaves > 0 { try merge(leaves: Int32(clamping: mergedLeaves), db) }
  }

  /// Makes FTS5 write its hash table and totals, as it does at every savepoint.
  static func flushFTS5(_ db: Database) throws {
    try db.execute(sql: "SAVEPOINT concordance_flush; RELEASE concordance_flush")
  }

  /// Makes FTS5 discard its cached structure, by a merge of 0 leaves.
  func resetFTS5(_ db: Database) throws { try merge(leaves: 0, db) }

  private func merge(leaves: Int32, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", arguments: [leaves])
  }

  func pageSize(_ db: Database) throws -> Int {
    try DoclistFormat.requireKnown(table: table, db)
    let size = try DoclistFormat.pageSize(table: table, db)
    guard (64...SegmentAppender.largestPageSize).contains(size) else { throw FTS5FallbackRequired.unknownFormat }
    return size
  }

  /// Returns a function that stores the blocks and separators of a segment.
  ///
  /// - Parameter encodedSegment: the number of the segment in the ids of the blocks.
  func store(
    segment: Int64, encodedAs encodedSegment: Int64, _ db: Database
  ) throws -> (SegmentPart) throws -> Void {
    // A damaged table may have rows of a number that no segment has.
    try remove(segment: segment, db)
    let blocks = try BlockWriter(table, db)
    let offset = (segment - encodedSegment) << DoclistFormat.segmentShift
    let separators = try SeparatorWriter(table, segment: segment, db)
    return { part in
      try part.forEachBlock { id, bytes in try blocks.write(id + offset, bytes) }
      try part.forEachSeparator(separators.write)
    }
  }

  private func write(_ lengths: DocumentLengthList, _ db: Database) throws {
    let removal = try SQLStatement(cached: "DELETE FROM \(table)_docsize WHERE id = ?", in: db)
    for row in lengths.removedRows {
      removal.bind(1, row)
      try removal.run()
    }
    // A statement for several rows takes half the time.
    let groupSize = 16
    func insertion(ofRows count: Int) throws -> SQLStatement {
      let rows = String.sqlRows(count, columnCount: 2)
      return try SQLStatement(cached: "INSERT OR REPLACE INTO \(table)_docsize (id, sz) VALUES \(rows)", in: db)
    }
    let (group, single) = (try insertion(ofRows: groupSize), try insertion(ofRows: 1))
    let groupedCount = lengths.insertedCount / groupSize * groupSize
    var number = 0
    try lengths.forEachInserted { row, sizes in
      let isGrouped = number < groupedCount
      let position = isGrouped ? number % groupSize : 0
      let statement = isGrouped ? group : single
      statement.bind(Int32(2 * position + 1), row)
      statement.bind(Int32(2 * position + 2), copying: sizes, asText: false)
      if !isGrouped || position == groupSize - 1 { try statement.run() }
      number += 1
    }
  }
}

/// Writes blocks of `t_data`.
struct BlockWriter {
  private let insertion: SQLStatement

  init(_ table: String, _ db: Database) throws {
    insertion = try SQLStatement(cached: "INSERT OR REPLACE INTO \(table)_data (id, block) VALUES (?, ?)", in: db)
  }

  func write(_ id: Int64, _ bytes: UnsafeRawBufferPointer) throws {
    insertion.bind(1, id)
    insertion.bind(2, blob: bytes)
    try insertion.run()
  }

  func write(_ id: Int64, _ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write(id, $0) } }
}

/// Writes rows of `t_idx` for a segment.
private struct SeparatorWriter {
  private let insertion: SQLStatement
  private let segment: Int64

  init(_ table: String, segment: Int64, _ db: Database) throws {
    insertion = try SQLStatement(cached: "INSERT INTO \(table)_idx (segid, term, pgno) VALUES (?, ?, ?)", in: db)
    self.segment = segment
  }

  func write(_ page: Int64, _ term: UnsafeRawBufferPointer) throws {
    insertion.bind(1, segment)
    insertion.bind(2, blob: term)
    insertion.bind(3, page)
    try insertion.run()
  }
}
