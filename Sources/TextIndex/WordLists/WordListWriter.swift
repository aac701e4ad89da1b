public import GRDB
import SQLiteAccess

/// Stores the missing word lists of an index's segments; see ``WordListFormat``.
struct WordListWriter {
  private let table: FullTextTable
  private let db: Database

  /// The minimum number of leaves, on which terms begin, of a segment with a list. Other segments are read quickly.
  static let minimumLeafCount = 64

  /// - Parameter db: the writing connection, in a transaction that has no unwritten changes to the index.
  init(_ table: FullTextTable, _ db: Database) {
    self.table = table
    self.db = db
  }

  /// Writes the missing lists, except those of segments that FTS5 is merging: their leaves change with every
  /// transaction.
  ///
  /// - Throws: ``FTS5FallbackRequired`` if FTS5's format is unknown, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms of the segments without a list.
  func run(minimumLeafCount: Int = WordListWriter.minimumLeafCount) throws {
    let reader = try SegmentTerms(table, db)
    let lists = try WordListReader(table.name, db)
    let levels = try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: table.name, db))
    for segment in levels.completeSegments where try lists.list(of: segment) == nil {
      let leaves = try reader.leaves(of: segment)
      guard leaves.count >= minimumLeafCount, let checksum = try lists.firstLeafChecksum(of: segment) else { continue }
      try UntrustedSchemaSettings.withoutDefense(db) {
        // In defensive mode, SQLite rejects these statements when they are prepared, not when they run.
        let removal = try SQLStatement(cached: "DELETE FROM \(table.name)_data WHERE id >= ? AND id < ?", in: db)
        let insertion = try SQLStatement(cached: "INSERT INTO \(table.name)_data (id, block) VALUES (?, ?)", in: db)
        let ids = WordListFormat.ids(in: segment)
        removal.bind(1, ids.lowerBound)
        removal.bind(2, ids.upperBound)
        try removal.run()
        try reader.encode(leaves, firstLeafChecksum: checksum) { id, block in
          insertion.bind(1, id)
          try block.withUnsafeBytes { bytes in
            insertion.bind(2, blob: bytes)
            try insertion.run()
          }
        }
      }
    }
  }
}

extension SegmentTerms {
  /// Calls `body` with the blocks of a segment's word list, the header last.
  func encode(
    _ leaves: TermLeaves, firstLeafChecksum: UInt64, _ body: @escaping (_ id: Int64, _ block: [UInt8]) throws -> Void
  ) throws {
    var encoder = WordListEncoder(leaves.segment, body)
    try forEachWord(on: leaves) { try encoder.append($0, frequency: $1) }
    try encoder.finish(firstLeafChecksum: firstLeafChecksum)
  }
}

extension FullTextCatalog {
  /// Stores the missing word lists of an index, so that corrections of words read only their blocks. Call it after
  /// large changes. Results do not depend on the lists, and unchanged segments keep theirs.
  ///
  /// If the index cannot be read, nothing is written.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection, in a transaction without unwritten changes to the index.
  /// - Throws: `DatabaseError`.
  public static func writeWordLists(of index: StoredFullTextIndex, _ db: Database) throws {
    try writeDerived(of: index, db) {
      try WordListWriter(index.table, db).run()
    }
  }
}
