public import GRDB
import SQLiteAccess

/// A file that documents of a collection were read from, and its state at that time.
public struct SourceRecord: Hashable, Sendable {
  /// The row id in the catalog, to which ``StoredDocument/source`` refers.
  public let id: Int64
  /// The file's path.
  public let path: String
  /// The size in bytes.
  public let size: Int64
  /// The modification time, in nanoseconds since 1970.
  public let modified: Int64
  /// The settings with which it was read. A source read with other settings is not up to date.
  public let settings: String
  /// Whether all of its documents were saved. An incomplete source is read again.
  public let isComplete: Bool
}

/// The sources of a collection's documents, recorded so that indexing a corpus again reads only files that have
/// changed.
///
/// Reading a file again creates a new row in addition to the old one. Its documents move to the new row as they are
/// saved; documents that still belong to the old row at the end are no longer in the file.
public enum SourceCatalog {
  /// Returns at most `limit` sources of a collection, ordered by id.
  public static func all(
    in collection: CollectionRecord, limit: Int = .max, _ db: Database
  ) throws -> [SourceRecord] {
    let statement = try SQLStatement(
      sql: """
        SELECT id, path, size, modified, settings, is_complete FROM concordance_source
        WHERE collection = ? ORDER BY id LIMIT ?
        """, in: db)
    statement.bind(1, collection.id)
    statement.bind(2, Int64(limit))
    var sources: [SourceRecord] = []
    while try statement.step() { sources.append(SourceRecord(statement.row)) }
    return sources
  }

