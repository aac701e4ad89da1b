import Concordance
import Foundation
import GRDB
import SQLiteAccess
import Testing

@Suite struct CompressedAttachmentTests {
  private let folder: TestFolder
  private let database: Concordance.Database

  init() throws {
    folder = try TestFolder()
    database = try folder.database()
  }

  /// `gzip -n` of 40 lines "Ardèche\n", and its SHA-1. The digest in a document of version 1.1 is that of this file.
  private static let compressed = "H4sIAAAAAAAC/3MsSjm8IjkjlctxlEFLBgB9K7ywaAEAAA=="

  /// Writes a database of version 1.1 with documents that have the same attachment.
  private func source(_ file: Data, length: Int, documentCount: Int = 1) throws -> String {
    let bundle = folder.url.appendingPathComponent("old.cblite2")
    let blobs = bundle.appendingPathComponent("attachments")
    try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: true)
    let stored = Blob(contentType: "application/gzip", data: file)
    try database.saveBlob(blob: stored)
    let digest = try #require(stored.digest)
    let hash = try #require(Data(base64Encoded: String(digest.dropFirst(5))))
    let name = hash.map { String(UInt16($0) | 0x100, radix: 16, uppercase: true).dropFirst() }.joined()
    try file.write(to: blobs.appendingPathComponent(name + ".blob"))
    let connection = try DirectConnection(bundle.appendingPathComponent("db.sqlite3").path, .creating)
    let json =
      #"{"name":"a","_attachments":{"t":{"content_type":"text/plain","digest":"\#(digest)","#
      + #""encoding":"gzip","encoded_length":\#(file.count),"length":\#(length),"revpos":1,"stub":true}}}"#
    try connection.execute(
      """
      PRAGMA user_version = 101;
      CREATE TABLE docs(doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
      CREATE TABLE revs(sequence INTEGER PRIMARY KEY, doc_id INTEGER, revid TEXT, current BOOLEAN, deleted BOOLEAN,
        json BLOB);
      INSERT INTO docs VALUES (1, 'a'); INSERT INTO revs VALUES (1, 1, '1-a', 1, 0, '\(json)')
      """)
    for number in 1..<documentCount {
      let key = number + 1
      try connection.execute(
        "INSERT INTO docs VALUES (\(key), 'a\(key)'); INSERT INTO revs VALUES (\(key), \(key), '1-a', 1, 0, '\(json)')")
    }
    connection.close()
    return bundle.path
  }

  @Test func compressedAttachmentsAreDecompressed() throws {
    let content = Data(String(repeating: "Ardèche\n", count: 40).utf8)
    let summary = try database.importCouchbaseLite(at: source(gzip(), length: content.count))
    #expect(summary.problemCount == 0 && summary.notes.isEmpty, "\(summary)")
    let document = try #require(try database.defaultCollection().document(id: "a"))
    let attachment = try #require(document.dictionary(forKey: "_attachments"))
    #expect(attachment.blob(forKey: "t")?.content == content)
    #expect(!document.toJSON().contains("encod"))
  }

  @Test func attachmentsOfSeveralDocumentsAreReadOnce() throws {
    let content = Data(String(repeating: "Ardèche\n", count: 40).utf8)
    let summary = try database.importCouchbaseLite(at: source(gzip(), length: content.count, documentCount: 3))
    #expect(summary.documentCount == 3 && summary.blobCount == 1, "\(summary)")
    for id in ["a", "a2", "a3"] {
      let attachments = try database.defaultCollection().document(id: id)?.dictionary(forKey: "_attachments")
      #expect(attachments?.blob(forKey: "t")?.content == content, "\(id)")
    }
  }

  /// The first document refers to a damaged file with the digest of the decompressed attachment of the second.
  @Test func damagedFileDoesNotReplaceTheContentOfAnAttachment() throws {
    let content = Data(String(repeating: "Ardèche\n", count: 40).utf8)
    let bundle = try source(gzip(), length: content.count, documentCount: 2)
    let damaged = bundle + "/attachments/695609C36A4993C5326F31BFF4134DDAAC550EFB.blob"
    try Data("other".utf8).write(to: URL(fileURLWithPath: damaged))
    let connection = try DirectConnection(bundle + "/db.sqlite3", .creating)
    let json = #"{"f":{"@type":"blob","digest":"sha1-aVYJw2pJk8UybzG/9BNN2qxVDvs="}}"#
    try connection.execute("UPDATE revs SET json = '\(json)' WHERE doc_id = 1")
    connection.close()
    let summary = try database.importCouchbaseLite(at: bundle)
    #expect(summary.notes.contains { $0.contains("is damaged") } && summary.blobCount == 1, "\(summary)")
    let attachments = try database.defaultCollection().document(id: "a2")?.dictionary(forKey: "_attachments")
    #expect(attachments?.blob(forKey: "t")?.content == content)
  }

  @Test func damagedAttachmentsOfSeveralDocumentsAreNotedOnce() throws {
    let damaged = try Data(gzip().dropLast(9))
    let summary = try database.importCouchbaseLite(at: source(damaged, length: 360, documentCount: 3))
    #expect(summary.notes.filter { $0.contains("compressed blob") }.count == 1, "\(summary.notes)")
  }

  /// A content that is longer than stated is not written to the disk.
  @Test func damagedAndOversizedAttachmentsAreReported() throws {
    for (number, file) in try [gzip().dropLast(9), gzip(), Data("plain".utf8)].enumerated() {
      let summary = try database.importCouchbaseLite(at: source(Data(file), length: number == 1 ? 300 : 360))
      #expect(summary.notes.contains { $0.contains("compressed blob") }, "\(number)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("old.cblite2"))
    }
  }

  private func gzip() throws -> Data { try #require(Data(base64Encoded: CompressedAttachmentTests.compressed)) }
}
