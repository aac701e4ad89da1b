import Foundation
import GRDB
import SQLiteAccess
import TestSupport

/// Writes a database as Couchbase Lite 3.x does, as far as documents are concerned.
final class SourceBuilder {
  let bundle: URL
  private let connection: DirectConnection
  private let sharedKeys: [String]
  private var sequence: Int64 = 0

  var file: URL { bundle.appendingPathComponent("db.sqlite3") }

  init(in folder: TestFolder, schema: Int = 503, sharedKeys: [String] = []) throws {
    bundle = folder.url.appendingPathComponent("source.cblite2")
    self.sharedKeys = sharedKeys
    try FileManager.default.createDirectory(
      at: bundle.appendingPathComponent("Attachments"), withIntermediateDirectories: true)
    connection = try DirectConnection(bundle.appendingPathComponent("db.sqlite3").path, .creating)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA user_version = \(schema);
      CREATE TABLE kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID
      """)
    try addStore("info")
    if !sharedKeys.isEmpty {
      try insert("kv_info", "SharedKeys", 0, [], FleeceEncoder.encode(.array(sharedKeys.map { .text($0) })), nil)
    }
    try addStore("default")
  }

  /// Creates the table of a key store.
  func addStore(_ name: String) throws {
    try connection.execute(
      "CREATE TABLE \"kv_\(name)\" (key TEXT PRIMARY KEY, sequence INTEGER, flags INTEGER DEFAULT 0, version BLOB, "
        + "body BLOB, extra BLOB, expiration INTEGER)")
  }

  func execute(_ sql: String) throws { try connection.execute(sql) }

  /// Adds a document with a version vector.
  func add(
    _ id: String, _ value: FleeceValue, store: String = "default", flags: Int64 = 0, expiration: Int64? = nil
  ) throws {
    try insert("kv_\(store)", id, flags, [0, 2, 0], FleeceEncoder.encode(value, sharedKeys: sharedKeys), expiration)
  }

  /// Adds a row with any body.
  func add(
    _ id: String, body: [UInt8], version: [UInt8] = [0, 2, 0], flags: Int64 = 0, extra: [UInt8]? = nil
  ) throws {
    try insert("kv_default", id, flags, version, body, nil)
    guard let extra else { return }
    let statement = try SQLStatement("UPDATE kv_default SET extra = ? WHERE key = ?", on: connection)
    statement.bind(1, copying: extra, asText: false)
    statement.bind(2, copying: Array(id.utf8), asText: true)
    try statement.run()
  }

  /// Adds the file of a blob.
  func addBlob(digest: String, _ content: Data) throws {
    let name = digest.dropFirst(5).replacingOccurrences(of: "/", with: "_") + ".blob"
    try content.write(to: bundle.appendingPathComponent("Attachments").appendingPathComponent(name))
  }

  /// Moves the log into the file and closes it.
  func close() { connection.close() }

  private func insert(
    _ table: String, _ key: String, _ flags: Int64, _ version: [UInt8], _ body: [UInt8], _ expiration: Int64?
  ) throws {
    sequence += 1
    let statement = try SQLStatement(
      "INSERT INTO \"\(table)\" VALUES (?, ?, ?, ?, ?, NULL, ?)", on: connection)
    statement.bind(1, copying: Array(key.utf8), asText: true)
    statement.bind(2, sequence)
    statement.bind(3, flags)
    statement.bind(4, copying: version, asText: false)
    statement.bind(5, copying: body, asText: false)
    statement.bind(6, expiration)
    try statement.run()
  }
}
