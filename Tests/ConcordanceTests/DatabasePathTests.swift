import Concordance
import Foundation
import GRDB
import Testing

/// Unusual paths, and files that change while a database is open.
@Suite(.filesOnly("paths of files")) struct DatabasePathTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.path + "/" + name }

  @Test func missingFolderIsNamedInTheError() {
    expectError(CBLError.cantOpenFile, "the folder \(path("no/such")) does not exist") {
      _ = try Database(path: path("no/such/x.concord"))
    }
    #expect(!FileManager.default.fileExists(atPath: path("no")))
  }

  @Test(arguments: ["file:x?mode=memory", "file:x", ":memory:", "~", "a", "%41?#", "é.concord"])
  func anyPathIsAFileName(name: String) throws {
    let database = try Database(path: path(name))
    try database.defaultCollection().save(document: MutableDocument(id: "a"))
    try database.close()
    #expect(FileManager.default.fileExists(atPath: path(name)))
    var config = DatabaseConfiguration()
    config.isReadOnly = true
    #expect(try Database(path: path(name), config: config).defaultCollection().count == 1)
  }

  @Test func folderIsAnError() throws {
    expectError(CBLError.cantOpenFile, "is a directory, not a database") { _ = try Database(path: folder.url.path) }
    let bundle = path("travel.cblite2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: bundle + "/db.sqlite3"))
    let error = #expect(throws: CBLError.self) { _ = try Database(path: bundle) }
    #expect(error?.code == CBLError.cantOpenFile && error?.recovery == .importCouchbaseLite)
    #expect(error?.message.contains("importCouchbaseLite(at:)") == true, "\(error?.message ?? "")")
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    expectError(CBLError.cantOpenFile, "importCouchbaseLite(at:)") {
      try Database.copy(fromPath: bundle, toDatabase: "copy", withConfig: config)
    }
  }

  @Test func emptyPathIsAnError() {
    expectError(CBLError.cantOpenFile, "path of the database is empty") { _ = try Database(path: "") }
    expectError(CBLError.cantOpenFile, "U+0000") { _ = try Database(path: path("a\0b")) }
  }

  @Test func emptyFileBecomesADatabaseIfCreationIsAllowed() throws {
    try Data().write(to: URL(fileURLWithPath: path("empty")))
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    expectError(CBLError.corruptData, "the file is empty") { _ = try Database(path: path("empty"), config: config) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("empty"))).isEmpty)
    #expect(try Database(path: path("empty")).defaultCollection().count == 0)
  }

  @Test(arguments: [1, 2, 18, 99]) func shortFileIsRefusedAndKept(size: Int) throws {
    let content = Data(repeating: 0x61, count: size)
    try content.write(to: URL(fileURLWithPath: path("note.txt")))
    expectError(CBLError.unreadableDatabase, "not a database") { _ = try Database(path: path("note.txt")) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("note.txt"))) == content)
  }

  @Test func emptyFileWithAWriteAheadLogIsRefused() throws {
    try Data().write(to: URL(fileURLWithPath: path("cut")))
    try Data(repeating: 1, count: 4152).write(to: URL(fileURLWithPath: path("cut-wal")))
    expectError(CBLError.corruptData, "write-ahead log next to it contains changes") {
      _ = try Database(path: path("cut"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("cut-wal"))).count == 4152)
  }

  @Test(arguments: [false, true]) func savingToADeletedOrReplacedFileThrows(isReplaced: Bool) throws {
    let database = try Database(path: path("x"))
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a"))
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path("x" + suffix)) }
    if isReplaced { try Database(path: path("x")).close() }
    let message = "was deleted or replaced while it was open"
    expectError(CBLError.ioError, message) { try collection.save(document: MutableDocument(id: "b")) }
    expectError(CBLError.ioError, message) {
      try database.inBatch { try collection.save(document: MutableDocument(id: "c")) }
    }
    expectError(CBLError.ioError, message) { try database.performMaintenance(type: .compact) }
    #expect(collection.count == 1)
  }
}