  /// Returns whether the collection has sources.
  public static func hasSources(in collection: CollectionRecord, _ db: Database) throws -> Bool {
    let statement = try SQLStatement(
      cached: "SELECT EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?)", in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    return try statement.step() && statement.row.int64(0) != 0
  }

  /// Returns whether the collection has a source at this path or below it.
  ///
  /// - Complexity: O(log n).
  public static func hasSources(
    below path: SourcePath, in collection: CollectionRecord, _ db: Database
  ) throws -> Bool {
    let statement = try SQLStatement(
      cached: """
        SELECT EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?1 AND path = ?2)
          OR EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?1 AND path >= ?3 AND path < ?4)
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    for (index, text) in [path.path, path.lower, path.upper].enumerated() {
      statement.bind(Int32(index + 2), copying: Array(text.utf8), asText: true)
    }
    return try statement.step() && statement.row.int64(0) != 0
  }

  /// Returns the source that a document was read from, or nil.
  public static func source(
    ofDocument id: String, in collection: CollectionRecord, _ db: Database
  ) throws -> SourceRecord? {
    let statement = try SQLStatement(
      cached: """
        SELECT s.id, path, size, modified, settings, is_complete
        FROM \(collection.table) d JOIN concordance_source s ON s.id = d.source WHERE d.id = ?
        """, in: db)
    return try statement.withText(1, id) {
      defer { statement.reset() }
      return try statement.step() ? SourceRecord(statement.row) : nil
    }
  }

  /// Returns the ids of the rows for a file: one for the last read, and more if reads were interrupted.
  public static func ids(
    ofPath path: String, in collection: CollectionRecord, _ db: Database
  ) throws -> [Int64] {
    let statement = try SQLStatement(
      cached: "SELECT id FROM concordance_source WHERE collection = ? AND path = ?", in: db)
    return try statement.withText(2, path) {
      statement.bind(1, collection.id)
      var ids: [Int64] = []
      while try statement.step() { ids.append(statement.row.int64(0)) }
      return ids
    }
  }

  /// Returns the source of the most recent read of the file with this path, or nil.
  public static func source(
    ofPath path: String, in collection: CollectionRecord, _ db: Database
  ) throws -> SourceRecord? {
    let statement = try SQLStatement(
      sql: """
        SELECT id, path, size, modified, settings, is_complete FROM concordance_source
        WHERE collection = ? AND path = ? ORDER BY id DESC LIMIT 1
        """, in: db)
    return try statement.withText(2, path) {
      statement.bind(1, collection.id)
      return try statement.step() ? SourceRecord(statement.row) : nil
    }
  }

  /// Returns the path of a source, or nil if the source no longer exists.
  public static func path(of source: Int64, _ db: Database) throws -> String? {
    let statement = try SQLStatement(cached: "SELECT path FROM concordance_source WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, source)
    return try statement.step() ? statement.row.string(0) : nil
  }

  /// Returns whether a source still exists.
  public static func exists(_ source: Int64, _ db: Database) throws -> Bool {
    let statement = try SQLStatement(cached: "SELECT 1 FROM concordance_source WHERE id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, source)
    return try statement.step()
  }

  /// Returns the ids of the documents that were read from a source.
  public static func documentIDs(
    of source: Int64, in collection: CollectionRecord, _ db: Database
  ) throws -> [String] {
    let statement = try SQLStatement(
      sql: "SELECT id FROM \(collection.table) WHERE source = ? ORDER BY rowid", in: db)
    statement.bind(1, source)
    var ids: [String] = []
    while try statement.step() { ids.append(statement.row.string(0)) }
    return ids
  }
}

extension SourceRecord {
  /// Reads a row of the columns that ``SourceCatalog`` selects.
  fileprivate init(_ row: StatementRow) {
    self.init(
      id: row.int64(0), path: row.string(1), size: row.int64(2), modified: row.int64(3), settings: row.string(4),
      isComplete: row.int64(5) != 0)
  }
}

extension WriteTransaction {
  /// Records that a file is being read. The source is complete only after ``completeSource(_:)``.
  ///
  /// - Returns: The id to save its documents with.
  public func beginSource(
    path: String, size: Int64, modified: Int64, settings: String, in collection: CollectionRecord
  ) throws -> Int64 {
    let statement = try SQLStatement(
      cached: """
        INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (?, ?, ?, ?, ?)
        """, in: db)
    try statement.withText(2, path) {
      try statement.withText(5, settings) {
        statement.bind(1, collection.id)
        statement.bind(3, size)
        statement.bind(4, modified)
        try statement.run()
      }
    }
    return db.lastInsertedRowID
  }

  /// Records that all documents of a source were saved.
  ///
  /// - Throws: ``StoreError`` if the source was removed in the meantime.
  public func completeSource(_ source: Int64) throws {
    let statement = try SQLStatement(
      cached: "UPDATE concordance_source SET is_complete = 1 WHERE id = ?", in: db)
    statement.bind(1, source)
    try statement.run()
    guard statement.changesCount == 1 else {
      throw StoreError(.conflict, "a file that was being read was removed by another import; import it again")
    }
  }

  /// Removes a source. Its documents are not changed; the caller handles them.
  public func removeSource(_ source: Int64) throws {
    let statement = try SQLStatement(cached: "DELETE FROM concordance_source WHERE id = ?", in: db)
    statement.bind(1, source)
    try statement.run()
  }

  /// Merges incomplete sources of the same file into one.
  public func mergeSources(_ others: ArraySlice<Int64>, into source: Int64, in collection: CollectionRecord) throws {
    for other in others {
      try db.execute(
        sql: "UPDATE \(collection.table) SET source = ? WHERE source = ?", arguments: [source, other])
      try db.execute(
        sql: "UPDATE OR IGNORE concordance_replacement SET winner = ? WHERE winner = ?", arguments: [source, other])
      try removeSource(other)
    }
  }

  /// Records that a document of one source replaced a document of another source with the same id.
  public func noteReplacement(winner: Int64, loser: Int64) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO concordance_replacement (winner, loser)
        SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM concordance_source WHERE id = ?2)
        """, arguments: [winner, loser])
  }

  /// Transfers the recorded replacements of a source to the source that the next read of the same file creates.
  public func inheritReplacements(of earlier: Int64, by source: Int64) throws {
    try db.execute(
      sql: "UPDATE OR IGNORE concordance_replacement SET winner = ? WHERE winner = ?", arguments: [source, earlier])
  }

  /// Marks a source as incomplete, so that it is read again because one of its documents was replaced.
  public func reopenSource(_ source: Int64) throws {
    try db.execute(sql: "UPDATE concordance_source SET is_complete = 0 WHERE id = ?", arguments: [source])
  }

  /// Marks the sources whose documents were replaced by documents of this source as incomplete, so that they are read
  /// again: the replaced documents may be missing.
  ///
  /// - Returns: The number of these sources, including those that were already incomplete.
  public func reopenSources(replacedBy source: Int64) throws -> Int {
    try db.execute(
      sql: """
        UPDATE concordance_source SET is_complete = 0
        WHERE id IN (SELECT loser FROM concordance_replacement WHERE winner = ?)
        """, arguments: [source])
    return db.changesCount
  }
}
