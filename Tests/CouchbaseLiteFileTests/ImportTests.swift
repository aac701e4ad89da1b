import Concordance
import Foundation
import TestSupport
import Testing

@Suite struct CouchbaseLiteImportTests {
  private let folder: TestFolder
  private let database: Database

  init() throws {
    folder = try TestFolder()
    database = try folder.database()
  }

  private func json(_ id: String, in collection: Concordance.Collection? = nil) throws -> String? {
    try (collection ?? database.defaultCollection()).document(id: id)?.toJSON()
  }

  @Test func documentsWithSharedKeysAreImported() throws {
    let source = try SourceBuilder(in: folder, sharedKeys: ["type", "name"])
    try source.add("h1", .dictionary([("type", .text("hotel")), ("name", .text("Ghia")), ("stars", .integer(4))]))
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).documentCount == 1)
    #expect(try json("h1") == #"{"type":"hotel","name":"Ghia","stars":4}"#)
  }

  @Test func collectionsAreCreated() throws {
    let source = try SourceBuilder(in: folder)
    try source.addStore(".\\Hotels")
    try source.addStore(".shop.products")
    try source.addStore("del_.shop.products")
    try source.add("a", .dictionary([("n", .integer(1))]), store: ".\\Hotels")
    try source.add("b", .dictionary([("n", .integer(2))]), store: ".shop.products")
    try source.add("c", .dictionary([]), store: "del_.shop.products", flags: 1)
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    #expect(summary.collectionCount == 3)
    #expect(summary.documentCount == 2)
    #expect(summary.deletedCount == 1)
    #expect(try json("a", in: database.collection(name: "Hotels")) == #"{"n":1}"#)
    #expect(try json("b", in: database.collection(name: "products", scope: "shop")) == #"{"n":2}"#)
  }

  @Test func tablesWithOtherNamesAreReadOrReported() throws {
    let source = try SourceBuilder(in: folder)
    for store in [".Plain", ".\\Twice", ".Twice", "..", ".a.b.c", "._x"] {
      try source.addStore(store)
      try source.add("a", .dictionary([("store", .text(store))]), store: store)
    }
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    #expect(summary.collectionCount == 3 && summary.documentCount == 2, "\(summary)")
    #expect(try json("a", in: database.collection(name: "Plain")) == #"{"store":".Plain"}"#)
    #expect(try json("a", in: database.collection(name: "Twice")) == #"{"store":".\\Twice"}"#)
    for table in ["kv_.Twice", "kv_..", "kv_.a.b.c", "kv_._x"] {
      #expect(summary.notes.contains { $0.contains("the table \"\(table)\"") }, "\(table): \(summary.notes)")
    }
  }

  @Test func expirationsAreKept() throws {
    let source = try SourceBuilder(in: folder)
    let later = Int64(Date().timeIntervalSince1970 + 100_000) * 1000 + 250
    try source.add("later", .dictionary([]), expiration: later)
    try source.add("over", .dictionary([]), expiration: 1_000_000_000_000)
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    #expect(summary.documentCount == 1)
    #expect(summary.expiredCount == 1)
    let expiration = try database.defaultCollection().getDocumentExpiration(id: "later")
    #expect(expiration?.timeIntervalSince1970 == Double(later) / 1000)
  }

  @Test func conflictsAreCounted() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("a", .dictionary([("n", .integer(1))]), flags: 2)
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).conflictCount == 1)
    #expect(try json("a") == #"{"n":1}"#)
  }

  /// A file of version 2 that version 3 has upgraded contains both forms.
  @Test func bodiesInRevisionTreesAreRead() throws {
    let source = try SourceBuilder(in: folder)
    var tree: [UInt8] = [0, 0, 0, 0, 0xFF, 0xFF, 0x82, 3, 1, 0xAB, 0xCD, 0]
    tree += FleeceEncoder.encode(.dictionary([("n", .integer(7))]))
    tree[3] = UInt8(tree.count)
    try source.add("old", body: tree + [0, 0, 0, 0], version: [1, 0xAB, 0xCD])
    try source.add("new", .dictionary([("n", .integer(8))]))
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).documentCount == 2)
    #expect(try json("old") == #"{"n":7}"#)
    #expect(try json("new") == #"{"n":8}"#)
  }

  @Test func blobsAreImported() throws {
    let source = try SourceBuilder(in: folder)
    let reference = FleeceValue.dictionary([
      ("@type", .text("blob")), ("digest", .text("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=")), ("length", .integer(0)),
    ])
    try source.addBlob(digest: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", Data())
    try source.add("a", .dictionary([("files", .array([reference]))]))
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).blobCount == 1)
    let document = try #require(try database.defaultCollection().document(id: "a"))
    #expect(document.array(forKey: "files")?.blob(at: 0)?.content == Data())
  }

  @Test func documentsWithoutTheirBlobsAreProblems() throws {
    let source = try SourceBuilder(in: folder)
    for (id, digest) in [
      ("damaged", "sha1-P1i5kI/sosq745/9BDR7kEghKps="), ("missing", "sha1-iTebnQazmdAhRBH64y9E6JqwSoc="),
    ] {
      try source.add(id, .dictionary([("file", .dictionary([("@type", .text("blob")), ("digest", .text(digest))]))]))
    }
    try source.addBlob(digest: "sha1-P1i5kI/sosq745/9BDR7kEghKps=", Data("other".utf8))
    try source.add("plain", .dictionary([]))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    #expect(summary.documentCount == 1)
    #expect(summary.problemCount == 2)
    #expect(summary.notes.contains { $0.contains("is damaged") })
  }

  @Test func damagedDocumentsAreProblems() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("bad", body: [0x70, 0x05])
    try source.add("_reserved", .dictionary([]))
    try source.add("good", .dictionary([("n", .integer(1))]))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    #expect(summary.documentCount == 1)
    #expect(summary.problems.count == 2)
    #expect(summary.problems.first?.contains("document \"bad\" of _default._default") == true)
  }

  @Test func indexesAreCreatedOrReported() throws {
    let source = try SourceBuilder(in: folder)
    try source.execute(
      """
      CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER, keyStore TEXT, expression TEXT, whereClause TEXT,
        indexTableName TEXT, lastSeq TEXT);
      CREATE TABLE "kv_default::text" (x); 
      INSERT INTO indexes VALUES ('byType', 0, 'default', '[[".type"],[".geo.lat"]]', NULL, NULL, NULL),
        ('sql', 0, 'default', 'type, LOWER(name)', 'stars > 3', NULL, NULL),
        ('what', 0, 'default', '{"WHAT":[[".type"]],"WHERE":["=",[".type"],"hotel"]}', NULL, NULL, NULL),
        ('text', 1, 'default', '[[".name"]]', NULL, 'kv_default::text', NULL),
        ('vector', 4, 'default', '[[".v"]]', NULL, NULL, NULL), ('array', 2, 'default', '[[".a"]]', NULL, NULL, NULL)
      """)
    try source.add("h1", .dictionary([("type", .text("hotel")), ("name", .text("Ghia"))]))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    let collection = try database.defaultCollection()
    #expect(try collection.indexes() == ["byType", "sql", "text", "what"])
    #expect(summary.indexCount == 4)
    #expect(summary.notes.count == 2)
    let values = try collection.valueIndexDescriptions()
    #expect(values.first { $0.name == "sql" }?.where == "stars > 3")
    #expect(values.first { $0.name == "byType" }?.expressions == ["type", "geo.lat"])
    #expect(try collection.search("ghia").hits.map(\.id) == ["h1"])
  }

  @Test func stopWordsOfFullTextIndexesAreConverted() throws {
    let source = try SourceBuilder(in: folder)
    try source.execute(
      """
      CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER, keyStore TEXT, expression TEXT, indexTableName TEXT);
      CREATE TABLE t1 (x DEFAULT 'tokenize=unicodesn "stopwords=en" "stemmer=en"');
      CREATE TABLE t2 (x DEFAULT 'tokenize=unicodesn "stopwordlist=inn hotel x-y"');
      CREATE TABLE t3 (x DEFAULT 'tokenize=unicodesn "stopwords=en"');
      INSERT INTO indexes VALUES ('byLanguage', 1, 'default', '[[".name"]]', 't1'),
        ('byList', 1, 'default', '[[".name"]]', 't2'), ('unstemmed', 1, 'default', '[[".name"]]', 't3')
      """)
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle)
    let indexes = try database.defaultCollection().indexDescriptions()
    #expect(indexes.first { $0.name == "byLanguage" }?.analyzer.stopWords == .language)
    #expect(indexes.first { $0.name == "byList" }?.analyzer.stopWords == .custom(["inn", "hotel"]))
    #expect(indexes.first { $0.name == "unstemmed" }?.analyzer.stopWords == AnalyzerConfiguration.StopWords.none)
    #expect(summary.notes.count == 2, "\(summary.notes)")
  }

  /// The reading thread is ahead of the writer, and must end before the error is thrown.
  @Test func anErrorOfTheWriterEndsTheImport() throws {
    let source = try SourceBuilder(in: folder)
    try addBatches(3, to: source)
    source.close()
    struct Stop: Error {}
    var calls: [Int] = []
    #expect(throws: CBLError.self) {
      try database.importCouchbaseLite(at: source.bundle) { count, _ in
        calls.append(count)
        try? database.close()
      }
    }
    #expect(calls == [32])
  }

  /// The text of the documents of ``addBatches(_:to:)``.
  private static let text = String(repeating: "x", count: 1 << 20)

  /// Adds documents of 1 MiB, 32 for each transaction.
  private func addBatches(_ count: Int, to source: SourceBuilder) throws {
    for number in 0..<(32 * count) {
      try source.add("d\(number)", .dictionary([("text", .text(CouchbaseLiteImportTests.text))]))
    }
  }

  @Test func documentsAreImportedWithinABatch() throws {
    let source = try SourceBuilder(in: folder)
    try addBatches(2, to: source)
    source.close()
    try database.inBatch { try database.importCouchbaseLite(at: source.bundle) }
    #expect(try database.defaultCollection().count == 64)
    #expect(try json("d63") == #"{"text":"\#(CouchbaseLiteImportTests.text)"}"#)
  }

  @Test func theSourceIsNotTouchedEvenWithALog() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("a", .dictionary([("n", .integer(1))]))
    // The connection stays open, as that of a program that was killed, so the log is not moved into the file.
    let log = source.file.path + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))
    let copy = folder.url.appendingPathComponent("copy.cblite2")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: source.file.path + suffix, toPath: copy.appendingPathComponent("db.sqlite3").path + suffix)
    }
    let before = try contents(copy)
    #expect(try database.importCouchbaseLite(at: copy.path).documentCount == 1)
    #expect(try contents(copy) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasPrefix(".concordance") })
    source.close()
  }

  @Test func copiesOfInterruptedImportsAreDeleted() throws {
    func makeCopy() throws -> String {
      let path = folder.url.appendingPathComponent(".concordance-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/db.sqlite3"))
      return path
    }
    let (unused, used) = (try makeCopy(), try makeCopy())
    // Another import holds this lock until it has deleted its copy.
    let lock = open(used, O_RDONLY | O_DIRECTORY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let source = try SourceBuilder(in: folder)
    try source.add("a", .dictionary([("n", .integer(1))]))
    source.close()
    #expect(try database.importCouchbaseLite(at: source.bundle.path).documentCount == 1)
    #expect(!FileManager.default.fileExists(atPath: unused))
    #expect(FileManager.default.fileExists(atPath: used + "/db.sqlite3"))
  }

  @Test func theSourceIsNotTouchedWithoutALog() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("a", .dictionary([("n", .integer(1))]))
    source.close()
    let before = try contents(source.bundle)
    try database.importCouchbaseLite(at: source.bundle.path)
    #expect(try contents(source.bundle) == before)
  }

  /// SQLite stores the log next to the file that a symbolic link refers to.
  @Test(arguments: [true, false]) func theLogOfALinkedFileIsRead(isInBundle: Bool) throws {
    let source = try SourceBuilder(in: folder)
    try source.addBlob(digest: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", Data())
    let reference = FleeceValue.dictionary([
      ("@type", .text("blob")), ("digest", .text("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=")), ("length", .integer(0)),
    ])
    try source.add("a", .dictionary([("file", reference)]))
    // The connection stays open, so the document is only in the log.
    #expect(FileManager.default.fileExists(atPath: source.file.path + "-wal"))
    let links = folder.url.appendingPathComponent("links")
    try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
    let link = links.appendingPathComponent("db.sqlite3")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: source.file)
    let summary = try database.importCouchbaseLite(at: isInBundle ? links.path : link.path)
    #expect(summary.documentCount == 1 && summary.blobCount == 1, "\(summary)")
    source.close()
  }

  @Test func binaryDataIsNoted() throws {
    let source = try SourceBuilder(in: folder)
    try source.add("a", .dictionary([("d", .data([1, 2, 255]))]))
    source.close()
    let summary = try database.importCouchbaseLite(at: source.bundle.path)
    #expect(try json("a") == #"{"d":"AQL/"}"#)
    #expect(summary.notes.contains { $0.contains("binary data") })
  }

  private func contents(_ folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }
    return contents
  }
}

@Suite struct CouchbaseLiteImportErrorTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func aMissingFileIsRefused() throws {
    try expectImportError(CBLError.notFound, "no such file", at: folder.url.path + "/missing.cblite2")
  }

  @Test func forestDBIsRefused() throws {
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("db.forest.0"))
    try expectImportError(CBLError.unsupported, "ForestDB", at: folder.url.path)
  }

  @Test func aFolderWithoutADatabaseIsRefused() throws {
    try expectImportError(CBLError.unreadableDatabase, "no db.sqlite3", at: folder.url.path)
  }

  @Test func aShortFileIsRefused() throws {
    let file = folder.url.appendingPathComponent("db.sqlite3")
    try Data("SQLite".utf8).write(to: file)
    try expectImportError(CBLError.corruptData, "6 bytes", at: folder.url.path)
  }

  @Test func anotherProgramsDatabaseIsRefused() throws {
    let database = try folder.database()
    let path = try #require(database.path)
    try database.close()
    try expectImportError(CBLError.unreadableDatabase, "not one of Couchbase Lite", at: path)
  }

  @Test(arguments: [(600, CBLError.databaseTooNew), (199, CBLError.unsupported)])
  func otherSchemasAreRefused(schema: Int, code: Int) throws {
    let source = try SourceBuilder(in: folder, schema: schema)
    source.close()
    try expectImportError(code, "\(schema)", at: source.bundle.path)
  }
}
