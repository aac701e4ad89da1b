@testable import Concordance
import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import Testing
import TextIndex

/// A kind of index that the library does not have: the number of bytes of each document. It consists of the types in
/// this file and one entry in the registry, as the documentation of ``IndexKind`` states.
private struct SizeIndexKind: IndexKind {
  let catalogName = IndexCatalog.Kind("size")
  let configurations: [any StoredIndexConfiguration.Type] = [SizeIndexConfiguration.self]

  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [SizeIndex] {
    try IndexCatalog.entries(catalogName, of: collection.id, db).map {
      SizeIndex(id: $0.id, name: $0.name, isOutdated: $0.version != "1")
    }
  }

  func mayBeOutdated(version: String, definition: String) -> Bool { version != "1" }

  func isStatement(_ sql: String, ofObject name: String) -> Bool {
    name.hasPrefix("concordance_size_") && sql == SizeIndex.creation(name)
  }
}

private struct SizeIndex: StoredIndex {
  let id: Int64
  let name: String
  var isOutdated: Bool

  var table: String { "concordance_size_\(id)" }

  static func creation(_ table: String) -> String { "CREATE TABLE \(table) (doc INTEGER PRIMARY KEY, size)" }

  func add(to schema: inout CollectionSchema) {}

  func summary(_ db: GRDB.Database) throws -> IndexSummary {
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    return IndexSummary(name: name, kind: "size", documentCount: count, size: 8 * count, isOutdated: isOutdated)
  }

  var exportedConfiguration: any StoredIndexConfiguration { SizeIndexConfiguration() }

  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String? {
    var sizes: [Int64: Int] = [:]
    try DocumentReader(collection, db).forEach(includingExpired: true) { document in
      sizes[document.rowID] = document.body.count
      return true
    }
    let rows = try Row.fetchAll(db, sql: "SELECT doc, size FROM \(table)")
    return sizes == Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) }) ? nil : "has other sizes; rebuild it"
  }

  func makeWriter(_ context: IndexWriterContext) -> any StoredIndexWriter {
    SizeIndexWriter(index: self, db: context.transaction.db)
  }

  func rebuild(in change: IndexChange, abandoningTable: Bool) throws {
    try drop(change.db)
    try SizeIndexDefinition().create(name, in: change)
  }

  func drop(_ db: GRDB.Database) throws {
    try db.execute(sql: "DROP TABLE \(table)")
    try IndexCatalog.remove(id, db)
  }
}

private struct SizeIndexWriter: StoredIndexWriter {
  let index: SizeIndex
  let db: GRDB.Database

  func update(_ document: SavedDocument) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO \(index.table) VALUES (?, ?)", arguments: [document.rowID, document.body.count])
  }

  func remove(_ document: StoredDocument, _ parser: JSONParser) throws {
    try db.execute(sql: "DELETE FROM \(index.table) WHERE doc = ?", arguments: [document.rowID])
  }
}

private struct SizeIndexDefinition: StoredIndexDefinition {
  func adopt(_ existing: SizeIndex, in change: IndexChange) throws -> Bool { !existing.isOutdated }

  func create(_ name: String, in change: IndexChange) throws {
    let id = try IndexCatalog.add(
      IndexCatalog.Kind("size"), name, on: change.record.id, definition: "{}", version: "1", change.db)
    let index = SizeIndex(id: id, name: name, isOutdated: false)
    try change.db.execute(sql: SizeIndex.creation(index.table))
    try change.catalogDidChange()
    try DocumentReader(change.record, change.db).forEach(includingExpired: true) { document in
      try change.db.execute(
        sql: "INSERT INTO \(index.table) VALUES (?, ?)", arguments: [document.rowID, document.body.count])
      return true
    }
  }
}

private struct SizeIndexConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "sizes"
  var sizes = true

  func definition() -> SizeIndexDefinition { SizeIndexDefinition() }
}

