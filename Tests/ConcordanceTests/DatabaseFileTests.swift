import Concordance
import Foundation
import GRDB
import Testing

/// Copying, deleting and closing the files of databases.
@Suite(.filesOnly("copies and deletes files")) struct DatabaseFileTests {
  let files: TemporaryDatabase
  let path: String

  init() throws {
    files = try TemporaryDatabase()
    path = try #require(files.database.path)
  }

  private var config: DatabaseConfiguration {
    var config = DatabaseConfiguration()
    config.directory = files.folder.url.path
    return config
  }

  @Test func copyHasAllDataAndANewIdentity() throws {
    let blob = Blob(contentType: "text/plain", data: Data("12345".utf8))
    try files.collection.save(document: MutableDocument(id: "x", data: ["n": 1]).setBlob(blob, forKey: "b"))
    try files.collection.createIndex(IndexBuilder.fullTextIndex(items: .property("t")), name: "t")
    try files.save("y", #"{"t":"hello"}"#)
    // While it is open and has a write-ahead log.
    try Database.copy(fromPath: path, toDatabase: "copy", withConfig: config)
    let copy = try Database(name: "copy", config: config)
    let collection = try copy.defaultCollection()
    #expect(collection.count == 2)
    #expect(try collection.document(id: "x")?.blob(forKey: "b")?.content == Data("12345".utf8))
    #expect(try collection.search("hello").hits.map(\.id) == ["y"])
    #expect(try copy.verify().isEmpty)
    try collection.save(document: MutableDocument(id: "z"))
    #expect(files.collection.count == 2)
    #expect(try identity(path) != identity(try #require(copy.path)))
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path)
    #expect(!names.contains { $0.contains("copy-") })
  }

  private func identity(_ path: String) throws -> String? {
    try DatabaseQueue(path: path).read {
      try String.fetchOne($0, sql: "SELECT value FROM concordance_meta WHERE key = 'uuid'")
    }
  }

  @Test func copyingRefusesInvalidSourcesAndExistingDestinations() throws {
    let error = #expect(throws: CBLError.self) {
      try Database.copy(fromPath: path, toDatabase: "test", withConfig: config)
    }
    #expect(error?.code == CBLError.cantOpenFile && error?.message.contains("already exists") == true)
    let cause = error?.underlyingError as? NSError
    #expect(cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(EEXIST))
    expectError(CBLError.notFound) {
      try Database.copy(fromPath: path + "-none", toDatabase: "copy", withConfig: config)
    }
    let text = files.folder.url.appendingPathComponent("text.concord")
    try Data("this is no database".utf8).write(to: text)
    expectError(CBLError.unreadableDatabase) {
      try Database.copy(fromPath: text.path, toDatabase: "copy", withConfig: config)
    }
    #expect(!Database.exists(withName: "copy", inDirectory: config.directory))
  }

  @Test func openFileIsNotDeleted() throws {
    let other = try files.again()
    expectError(CBLError.busy) { try files.database.delete() }
    expectError(CBLError.busy) { try Database.delete(withName: "test", inDirectory: config.directory) }
    #expect(files.collection.count == 0 && files.database.path != nil)
    try other.close()
    try files.database.delete()
    #expect(!Database.exists(withName: "test", inDirectory: config.directory))
    expectError(CBLError.notOpen) { try files.database.delete() }
  }

  @Test func fileOpenInAnotherProgramIsNotDeleted() throws {
    try files.database.close()
    let other = try DatabasePool(path: path)
    try other.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_meta") }
    expectError(CBLError.busy) { try Database.delete(withName: "test", inDirectory: config.directory) }
    try other.close()
    try Database.delete(withName: "test", inDirectory: config.directory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path).isEmpty)
  }

  @Test func damagedFileIsDeleted() throws {
    try Data(repeating: 7, count: 8192).write(to: files.folder.url.appendingPathComponent("damaged.concord"))
    try Database.delete(withName: "damaged", inDirectory: config.directory)
    #expect(!Database.exists(withName: "damaged", inDirectory: config.directory))
  }

  /// SQLite cannot open a folder, as it cannot open a file if the process has too many open files.
  @Test func fileThatCannotBeOpenedIsNotDeleted() throws {
    let url = files.folder.url.appendingPathComponent("folder.concord")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    expectError(CBLError.cantOpenFile) { try Database.delete(withName: "folder", inDirectory: config.directory) }
  }

  @Test(.enabled(if: getuid() != 0, "root writes everything")) func readOnlyFileIsNotDeleted() throws {
    try files.database.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let error = #expect(throws: CBLError.self) {
      try Database.delete(withName: "test", inDirectory: config.directory)
    }
    #expect(error?.code == CBLError.cantOpenFile)
    #expect(error?.message.contains("make the file writable, or delete it") == true, "\(error?.message ?? "")")
    #expect(Database.exists(withName: "test", inDirectory: config.directory))
  }

  /// A newer version of SQLite may use a file with such a header, so its locks are unknown.
  @Test func fileThatSQLiteCannotLockIsNotDeleted() throws {
    try files.database.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The version that is needed to write the file.
    bytes[18] = 3
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: CBLError.self) {
      try Database.delete(withName: "test", inDirectory: config.directory)
    }
    #expect(error?.code == CBLError.cantOpenFile)
    #expect(error?.message.contains("; delete it and its -wal and -shm files yourself") == true)
  }

  @Test func allCallsOnAClosedDatabaseThrowNotOpen() throws {
    let document = MutableDocument(id: "x")
    try files.collection.save(document: document)
    let scope = try files.database.defaultScope()
    try files.database.close()
    try files.database.close()
    #expect(files.database.path == nil && files.database.name == "test")
    let collection = files.collection
    let calls: [() throws -> Void] = [
      { _ = try collection.document(id: "x") },
      { try collection.save(document: document) },
      { try collection.delete(document: document) },
      { try collection.purge(id: "x") },
      { try collection.forEachDocument { _ in true } },
      { try collection.setDocumentExpiration(id: "x", expiration: Date()) },
      { _ = try collection.getDocumentExpiration(id: "x") },
      { _ = try collection.indexes() },
      { _ = try collection.search("x") },
      { _ = try scope.collections() },
      { _ = try files.database.defaultCollection() },
      { _ = try files.database.createCollection(name: "c") },
      { try files.database.deleteCollection(name: "c") },
      { _ = try files.database.scopes() },
      { try files.database.inBatch {} },
      { try files.database.performMaintenance(type: .compact) },
      { try files.database.saveBlob(blob: Blob(contentType: "a/b", data: Data([1]))) },
      { try document.save() },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: CBLError.self, "\(index)") { try call() }
      #expect(error?.code == CBLError.notOpen, "\(index): \(error?.message ?? "")")
    }
    #expect(collection.count == 0 && !collection["x"].exists)
    #expect(document.string(forKey: "none") == nil && document.id == "x")
  }

  @Test func callsOnADeletedCollectionThrowNotOpen() throws {
    let collection = try files.database.createCollection(name: "c")
    try collection.save(document: MutableDocument(id: "x"))
    try files.database.deleteCollection(name: "c")
    expectError(CBLError.notOpen) { _ = try collection.document(id: "x") }
    expectError(CBLError.notOpen) { try collection.save(document: MutableDocument()) }
    #expect(collection.count == 0)
    // A new collection with the same name is a different collection.
    let again = try files.database.createCollection(name: "c")
    expectError(CBLError.notOpen) { _ = try collection.document(id: "x") }
    #expect(try again.document(id: "x") == nil)
  }

  @Test func defaultCollectionCannotBeDeleted() throws {
    expectError(CBLError.invalidParameter) { try files.database.deleteCollection(name: "_default") }
    #expect(try files.database.createCollection(name: "_default") == files.collection)
  }

  @Test func closingWaitsForReadersInOtherThreads() async throws {
    for number in 0..<100 { try files.save("\(number)", "{}") }
    let started = AsyncStream<Void>.makeStream()
    let closing = AsyncStream<Void>.makeStream()
    let database = files.database
    let collection = files.collection
    async let count = Task.detached {
      var count = 0
      try collection.forEachDocument { _ in
        count += 1
        if count == 1 { started.continuation.yield() }
        return true
      }
      return count
    }.value
    for await _ in started.stream { break }
    closing.continuation.finish()
    try database.close()
    #expect(try await count == 100)
    expectError(CBLError.notOpen) { _ = try collection.document(id: "1") }
  }

  @Test func encryptionKeyIsRefused() throws {
    var config = config
    config.encryptionKey = .password("secret")
    expectError(CBLError.unsupportedEncryption) { _ = try Database(name: "secret", config: config) }
    #expect(!Database.exists(withName: "secret", inDirectory: config.directory))
    expectError(CBLError.unsupportedEncryption, "does not support encryption") {
      try files.database.changeEncryptionKey(.password("secret"))
    }
    try files.database.changeEncryptionKey(nil)
  }
}
