import GRDB
import Testing

@testable import DocumentStore

/// Damage in the catalog that SQLite's integrity check does not find.
@Suite struct CatalogVerificationTests {
  private let files: TemporaryStore

  init() throws {
    files = try TemporaryStore()
    try files.save("a", "{}")
  }

  private func findings(after sql: String) throws -> [String] {
    try files.store.close()
    let queue = try DatabaseQueue(path: files.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: sql)
    }
    try queue.close()
    let store = try Store(path: files.path)
    return try store.read { try StoreVerification.run($0, indexKinds: ["value"]).map(\.description) }
  }

  @Test func undamagedFileHasNoProblems() throws { #expect(try findings(after: "SELECT 1") == []) }

  @Test func rowsThatReferToAMissingCollectionAreReported() throws {
    let sql = """
      INSERT INTO concordance_index (collection, name, kind, definition) VALUES (7, 'x', 'value', '{}');
      INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (7, 'x', 1, 1, '');
      INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (7, 'y', 1, 1, '')
      """
    #expect(
      try findings(after: sql) == [
        "catalog: 1 row of concordance_index refers to rows of concordance_collection that do not exist (row 1); "
          + "restore a copy of the file",
        "catalog: 2 rows of concordance_source refer to rows of concordance_collection that do not exist "
          + "(the first is row 1); restore a copy of the file",
      ])
  }

  @Test(arguments: [
    ("UPDATE concordance_collection SET name = 'other'", "catalog: the table _default._default is listed for"),
    ("UPDATE concordance_collection SET name = 'a b/c'", "catalog: the table _default._default is listed for"),
    ("UPDATE concordance_collection SET name = 'other'", "catalog: the collection _default._default is missing"),
    ("DELETE FROM concordance_meta WHERE key = 'uuid'", "catalog: the identity of the file (uuid)"),
    ("UPDATE concordance_meta SET value = x'00' WHERE key = 'uuid'", "catalog: the identity of the file (uuid)"),
    (
      "INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (1, 'x', 1, 'x', '')",
      "catalog: a path, size, time or setting is invalid in 1 of"
    ),
    (
      "INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (1, 'x', -5, 1, '')",
      "catalog: a path, size, time or setting is invalid in 1 of"
    ),
    (
      "INSERT INTO concordance_source (collection, path, size, modified, settings) VALUES (1, 'x', 1, 1, x'00')",
      "catalog: a path, size, time or setting is invalid in 1 of"
    ),
    (
      "INSERT INTO concordance_source (collection, path, size, modified, settings, is_complete) VALUES (1, 'x', 1, 1, '', 9)",
      "catalog: a path, size, time or setting is invalid in 1 of"
    ),
    (
      "INSERT INTO concordance_purge (collection, sequence, id) VALUES (1, -1, 'x')",
      "collection _default._default: a sequence or id is invalid in 1 of the rows of concordance_purge"
    ),
  ])
  func invalidValuesOfTheCatalogAreReported(sql: String, finding: String) throws {
    let found = try findings(after: sql)
    #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
  }

  @Test(arguments: [
    ("revision = -1", "revision"), ("revision = 'x'", "revision"), ("sequence = -9223372036854775808", "sequence"),
    ("id = ''", "id"), ("id = x'ff00'", "id"), ("id = '_a'", "id"), ("id = hex(zeroblob(5000))", "id"),
    ("expiration = 'abc'", "expiration"), ("expiration = 9223372036854775807", "expiration"),
    ("expiration = -9223372036854775808", "expiration"), ("deleted = 7", "deletion flag"),
  ])
  func invalidColumnsOfDocumentsAreReported(assignment: String, column: String) throws {
    let found = try findings(after: "UPDATE \"_default._default\" SET \(assignment)")
    #expect(found.contains { $0.contains("a document has an invalid \(column) (row 1)") }, "\(found)")
  }

  @Test(arguments: [("a.b", true), ("a.b~2", true), ("a.b~1", false), ("a.b~x", false), ("a.bc", false), ("a", false)])
  func tableOfACollectionHasItsNameAndANumber(table: String, isValid: Bool) throws {
    #expect(CollectionTable.isName(table, for: try CollectionName("b", scope: "a")) == isValid)
  }

  @Test func idsThatAreNotUTF8AreReported() throws {
    let found = try findings(after: "UPDATE \"_default._default\" SET id = CAST(x'61ff' AS TEXT)")
    #expect(found.contains { $0.contains("has an id that is not valid UTF-8") }, "\(found)")
  }

  @Test func indexesOfAnUnknownKindAreReported() throws {
    let found = try findings(
      after: "INSERT INTO concordance_index (collection, name, kind, definition) VALUES (1, 'x', 'other', '{}')")
    #expect(found.count == 1 && found.first?.contains("of the kind 'other'") == true, "\(found)")
  }

  @Test func foreignTriggersViewsAndTablesAreReported() throws {
    let found = try findings(
      after: """
        CREATE TRIGGER t AFTER INSERT ON concordance_meta BEGIN SELECT 1; END;
        CREATE VIEW v AS SELECT 1;
        CREATE TABLE mine (x);
        CREATE INDEX i ON "_default._default" (body)
        """)
    #expect(
      found
        == ["trigger \"t\"", "view \"v\"", "table \"mine\"", "index \"i\""].map {
          "schema: the \($0) was not created by Concordance; remove it, or do not use the file"
        })
  }

  @Test func changedTableIsReported() throws {
    let found = try findings(after: "ALTER TABLE concordance_purge ADD COLUMN more")
    #expect(
      found.contains { $0.hasPrefix("schema: the object that `CREATE TABLE concordance_purge` creates is missing") },
      "\(found)")
  }

  @Test func missingTableIsReportedAndOtherChecksContinue() throws {
    let found = try findings(after: "DROP TABLE concordance_blob; UPDATE concordance_collection SET document_count = 5")
    #expect(
      found.contains { $0.hasPrefix("schema: the object that `CREATE TABLE concordance_blob` creates is missing") },
      "\(found)")
    #expect(found.contains("blobs: no such table: concordance_blob"), "\(found)")
    #expect(
      found.contains("collection _default._default: the number of documents is 1, but the catalog records 5"),
      "\(found)")
  }

  @Test func tableMissingFromTheCatalogIsReported() throws {
    let found = try findings(after: "DELETE FROM concordance_collection")
    #expect(
      found.contains { $0.contains("contains documents of a collection that the catalog does not list") }, "\(found)")
    #expect(!found.contains { $0.contains("was not created by Concordance") }, "\(found)")
  }

  @Test func documentsOfAMissingSourceAreReported() throws {
    let found = try findings(after: "UPDATE \"_default._default\" SET source = 12")
    #expect(
      found == ["collection _default._default: document \"a\" refers to the source 12, which is not in the catalog"])
  }

  @Test func sequencesNearOverflowAreReported() throws {
    let found = try findings(after: "UPDATE sqlite_sequence SET seq = 9223372036854775807")
    #expect(found.count == 1 && found.first?.contains("last id of concordance_collection") == true, "\(found)")
  }

  @Test func purgeSequencesAboveTheLastSequenceAreReported() throws {
    let found = try findings(after: "INSERT INTO concordance_purge VALUES (1, 99, 'gone')")
    #expect(found == ["collection _default._default: a purge has sequence 99, above the last, 1"])
  }
}