/// An index kind consists of its types and one entry in the registry.
struct IndexKindTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> Concordance.Database {
    try Concordance.Database(
      path: folder.url.appendingPathComponent("\(name).concord").path, config: DatabaseConfiguration(),
      indexKinds: IndexKinds(IndexKinds.standard.all + [SizeIndexKind()]))
  }

  private func sizes(in database: Concordance.Database) throws -> [Int] {
    try database.engine.store.read { try Int.fetchAll($0, sql: "SELECT size FROM concordance_size_1 ORDER BY 1") }
  }

  @Test func indexOfAnotherKindIsCreatedUpdatedAndDeleted() throws {
    let database = try open("a")
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", json: #"{"n":1}"#))
    try collection.createIndex(withName: "sizes", config: SizeIndexConfiguration())
    #expect(try collection.indexes() == ["sizes"])
    #expect(try collection.indexSummaries().map(\.kind) == ["size"])
    // Saves, changes, deletions and imports.
    try collection.save(document: MutableDocument(id: "b", json: #"{"n":22}"#))
    try collection.save(document: MutableDocument(id: "c", json: #"{"n":333}"#))
    try collection.save(document: MutableDocument(id: "a", json: #"{"n":1111}"#))
    try collection.delete(document: #require(try collection.document(id: "b")))
    let importer = try DocumentImporter(into: collection)
    try importer.add(id: "d", json: Array(#"{"n":55555}"#.utf8))
    _ = try importer.finish()
    #expect(try sizes(in: database) == [9, 10, 11])
    #expect(try database.verify() == [])
    try collection.optimizeIndex(forName: "sizes")
    try database.performMaintenance(type: .fullOptimize)
    // Damage is reported and repaired.
    try database.engine.store.write { try $0.db.execute(sql: "UPDATE concordance_size_1 SET size = 0") }
    #expect(try database.verify().map(\.location) == ["index sizes of _default._default"])
    try collection.rebuildIndex(forName: "sizes")
    #expect(try database.verify() == [])
    try collection.deleteIndex(forName: "sizes")
    #expect(try collection.indexes() == [])
    #expect(try database.verify() == [])
  }

  @Test func indexOfAnotherKindIsExportedAndImported() throws {
    let database = try open("a")
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", json: #"{"n":1}"#))
    try collection.createIndex(withName: "sizes", config: SizeIndexConfiguration())
    var lines: [[UInt8]] = []
    try database.exportLines { lines.append($0) }
    let other = try open("b")
    let transfer = try DatabaseImport(into: other)
    for line in lines { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    #expect(try transfer.finish().indexCount == 1)
    #expect(try sizes(in: other) == [7])
    #expect(try other.verify() == [])
    // A library without the kind refuses the line and the file.
    let plain = try TemporaryDatabase()
    let refused = try DatabaseImport(into: plain.database)
    #expect(throws: DatabaseImport.LineError.self) {
      for line in lines { try line.withUnsafeBytes { try refused.add(line: $0) } }
    }
    let path = try #require(other.path)
    try other.close()
    #expect(throws: CBLError.self) { _ = try Concordance.Database(path: path) }
  }

  @Test func outdatedIndexOfAnotherKindIsRebuiltWhenTheFileIsOpened() throws {
    let database = try open("a")
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", json: #"{"n":1}"#))
    try collection.createIndex(withName: "sizes", config: SizeIndexConfiguration())
    try database.engine.store.write {
      try $0.db.execute(
        sql: "UPDATE concordance_index SET analyzer_version = '0'; UPDATE concordance_size_1 SET size = 0")
    }
    try database.close()
    let reopened = try open("a")
    #expect(try reopened.verify() == [])
    #expect(try reopened.defaultCollection().indexSummaries().map(\.isOutdated) == [false])
    // Deleting a collection drops its indexes.
    let more = try reopened.createCollection(name: "more")
    try more.createIndex(withName: "sizes", config: SizeIndexConfiguration())
    try reopened.deleteCollection(name: "more")
    #expect(try reopened.verify() == [])
  }
}
