import DocumentStore
import GRDB
import SQLiteAccess

/// The documents of a search, divided into parts that are distributed over threads.
struct DocumentParts: Sendable {
  private enum Content {
    case ranges(RowRanges)
    case rows([Int64])
  }

  /// The number of parts.
  let count: Int
  private let content: Content
  /// The number of documents in a part.
  private let size: Int

  /// The number of documents in a part of a file: a few hundred kilobytes of source code.
  private static let sizeInFile = 64
  /// The number on PostgreSQL, where one thread reads all parts and each takes several round trips.
  private static let sizeOnServer = 1024

  /// Divides a selection.
  init(_ selection: DocumentSelection, of collection: CollectionRecord, _ db: GRDB.Database) throws {
    size = db.announcementReceiver == nil ? DocumentParts.sizeInFile : DocumentParts.sizeOnServer
    switch selection {
    case .all:
      let ranges = try RowRanges(of: collection, size: Int64(size), db)
      (content, count) = (.ranges(ranges), ranges.count)
    case .rows(let rows):
      (content, count) = (.rows(rows), (rows.count + size - 1) / size)
    }
  }

  /// Calls `body` with the id and the JSON text of each document of a part until it returns false.
  func forEachDocument(
    of part: Int, _ reader: DocumentReader, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    switch content {
    case .ranges(let ranges):
      let (first, last) = ranges[part]
      try reader.forEachText(from: first, to: last, body)
    case .rows(let rows):
      let start = part * size
      try reader.forEachText(inRows: rows[start..<min(start + size, rows.count)], body)
    }
  }
}
