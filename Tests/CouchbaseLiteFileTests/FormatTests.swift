import Concordance
import Foundation
import GRDB
import SQLiteAccess
import TestSupport
import Testing

/// Bytes of files that Couchbase Lite has written, in files with only the tables that are read.
@Suite struct FormatTests {
  private let folder: TestFolder
  private let database: Concordance.Database

  init() throws {
    folder = try TestFolder()
    database = try folder.database()
  }

  private func bytes(_ hex: String) throws -> [UInt8] {
    let digits = Array(hex.filter { !$0.isWhitespace })
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }

  private func json(_ id: String) throws -> String? {
    try database.defaultCollection().document(id: id)?.toJSON()
  }

  /// The document `doc-001` of a file of version 2.7: its only revision `1-abcd` contains the body.
  private static let tree = """
    00000018 FFFF 82 03 01ABCD 00 7002 0000 0001 0001 3400 8005 00000000
    """

  @Test func theTreeOfVersion2IsRead() throws {
    let source = try SourceBuilder(in: folder, sharedKeys: ["n", "even"])
    try source.add("doc-001", body: bytes(FormatTests.tree), version: [1, 0xAB, 0xCD])
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).documentCount == 1)
    #expect(try json("doc-001") == #"{"n":1,"even":false}"#)
  }

  /// A file of version 3.0 stores the body of a tombstone, an empty dictionary, and the tree without it.
  @Test func theTombstoneOfVersion3IsCounted() throws {
    let source = try SourceBuilder(in: folder)
    let digests = (String(repeating: "8B", count: 19) + "8C", String(repeating: "1F", count: 19) + "77")
    let extra = try bytes(
      "0000001E 0001 03 15 02\(digests.0) 00 0000001E FFFF 00 15 01\(digests.1) 02 00000000")
    try source.add(
      "gone", body: bytes("7000"), version: bytes("02" + digests.0), flags: 1, extra: extra)
    // The row determines whether a document is deleted, not the tree.
    try source.add("live", body: bytes("7000"), version: bytes("02" + digests.0), extra: extra)
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    #expect(summary.deletedCount == 1 && summary.documentCount == 1, "\(summary)")
    #expect(try json("gone") == nil)
    #expect(try json("live") == "{}")
  }

  /// A tombstone that was stored before an upgrade stays in the table of documents, in a tree.
  @Test func theFlagsOfATreeMarkATombstone() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("gone", body: bytes("0000000E FFFF 03 03 01ABCD 00 7000 00000000"), version: [1, 0xAB, 0xCD])
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).deletedCount == 1)
  }

  @Test func anEmptyBodyIsAnEmptyDocument() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("empty", body: [])
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).documentCount == 1)
    #expect(try json("empty") == "{}")
  }

  // MARK: Version 1

  private func version1(_ schema: Int, _ sql: String) throws -> String {
    let bundle = folder.url.appendingPathComponent("old.cblite2")
    let blobs = bundle.appendingPathComponent("attachments")
    try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: true)
    // "sha1-GeQA02MAEDBnecWgD+/rIfQcR20="
    try Data("Fish and chips".utf8).write(
      to: blobs.appendingPathComponent("19E400D3630010306779C5A00FEFEB21F41C476D.blob"))
    let connection = try DirectConnection(bundle.appendingPathComponent("db.sqlite3").path, .creating)
    try connection.execute(
      """
      PRAGMA user_version = \(schema);
      CREATE TABLE docs(doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
      CREATE TABLE revs(sequence INTEGER PRIMARY KEY, doc_id INTEGER, revid TEXT, current BOOLEAN, deleted BOOLEAN,
        json BLOB);
      CREATE TABLE attachments(sequence INTEGER, filename TEXT, key BLOB, type TEXT, length INTEGER, revpos INTEGER,
        encoding INTEGER DEFAULT 0, encoded_length INTEGER);
      \(sql)
      """)
    connection.close()
    return bundle.path
  }

  @Test func attachmentsInATableAreImported() throws {
    let path = try version1(
      16,
      """
      INSERT INTO docs VALUES (1, 'a'), (2, 'b'), (3, 'c');
      INSERT INTO revs VALUES (1, 1, '1-a', 0, 0, '{"n":1}'), (2, 1, '2-a', 1, 0, '{"n":2}'), (3, 2, '1-b', 1, 0, x''),
        (4, 3, '1-c', 1, 0, NULL);
      INSERT INTO attachments VALUES (1, 'old', x'00', 'text/plain', 1, 1, 0, NULL),
        (2, 'menu', x'19E400D3630010306779C5A00FEFEB21F41C476D', 'text/plain', 14, 2, 0, NULL)
      """)
    let summary = try database.importCouchbaseLite(at: path)
    #expect(summary.documentCount == 2 && summary.blobCount == 1, "\(summary)")
    #expect(summary.problems.count == 1 && summary.problems[0].contains("\"c\""), "\(summary.problems)")
    let document = try #require(try database.defaultCollection().document(id: "a"))
    let attachments = try #require(document.dictionary(forKey: "_attachments"))
    #expect(attachments.keys == ["menu"])
    #expect(attachments.blob(forKey: "menu")?.content == Data("Fish and chips".utf8))
    #expect(try json("b") == "{}")
  }

  @Test func idsThatAreNotUTF8AreProblems() throws {
    let path = try version1(
      16,
      """
      INSERT INTO docs VALUES (1, CAST(x'61FF' AS TEXT)), (2, 'b');
      INSERT INTO revs VALUES (1, 1, '1-a', 1, 0, '{"n":1}'), (2, 2, '1-b', 1, 0, '{"n":2}')
      """)
    let summary = try database.importCouchbaseLite(at: path)
    #expect(summary.documentCount == 1 && summary.problemCount == 1, "\(summary)")
    #expect(summary.problems.first?.contains("its id is not valid UTF-8") == true, "\(summary.problems)")
  }

  @Test(arguments: [15, 150]) func otherSchemasOfVersion1AreRefused(schema: Int) throws {
    try expectImportError(CBLError.unsupported, "schema \(schema)", at: version1(schema, ""))
  }
}
