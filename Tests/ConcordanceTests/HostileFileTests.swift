import CSQLite
@_spi(Command) import Concordance
import Foundation
import GRDB
import GRDBSQLite
import QueryCompiler
import Testing

@testable import DocumentStore
@testable import SQLiteAccess

/// Files with foreign schema objects are refused, and their triggers and views are never executed.
@Suite(.filesOnly("changes the tables of files")) struct HostileFileTests {
  private let files: TemporaryDatabase
  private let path: String

  init() throws {
    files = try TemporaryDatabase()
    path = try #require(files.database.path)
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try files.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["title"]))
    try files.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n", "m"]))
    try files.collection.createIndex(
      withName: "tags", config: ArrayIndexConfiguration(path: "tags", expressions: ["a"]))
    try files.save("a", #"{"title": "apple", "n": 1, "tags": [{"a": 1}]}"#)
    try files.database.performMaintenance(type: .fullOptimize)
    try files.database.close()
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func allObjectsOfIndexesAreAccepted() throws {
    #expect(try files.again().verify() == [])
    #expect(try files.again(readOnly: true).defaultCollection().search("apple").hits.map(\.id) == ["a"])
  }

  @Test(arguments: [
    (
      "CREATE TRIGGER \"tr\" AFTER INSERT ON \"_default._default\" BEGIN DELETE FROM concordance_meta; END",
      "trigger \"tr\""
    ),
    ("CREATE VIEW v AS SELECT 1", "view \"v\""), ("CREATE TABLE mine (x)", "table \"mine\""),
    ("CREATE VIRTUAL TABLE other USING fts5(x)", "table \"other\""),
    ("CREATE INDEX i ON \"_default._default\" (abs(revision))", "index \"i\""),
    ("CREATE TABLE concordance_vi_9 (doc INTEGER PRIMARY KEY, k0, e0, CHECK (k0 > 1))", "table \"concordance_vi_9\""),
    (
      "CREATE TABLE concordance_ft_9_data(id INTEGER PRIMARY KEY, block BLOB DEFAULT (abs(1)))",
      "table \"concordance_ft_9_data\""
    ),
  ]) func foreignObjectsAreRefusedByName(sql: String, object: String) throws {
    try change(sql)
    for readOnly in [false, true] {
      expectError(CBLError.unreadableDatabase, "contains the \(object)") { _ = try files.again(readOnly: readOnly) }
    }
    var config = DatabaseConfiguration()
    config.isForChecking = true
    let problems = try Database(path: path, config: config).verify()
    #expect(problems.contains { $0.problem.hasPrefix("the \(object) was not created by Concordance") }, "\(problems)")
  }

  @Test func collectionMissingFromTheCatalogIsNotReplaced() throws {
    try change("PRAGMA foreign_keys = OFF")
    try change("DELETE FROM concordance_index; DELETE FROM concordance_collection")
    expectError(CBLError.corruptData, "of a collection that the catalog does not list") { _ = try files.again() }
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try String.fetchAll($0, sql: "SELECT name FROM concordance_collection") } == [])
  }

  @Test func triggersAddedWhileAFileIsOpenDoNotRun() throws {
    let database = try files.again()
    func metaValues() throws -> [String] {
      try DatabaseQueue(path: path).read {
        try String.fetchAll($0, sql: "SELECT CAST(value AS TEXT) FROM concordance_meta")
      }
    }
    let count = try metaValues().count
    try change(
      "CREATE TRIGGER tr AFTER INSERT ON \"_default._default\" BEGIN UPDATE concordance_meta SET value = 'x'; END")
    try database.defaultCollection().save(document: MutableDocument(id: "b"))
    let values = try metaValues()
    #expect(count > 0 && values.count == count && !values.contains("x"))
  }

  @Test func connectionsAreDefensive() throws {
    let store = try Store(path: path)
    func settings(_ connection: OpaquePointer?) -> [Int32] {
      [
        SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
        SQLITE_DBCONFIG_ENABLE_VIEW,
      ].map { csqlite_option(connection, $0) }
    }
    try store.read { #expect(settings($0.sqliteConnection) == [1, 0, 0, 0]) }
    try store.write { transaction in
      #expect(settings(transaction.db.sqliteConnection) == [1, 0, 0, 0])
      let checksCells = try Int.fetchOne(transaction.db, sql: "PRAGMA cell_size_check")
      #expect(checksCells == 1)
      #expect(throws: DatabaseError.self) { try transaction.db.execute(sql: "DELETE FROM concordance_ft_1_data") }
    }
    try store.makeChangeReader().read { #expect(settings($0.sqliteConnection) == [1, 0, 0, 0]) }
    let connection = try FileLocation.open(path, .reading)
    #expect(settings(connection.handle) == [1, 0, 0, 0])
    connection.close()
  }

  @Test func boundsAreStillWritten() throws {
    let database = try files.again()
    let collection = try database.defaultCollection()
    try database.inBatch {
      for number in 0..<6000 {
        try collection.save(document: MutableDocument(id: "\(number)", data: ["title": "common word \(number)"]))
      }
    }
    try database.performMaintenance(type: .fullOptimize)
    try database.performMaintenance(type: .optimize)
    let bounds = try DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_ft_1_data WHERE id & (1 << 31) AND id > (1 << 37)")
    }
    #expect((bounds ?? 0) > 0)
    #expect(try database.verify() == [])
  }

  @Test(arguments: ["concordance_each", "concordance_rows", "concordance_hits"])
  func virtualTablesOfTheLibraryCannotBeUsedByASchema(table: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try QueryRuntime.register(on: db) { _, _ in nil }
      try db.execute(sql: "CREATE VIEW v AS SELECT * FROM \(table)(x'')")
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM v") }
      #expect(error?.message?.contains("unsafe use of virtual table") == true, "\(error?.message ?? "")")
    }
  }
}
