import Concordance
import Foundation
import TestSupport
import Testing

/// The counts, problems and notes of imports of Couchbase Lite databases.
@Suite struct ImportReportTests {
  private static let missing = "sha1-iTebnQazmdAhRBH64y9E6JqwSoc="
  private static let damaged = "sha1-P1i5kI/sosq745/9BDR7kEghKps="
  private static let indexTable =
    "CREATE TABLE indexes (name TEXT, type INTEGER, keyStore TEXT, expression TEXT, indexTableName TEXT)"

  private let folder: TestFolder
  private let database: Database

  init() throws {
    folder = try TestFolder()
    database = try folder.database()
  }

  private func blob(_ digest: String) -> FleeceValue {
    .dictionary([("@type", .text("blob")), ("digest", .text(digest))])
  }

  @Test func expirationsInTheDistantFutureAreNoted() throws {
    let source = try SourceBuilder(in: folder)
    for id in ["a", "b"] { try source.add(id, .dictionary([]), expiration: .max) }
    try source.add("plain", .dictionary([]))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    #expect(summary.documentCount == 3 && summary.problemCount == 0, "\(summary)")
    #expect(summary.notes.contains { $0.hasSuffix("it is too far in the future: 2") }, "\(summary.notes)")
    #expect(try database.defaultCollection().getDocumentExpiration(id: "a") == nil)
  }

  @Test func onlyStoredDocumentsAreCounted() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("refused", .dictionary([("d", .data([1])), ("f", blob(ImportReportTests.missing))]), flags: 2)
    try source.add("kept", .dictionary([("d", .data([2]))]), flags: 2)
    try source.add("saved", .dictionary([("d", .data([3]))]), flags: 2)
    source.close()
    try database.defaultCollection().save(document: MutableDocument(id: "kept", json: "{}"))
    let summary = try database.importCouchbaseLite(at: source.bundle, existing: .skip)
    #expect(summary.documentCount == 1 && summary.skippedCount == 1 && summary.problemCount == 1, "\(summary)")
    #expect(summary.conflictCount == 1)
    #expect(summary.notes == ["documents with binary data, which was converted to Base64 strings: 1"])
    let again = try database.importCouchbaseLite(at: source.bundle)
    #expect(again.unchangedCount == 1 && again.conflictCount == 2, "\(again)")
  }

  @Test func damagedBlobsAreNotedOnce() throws {
    let source = try SourceBuilder(in: folder)
    for id in ["a", "b", "c"] { try source.add(id, .dictionary([("f", blob(ImportReportTests.damaged))])) }
    try source.addBlob(digest: ImportReportTests.damaged, Data("other".utf8))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    #expect(summary.problemCount == 3)
    #expect(summary.noteCount == 1 && summary.notes.count == 1, "\(summary.notes)")
  }

  /// There is one note for each damaged blob; those on indexes and tables must not be lost among them.
  @Test func notesOnIndexesComeBeforeThoseOnBlobs() throws {
    let source = try SourceBuilder(in: folder)
    try source.execute(ImportReportTests.indexTable)
    try source.execute("INSERT INTO indexes VALUES ('vector', 4, 'default', '[[\".v\"]]', NULL)")
    for number in UInt8(0)..<110 {
      let digest = "sha1-" + Data(repeating: number, count: 20).base64EncodedString()
      try source.addBlob(digest: digest, Data("other".utf8))
      try source.add("d\(number)", .dictionary([("f", blob(digest))]))
    }
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    #expect(summary.notes.count == CouchbaseLiteImportSummary.maximumMessageCount && summary.noteCount == 111)
    #expect(summary.notes.first?.hasPrefix("the index \"vector\" of _default._default was not created") == true)
  }

  @Test func problemsNameTheSource() throws {
    let source = try SourceBuilder(in: folder)
    for (name, number) in [("hotels", 1), ("inns", 2)] {
      try source.addStore("." + name)
      try source.add("a", .dictionary([("n", .integer(Int64(number)))]), store: "." + name)
    }
    source.close()
    let target = try database.createCollection(name: "all")
    let summary = try database.importCouchbaseLite(at: source.bundle, into: target)
    #expect(summary.documentCount == 1)
    #expect(
      summary.problems == [
        "document \"a\" of _default.inns: another imported collection has a document with this id and different "
          + "content; import them into separate collections"
      ])
  }

  /// Tombstones take no memory, so only the number of rows limits a batch.
  @Test func progressOfTombstonesIsReported() throws {
    let source = try SourceBuilder(in: folder)
    try source.execute(
      """
      INSERT INTO kv_default (key, sequence, flags)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) SELECT 'd' || i, i, 1 FROM n
      """)
    source.close()
    var calls: [Int] = []
    let summary = try database.importCouchbaseLite(at: source.bundle) { done, _ in calls.append(done) }
    #expect(summary.deletedCount == 100_001)
    #expect(calls.filter { $0 > 0 && $0 < 100_001 } == [100_000], "\(calls)")
  }
}

