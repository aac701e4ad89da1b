import SQLiteAccess

/// A document as stored in the file.
public struct StoredDocument: Sendable {
  /// The row of the document. Indexes refer to it, and it stays the same while the document or its tombstone exists.
  public let rowID: Int64
  /// The id.
  public let id: String
  /// The sequence number of the change within the collection: every save and delete takes the next one.
  public let sequence: Int64
  /// The time of the change in nanoseconds since 1970; greater than every earlier revision in the file.
  public let revision: Int64
  /// Whether this is a tombstone.
  public let isDeleted: Bool
  /// The source that the document was read from, or nil.
  public let source: Int64?
  /// The JSON text; empty for a tombstone.
  public let body: [UInt8]
}

extension StoredDocument {
  /// The document without its properties.
  public var withoutProperties: StoredDocument {
    StoredDocument(
      rowID: rowID, id: id, sequence: sequence, revision: revision, isDeleted: isDeleted, source: source,
      body: Array("{}".utf8))
  }

  /// SQL for the current time, in milliseconds since 1970.
  public static let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

  /// SQL for the condition that the document or tombstone in a row has not expired.
  public static let isUnexpired = "(expiration IS NULL OR expiration > \(now))"

  /// SQL for the condition that a row is visible to readers.
  public static let isLive = "deleted = 0 AND \(isUnexpired)"

  static let columns = "rowid, id, sequence, revision, deleted, source, body"

  /// Reads the current row of a statement that selects ``columns``.
  ///
  /// - Parameter id: the id, if it is known.
  init(_ row: StatementRow, id: String? = nil) {
    rowID = row.int64(0)
    self.id = id ?? row.string(1)
    sequence = row.int64(2)
    revision = row.int64(3)
    isDeleted = row.int64(4) != 0
    source = row.isNull(5) ? nil : row.int64(5)
    body = row.bytes(6).map { Array($0) } ?? []
  }
}
