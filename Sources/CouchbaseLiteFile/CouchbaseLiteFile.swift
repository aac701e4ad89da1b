import Foundation
import GRDB
import SQLiteAccess

/// A Couchbase Lite database, opened for reading.
///
/// ```swift
/// let file = try CouchbaseLiteFile(path: "travel.cblite2", temporaryFolder: "/tmp")
/// for collection in file.collections {
///   try file.forEachRow(of: collection) { row in … }
/// }
/// try file.requireUnchanged()
/// ```
///
/// It reads the SQLite storage of all versions from 1.0 to 4.x and never writes to the database or its folder. The
/// types that read the formats also describe them: ``BundleLayout``, ``SourceSnapshot``, ``KeyStoreReader`` (2.0 and
/// later), ``RevisionTree``, ``RevisionTableReader`` (1.x).
///
/// An instance must be used on one thread at a time.
public final class CouchbaseLiteFile {
  /// The path of the SQLite file.
  public let path: String
  /// The schema version that is stored in the file, `PRAGMA user_version`.
  public let schemaVersion: Int

  private let layout: BundleLayout
  private let snapshot: SourceSnapshot
  private let reader: any SourceReader

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: the path of a bundle, of the SQLite file in it, or of a single file of version 1.
  ///   - temporaryFolder: the folder for a copy of the file, which is made if a write-ahead log must be applied.
  /// - Throws: ``CouchbaseLiteFileError``.
  public init(path: String, temporaryFolder: String) throws {
    layout = try BundleLayout(path: path)
    self.path = layout.database
    try layout.checkHeader()
    snapshot = try SourceSnapshot(path: layout.database, temporaryFolder: temporaryFolder)
    do {
      let connection = snapshot.connection
      schemaVersion = try Int(SourceSchema.integer("PRAGMA user_version", connection))
      let schema = try SourceSchema(connection)
      reader = try CouchbaseLiteFile.reader(schemaVersion, schema, connection, layout.database)
    } catch {
      throw snapshot.translating(error)
    }
  }

  /// Whether the file was written by version 1 of Couchbase Lite.
  public var isVersion1: Bool { reader is RevisionTableReader }

  /// The collections: the default collection first, then the others sorted by scope and name.
  public var collections: [SourceCollection] { reader.collections }

  /// Describes the parts of the database that are not read, such as "3 local documents".
  public func omissions() throws -> [String] { try translating { try reader.omissions() } }

  /// Returns the number of rows that ``forEachRow(of:_:)`` visits, for progress reports.
  public func rowCount() throws -> Int {
    try translating { try collections.reduce(0) { try $0 + reader.rowCount(of: $1) } }
  }

  /// Calls `body` with each row of a collection.
  ///
  /// - Throws: ``CouchbaseLiteFileError`` of kind ``CouchbaseLiteFileErrorKind/damaged``, or an error from `body`.
  public func forEachRow(of collection: SourceCollection, _ body: (SourceRow) throws -> Void) throws {
    try translating { try reader.forEachRow(of: collection, body) }
  }

  /// Returns the definitions of the indexes.
  public func indexes() throws -> [SourceIndex] { try translating { try reader.indexes() } }

  /// Throws if another program has changed the database since it was opened.
  public func requireUnchanged() throws { try snapshot.requireUnchanged() }

  /// Returns the path of the file that contains a blob; nil if there is no such file.
  ///
  /// - Parameter digest: `sha1-`, followed by the SHA-1 hash in Base64.
  public func blobPath(digest: String) -> String? {
    // The file name is built from the decoded bytes, so that a digest cannot refer to a file in another folder.
    guard digest.hasPrefix("sha1-"), let hash = Data(base64Encoded: String(digest.dropFirst(5))), hash.count == 20
    else {
      return nil
    }
    let base64 = hash.base64EncodedString().replacingOccurrences(of: "/", with: "_")
    let hex = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for folder in layout.blobFolders {
      for name in [base64, hex.uppercased(), hex] {
        let path = "\(folder)/\(name).blob"
        if FileManager.default.fileExists(atPath: path) { return path }
      }
    }
    return nil
  }

  private func translating<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw snapshot.translating(error)
    }
  }

  private static func reader(
    _ version: Int, _ schema: SourceSchema, _ connection: DirectConnection, _ path: String
  ) throws -> any SourceReader {
    if schema.has(table: "kvmeta"), schema.has(table: "kv_info") {
      if version > 599 {
        throw CouchbaseLiteFileError(
          .newerVersion,
          "\(path): written by a newer version of Couchbase Lite (schema \(version)); versions up to 4.x (599) can be read"
        )
      }
      if version >= 201 { return try KeyStoreReader(schema, connection, path) }
    } else if schema.has(table: "revs"), schema.has(table: "docs") {
      if version < 200 { return RevisionTableReader(schema, connection) }
    } else if version != 0 || !schema.isEmpty {
      throw CouchbaseLiteFileError(.notCouchbaseLite, "\(path): a SQLite database, but not one of Couchbase Lite")
    } else {
      throw CouchbaseLiteFileError(.notCouchbaseLite, "\(path): an empty SQLite database")
    }
    throw CouchbaseLiteFileError(
      .unsupported, "\(path): schema \(version) does not belong to a supported version of Couchbase Lite")
  }
}

/// Reads the tables of one of the two formats, 1.x or 2.0 and later.
protocol SourceReader {
  var collections: [SourceCollection] { get }
  func omissions() throws -> [String]
  func rowCount(of collection: SourceCollection) throws -> Int
  func forEachRow(of collection: SourceCollection, _ body: (SourceRow) throws -> Void) throws
  func indexes() throws -> [SourceIndex]
}

/// The tables of a SQLite file.
struct SourceSchema {
  /// The SQL of each table by name.
  let tables: [String: String]

  init(_ connection: DirectConnection) throws {
    let statement = try SQLStatement("SELECT name, sql FROM sqlite_master WHERE type = 'table'", on: connection)
    var tables: [String: String] = [:]
    while try statement.step() { tables[statement.row.string(0)] = statement.row.string(1) }
    self.tables = tables
  }

  var isEmpty: Bool { tables.isEmpty }

  func has(table: String) -> Bool { tables[table] != nil }

  /// Returns the column names of a table.
  static func columns(of table: String, _ connection: DirectConnection) throws -> Set<String> {
    let statement = try SQLStatement("PRAGMA table_info(\(table.sqlIdentifier))", on: connection)
    var columns: Set<String> = []
    while try statement.step() { columns.insert(statement.row.string(1)) }
    return columns
  }

  /// Returns the integer result of a query; 0 if the query returns no row.
  static func integer(_ sql: String, _ connection: DirectConnection) throws -> Int64 {
    let statement = try SQLStatement(sql, on: connection)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : 0
  }
}