/// Indexes of several collections that are imported into one.
@Suite struct ImportedIndexNameTests {
  private let folder: TestFolder
  private let database: Database

  init() throws {
    folder = try TestFolder()
    database = try folder.database()
  }

  private func source(_ rows: String) throws -> URL {
    let source = try SourceBuilder(in: folder)
    for name in ["hotels", "inns", "motels"] { try source.addStore("." + name) }
    try source.execute(
      """
      CREATE TABLE indexes (name TEXT, type INTEGER, keyStore TEXT, expression TEXT, indexTableName TEXT);
      CREATE TABLE t1 (x DEFAULT 'tokenize=unicodesn "stemmer=english"');
      INSERT INTO indexes VALUES \(rows)
      """)
    source.close()
    return source.bundle
  }

  @Test func indexesWithTheSameNameAreRenamed() throws {
    let bundle = try source(
      """
      ('byName', 0, '.hotels', '[[".name"]]', NULL), ('byName', 0, '.inns', '[[".title"]]', NULL),
      ('byCity', 0, '.hotels', '[[".city"]]', NULL), ('byCity', 0, '.inns', '[[".city"]]', NULL)
      """)
    let target = try database.createCollection(name: "all")
    let summary = try database.importCouchbaseLite(at: bundle, into: target)
    #expect(try target.indexes() == ["byCity", "byName", "inns.byName"])
    #expect(summary.indexCount == 3)
    #expect(
      summary.notes == [
        "the index \"byName\" of _default.inns was created as \"inns.byName\", because an index of another collection "
          + "has its name"
      ])
    let separate = try database.importCouchbaseLite(at: bundle)
    #expect(separate.indexCount == 4 && separate.notes.isEmpty, "\(separate.notes)")
  }

  @Test func renamedIndexesAreNotCreatedTwice() throws {
    let bundle = try source(
      """
      ('byName', 0, '.hotels', '[[".name"]]', NULL), ('byName', 0, '.inns', '[[".title"]]', NULL),
      ('byName', 0, '.motels', '[[".title"]]', NULL)
      """)
    let target = try database.createCollection(name: "all")
    let summary = try database.importCouchbaseLite(at: bundle, into: target)
    #expect(try target.indexes() == ["byName", "inns.byName"])
    #expect(summary.indexCount == 2 && summary.noteCount == 1, "\(summary.notes)")
  }

  @Test func existingIndexesThatAreKeptAreNoted() throws {
    let bundle = try source("('byName', 0, '.inns', '[[\".title\"]]', NULL)")
    let inns = try database.createCollection(name: "inns")
    try inns.createIndex(withName: "byName", config: ValueIndexConfiguration(["name"]))
    let summary = try database.importCouchbaseLite(at: bundle, existing: .skip)
    #expect(summary.indexCount == 0)
    #expect(
      summary.notes == [
        "the index \"byName\" of _default.inns was not created: _default.inns already has an index \"byName\""
      ])
    #expect(try inns.valueIndexDescriptions().first?.expressions == ["name"])
  }

  @Test func languagesMayBeEnglishNames() throws {
    let bundle = try source("('text', 1, '.inns', '[[\".name\"]]', 't1')")
    let summary = try database.importCouchbaseLite(at: bundle)
    #expect(summary.indexCount == 1 && summary.notes.isEmpty, "\(summary.notes)")
    let inns = try database.createCollection(name: "inns")
    try inns.save(document: MutableDocument(id: "a", json: #"{"name":"three harbours"}"#))
    #expect(try inns.search("harbour").hits.map(\.id) == ["a"])
  }
}
