import Concordance
import Foundation
import TestSupport
import Testing

/// A folder that is deleted with the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A database on PostgreSQL that is deleted with the object.
private final class TemporaryRemoteDatabase: Sendable {
  let url: String

  init(shards: Int) throws {
    url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: shards)
  }

  deinit { try? TemporaryCluster.dropDatabase(url) }
}

/// A database in its own temporary folder, or on PostgreSQL if `TestStore.current` says so.
struct TemporaryDatabase: Sendable {
  let folder: TemporaryFolder
  let database: Database
  let collection: Concordance.Collection
  /// The database on PostgreSQL.
  private let remote: TemporaryRemoteDatabase?

  init(busyTimeout: TimeInterval = 5, indexMemory: Int? = nil) throws {
    folder = try TemporaryFolder()
    var config = TemporaryDatabase.config(folder)
    config.busyTimeout = busyTimeout
    if let indexMemory { config.indexMemory = indexMemory }
    switch TestStore.current {
    case .file:
      remote = nil
      database = try Database(name: "test", config: config)
    case .postgreSQL(let shards):
      let remote = try TemporaryRemoteDatabase(shards: shards)
      self.remote = remote
      database = try Database(url: remote.url, config: config)
    }
    collection = try database.defaultCollection()
  }

  /// Another `Database` object on the same database.
  func again(readOnly: Bool = false) throws -> Database {
    var config = TemporaryDatabase.config(folder)
    config.isReadOnly = readOnly
    if let remote { return try Database(url: remote.url, config: config) }
    return try Database(name: "test", config: config)
  }

  func save(_ id: String, _ json: String) throws {
    try collection.save(document: MutableDocument(id: id, json: json))
  }

  func found(_ query: String) throws -> [String] { try collection.search(query).hits.map(\.id) }

  private static func config(_ folder: TemporaryFolder) -> DatabaseConfiguration {
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    return config
  }
}

func expectError(
  _ code: Int, _ message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  let error = #expect(throws: CBLError.self, sourceLocation: sourceLocation, performing: work)
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  guard let message else { return }
  #expect(error?.message.contains(message) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
}

/// Checks that a batch is rolled back because its block throws an error of this type, which is the underlying error.
func expectRollback<Cause: Error>(
  by cause: Cause.Type, sourceLocation: SourceLocation = #_sourceLocation, _ batch: () throws -> Void
) {
  let error = #expect(throws: CBLError.self, sourceLocation: sourceLocation, performing: batch)
  #expect(error?.code == CBLError.unexpectedError, sourceLocation: sourceLocation)
  #expect(error?.userInfo[NSUnderlyingErrorKey] is Cause, "\(error?.userInfo ?? [:])", sourceLocation: sourceLocation)
}
