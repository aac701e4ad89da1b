import Foundation
import JSONText
import SQLiteAccess

/// The table `attachments` of Couchbase Lite 1.0 and 1.1.
struct AttachmentTable {
  private let statement: SQLStatement

  /// The value of `encoding` for files that are compressed with gzip.
  private static let gzip: Int64 = 1
  private static let hashSize = 20

  /// Returns nil if the database has no such table.
  init?(_ schema: SourceSchema, _ connection: DirectConnection) throws {
    guard schema.has(table: "attachments") else { return nil }
    statement = try SQLStatement(
      "SELECT filename, key, type, length, revpos, encoding, encoded_length FROM attachments WHERE sequence = ? "
        + "ORDER BY filename", on: connection)
  }

  /// Returns the attachments of a revision as members of `_attachments`. Those without a valid hash are omitted,
  /// because their files cannot be found.
  func members(ofRevision sequence: Int64) throws -> [JSONMember] {
    defer { statement.reset() }
    statement.bind(1, sequence)
    var members: [JSONMember] = []
    while try statement.step() {
      let row = statement.row
      guard let hash = row.bytes(1), hash.count == AttachmentTable.hashSize else { continue }
      var attachment = [JSONMember("digest", .string("sha1-" + Data(hash).base64EncodedString()))]
      if !row.isNull(2) { attachment.append(JSONMember("content_type", .string(row.string(2)))) }
      attachment.append(JSONMember("length", .int64(row.int64(3))))
      if !row.isNull(4) { attachment.append(JSONMember("revpos", .int64(row.int64(4)))) }
      if row.int64(5) == AttachmentTable.gzip {
        attachment.append(JSONMember("encoding", .string("gzip")))
        attachment.append(JSONMember("encoded_length", .int64(row.int64(6))))
      }
      members.append(JSONMember(row.string(0), .object(attachment)))
    }
    return members
  }
}
