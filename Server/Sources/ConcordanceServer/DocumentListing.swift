import Concordance
import JSONText
import NIOCore
import PatternMatching

/// Reads the documents of a collection in order of id as lines of NDJSON, a part at a time.
///
/// Each part is read by its own query on a thread of the database, so that a client that reads slowly holds neither a
/// snapshot nor a thread, and so that the time limit applies to the reading of a part. Documents that change in the
/// meantime are listed in the state in which their part is read.
struct DocumentListing: Sendable {
  /// The number of documents and the size in bytes after which a part ends.
  private static let (maximumCount, maximumSize) = (1000, 256 << 10)

  private let collection: Concordance.Collection
  private let query: String
  private let timeout: Duration
  /// The id after which the next part starts.
  private var last: String
  /// The number of documents that may still be listed.
  private var remaining: Int

  /// - Parameters:
  ///   - id: the id after which the list starts; nil for all documents.
  ///   - limit: the maximum number of documents.
  ///   - timeout: the time limit for reading a part.
  init(_ collection: Concordance.Collection, after id: String?, limit: Int, timeout: Duration) {
    self.collection = collection
    self.timeout = timeout
    last = id ?? ""
    remaining = limit
    query = """
      SELECT META(c).id, c FROM `\(collection.scope.name)`.`\(collection.name)` AS c
      WHERE META(c).id > $after ORDER BY META(c).id LIMIT $limit
      """
  }

  /// Returns the lines of the next part; nil after the last one.
  ///
  /// - Throws: the errors of the query; `CancellationError`.
  mutating func next() async throws -> ByteBuffer? {
    let count = min(remaining, DocumentListing.maximumCount)
    guard count > 0 else { return nil }
    let (text, after, timeout) = (query, last, timeout)
    let part = try await collection.database.async.perform { database in
      let query = try database.createQuery(text)
      query.parameters = Concordance.Parameters()
        .setString(after, forName: "after").setInt64(Int64(count), forName: "limit")
      query.timeout = timeout
      var part = Part(last: after)
      try query.forEachRow { row in
        try part.add(id: row.string(at: 0) ?? "", json: row.json(at: 1) ?? "{}")
        return part.lines.readableBytes < DocumentListing.maximumSize
      }
      return part
    }
    // A part that is neither full nor long is the last one.
    let isLast = part.count < count && part.lines.readableBytes < DocumentListing.maximumSize
    remaining = isLast ? 0 : remaining - part.count
    last = part.last
    return part.count == 0 ? nil : part.lines
  }
}

/// The lines of some documents.
private struct Part: Sendable {
  var lines = ByteBuffer()
  var count = 0
  /// The id of the last document.
  var last: String

  init(last: String) { self.last = last }

  mutating func add(id: String, json: String) throws {
    var writer = JSONWriter()
    writer.write(id)
    let body = JSONLine.bytes(of: try Part.withoutBulkMembers(json).utf8)
    let members = body.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
    lines.writeString("{\"_id\":")
    lines.writeBytes(writer.bytes)
    lines.writeString(members.first == UInt8(ascii: "}") ? "" : ",")
    lines.writeBytes(members)
    lines.writeString("\n")
    (last, count) = (id, count + 1)
  }

  /// Returns the text of a document without its own properties `_id` and `_deleted`, which have a different meaning in
  /// bulk lines.
  private static func withoutBulkMembers(_ json: String) throws -> String {
    guard mayHaveBulkMembers(json) else { return json }
    return try MutableDocument(id: "_", json: json).withoutBulkMembers().toJSON()
  }

  private static let bulkMembers = ["\"_id\"", "\"_deleted\""].map { Array($0.utf8) }

  /// Returns whether the text contains `"_id"` or `"_deleted"`. Most texts do not and need not be parsed.
  private static func mayHaveBulkMembers(_ json: String) -> Bool {
    var json = json
    return json.withUTF8 { bytes in
      bulkMembers.contains { ByteSearch.first($0, in: UnsafeRawBufferPointer(bytes)) != nil }
    }
  }
}
