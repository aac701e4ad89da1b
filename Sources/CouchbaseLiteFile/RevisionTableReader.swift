import Foundation
import JSONText
import SQLiteAccess

/// Reads the tables of Couchbase Lite 1.x.
///
/// ```sql
/// docs(doc_id, docid, expiry_timestamp)                       -- expiry_timestamp: since 1.3, in seconds
/// revs(sequence, doc_id, revid, parent, current, deleted, json, …)
/// attachments(sequence, filename, key, type, length, revpos, encoding, encoded_length)   -- 1.0 and 1.1
/// ```
///
/// `current` is 1 for each leaf of a revision tree. The winning leaf is determined by these criteria, in this order: it
/// is not deleted; it has the highest generation; it has the greatest revision id.
///
/// The attachments of a revision are in its JSON text or, in version 1.0, in the table `attachments`. There, `key` is
/// the SHA-1 hash of the file, and `encoding` is 1 if the file is compressed with gzip.
///
/// The column `revid` has the collation `REVID`, which is not available here. SQLite would need it to use an index on
/// the column or to compare its values; `NOT INDEXED` and a cast avoid this.
final class RevisionTableReader: SourceReader {
  let collections = [SourceCollection.default]
  private let schema: SourceSchema
  private let connection: DirectConnection

  init(_ schema: SourceSchema, _ connection: DirectConnection) {
    self.schema = schema
    self.connection = connection
  }

  func omissions() throws -> [String] {
    var omissions: [String] = []
    for (table, what) in [("localdocs", "local document"), ("views", "view")] where schema.has(table: table) {
      let count = try SourceSchema.integer("SELECT count(*) FROM \(table) NOT INDEXED", connection)
      if count > 0 { omissions.append("\(count) \(what)\(count == 1 ? "" : "s")") }
    }
    return omissions
  }

  func rowCount(of collection: SourceCollection) throws -> Int {
    try Int(SourceSchema.integer("SELECT count(*) FROM docs", connection))
  }

  func indexes() -> [SourceIndex] { [] }

  /// A leaf of a revision tree.
  private struct Leaf {
    let sequence: Int64
    let revision: String
    let isDeleted: Bool

    /// Returns whether this leaf wins over another one.
    func precedes(_ other: Leaf) -> Bool {
      guard isDeleted == other.isDeleted else { return !isDeleted }
      let (mine, theirs) = (generation, other.generation)
      return mine != theirs ? mine > theirs : revision > other.revision
    }

    private var generation: Int { Int(revision.prefix { $0 != "-" }) ?? 0 }
  }

  func forEachRow(of collection: SourceCollection, _ body: (SourceRow) throws -> Void) throws {
    // The JSON texts are fetched one at a time below, so that SQLite does not have to sort them.
    let leaves = try SQLStatement(
      "SELECT doc_id, sequence, CAST(revid AS TEXT), deleted FROM revs NOT INDEXED WHERE current != 0 ORDER BY doc_id",
      on: connection)
    let expiry =
      try SourceSchema.columns(of: "docs", connection).contains("expiry_timestamp") ? "expiry_timestamp" : "NULL"
    let documents = try SQLStatement("SELECT docid, \(expiry) FROM docs WHERE doc_id = ?", on: connection)
    let texts = try SQLStatement("SELECT json FROM revs NOT INDEXED WHERE sequence = ?", on: connection)
    let attachments = try AttachmentTable(schema, connection)
    let parser = try JSONParser()

    var document: Int64?
    var winner: Leaf?
    var liveCount = 0
    func finish() throws {
      guard let document, let winner else { return }
      try body(row(document, winner, isConflicted: liveCount > 1, documents, texts, attachments, parser))
    }
    while try leaves.step() {
      let row = leaves.row
      let leaf = Leaf(sequence: row.int64(1), revision: row.string(2), isDeleted: row.int64(3) != 0)
      if document != row.int64(0) {
        try finish()
        (document, winner, liveCount) = (row.int64(0), nil, 0)
      }
      if !leaf.isDeleted { liveCount += 1 }
      if winner.map({ leaf.precedes($0) }) ?? true { winner = leaf }
    }
    try finish()
  }

  private func row(
    _ document: Int64, _ leaf: Leaf, isConflicted: Bool, _ documents: SQLStatement, _ texts: SQLStatement,
    _ attachments: AttachmentTable?, _ parser: JSONParser
  ) throws -> SourceRow {
    defer {
      documents.reset()
      texts.reset()
    }
    documents.bind(1, document)
    guard try documents.step() else { return .unreadable(id: "#\(document)", reason: "it has no row in docs") }
    guard let id = documents.row.bytes(0).flatMap({ String(validating: $0, as: UTF8.self) }) else {
      return .unreadable(id: documents.row.string(0), reason: "its id is not valid UTF-8")
    }
    if id.hasPrefix("_") { return .internalDocument }
    if leaf.isDeleted { return .deleted }
    let seconds = documents.row.isNull(1) ? nil : documents.row.int64(1)
    texts.bind(1, leaf.sequence)
    guard try texts.step(), !texts.row.isNull(0) else {
      return .unreadable(id: id, reason: "the content of its current revision is not stored")
    }
    // The text of a document without properties can be empty.
    let text = texts.row.bytes(0).flatMap { $0.isEmpty ? nil : $0 }
    do {
      let stored = try attachments?.members(ofRevision: leaf.sequence) ?? []
      let object = try Array("{}".utf8).withUnsafeBytes { empty in
        try AttachmentConversion.json(text ?? empty, parser, adding: stored)
      }
      guard let json = object else {
        return .unreadable(id: id, reason: "its content is not a JSON object")
      }
      return .document(
        SourceDocument(
          id: id, json: json, expiration: seconds.map(RevisionTableReader.milliseconds), isConflicted: isConflicted,
          hasData: false))
    } catch let error as JSONError {
      return .unreadable(id: id, reason: "its content is not JSON (\(error))")
    }
  }

  /// Converts an expiration time to milliseconds; times that are out of range become the nearest one.
  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds < 0 ? .min : .max) : product
  }
}
