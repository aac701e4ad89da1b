public import GRDB
import SQLiteAccess

/// Computes the bounds of long doclists (see ``DoclistBounds``), and stores them with their segments.
struct DoclistBoundsWriter {
  private let index: StoredFullTextIndex
  private let table: String
  private let db: Database

  /// The largest factor by which bounds may be too loose; see ``LengthNormalization``. With a larger one, searches
  /// would read too many leaves.
  private static let largestFactor = 1.1

  /// - Parameter db: the writing connection, in a transaction that has no unwritten changes to the index.
  init(_ index: StoredFullTextIndex, _ db: Database) {
    self.index = index
    table = index.table.name
    self.db = db
  }

  /// Writes missing bounds, and replaces bounds that are too loose for the definition's current ranking.
  ///
  /// - Throws: ``FTS5FallbackRequired`` if FTS5's format is unknown, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(p) in the number of postings of long doclists without bounds: for a new segment, most of its
  ///   postings.
  func run() throws {
    let state = try index.cache.state(of: index, db)
    let scorer = state.scorer(try ResolvedRanking(index.definition.ranking, for: index))
    let columnCount = index.table.columnCount
    let reader = try LeafReader(table: table, columnCount: columnCount, db)
    let segments = try SegmentReader(table: table, db)
    try UntrustedSchemaSettings.withoutDefense(db) {
      // In defensive mode, SQLite rejects this statement when it is prepared, not when it runs.
      let insertion = try SQLStatement(
        cached: "INSERT OR REPLACE INTO \(table)_data (id, block) VALUES (?, ?)", in: db)
      let queue = BoundsQueue(scorer, columnCount: columnCount)
      defer { queue.wait() }
      func storeFinished() throws {
        for bounds in try queue.takeFinished() {
          try bounds.bytes.withUnsafeBytes { bytes in
            insertion.bind(1, bounds.id)
            insertion.bind(2, blob: bytes)
            try insertion.run()
          }
        }
      }
      for segment in state.segments {
        for leaf in try segments.longDoclists(of: segment) {
          let known = try reader.bounds(from: leaf, in: segment)
          if let factor = known?.normalization.factor(to: scorer.normalization),
            factor <= DoclistBoundsWriter.largestFactor
          {
            continue
          }
          queue.add(try segments.longDoclist(from: leaf, in: segment), from: leaf, in: segment)
          try storeFinished()
        }
      }
      queue.wait()
      try storeFinished()
    }
  }
}

extension FullTextCatalog {
  /// Writes the missing bounds of all long doclists of an index, so that a search for a common word reads few of its
  /// leaves. Call it after large changes, or after the definition's ranking changes. Results do not depend on bounds,
  /// and unchanged segments keep theirs.
  ///
  /// If the index cannot be read, nothing is written.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection, in a transaction without unwritten changes to the index.
  /// - Throws: `DatabaseError`.
  public static func writeBounds(of index: StoredFullTextIndex, _ db: Database) throws {
    try writeDerived(of: index, db) { try DoclistBoundsWriter(index, db).run() }
  }

  /// Calls `body`, which stores data that is computed from the segments of an index. Does nothing if the segments are
  /// in another database or cannot be read.
  static func writeDerived(of index: StoredFullTextIndex, _ db: Database, _ body: () throws -> Void) throws {
    // Segments in another database are written with their bounds, and with pages that contain only terms.
    guard !index.isOutdated, RemoteIndexes.storage(of: db) == nil else { return }
    try skippingUnreadableIndex(body)
  }
}
