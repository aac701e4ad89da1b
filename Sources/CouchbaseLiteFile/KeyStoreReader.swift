import Fleece
import SQLiteAccess

/// Reads the key stores of Couchbase Lite 2.0 to 4.x.
///
/// A key store is a table `kv_NAME` with the columns `key`, `sequence`, `flags`, `version`, `body`, `extra` (since 3.0)
/// and `expiration` (if any document has ever had an expiration time). NAME is `default`, `.name` or `.scope.name`,
/// depending on the collection, with a backslash before each uppercase letter. Since 3.1, tombstones are stored in
/// `kv_del_NAME`; older tombstones may still be in `kv_NAME`, so the row's flags determine whether a document is
/// deleted.
///
/// The body has one of these forms, and one file can contain all of them:
///
/// | form | `body` |
/// |---|---|
/// | 2.x | a ``RevisionTree`` whose first revision contains the document |
/// | 3.x, revision trees | the document; the tree is in `extra` |
/// | 4.x, version vectors | the document; `version` begins with 0 |
final class KeyStoreReader: SourceReader {
  let collections: [SourceCollection]
  /// The tables with documents that belong to no collection.
  private let unusableTables: [String]
  private let schema: SourceSchema
  private let connection: DirectConnection
  private let sharedKeys: SharedKeys

  private enum RowFlags {
    static let deleted: Int64 = 1
    static let conflicted: Int64 = 2
  }

  init(_ schema: SourceSchema, _ connection: DirectConnection, _ path: String) throws {
    self.schema = schema
    self.connection = connection
    (collections, unusableTables) = KeyStoreReader.collections(in: schema.tables.keys.sorted())
    let statement = try SQLStatement("SELECT body FROM kv_info WHERE key = 'SharedKeys'", on: connection)
    guard try statement.step(), let body = statement.row.bytes(0) else {
      sharedKeys = SharedKeys()
      return
    }
    do {
      sharedKeys = try SharedKeys(body)
    } catch {
      throw CouchbaseLiteFileError(
        .damaged, "\(path): the shared keys are damaged (\(error)), so no document can be read; restore a backup")
    }
  }

  func omissions() -> [String] {
    unusableTables.map { "the table \"\($0)\" (its name is invalid, or another table belongs to the same collection)" }
  }

  func rowCount(of collection: SourceCollection) throws -> Int {
    try tables(of: collection).reduce(0) {
      try $0 + Int(SourceSchema.integer("SELECT count(*) FROM \($1.sqlIdentifier)", connection))
    }
  }

  func forEachRow(of collection: SourceCollection, _ body: (SourceRow) throws -> Void) throws {
    for table in tables(of: collection) { try forEachRow(ofTable: table, body) }
  }

  private func forEachRow(ofTable table: String, _ body: (SourceRow) throws -> Void) throws {
    let columns = try SourceSchema.columns(of: table, connection)
    let extra = columns.contains("extra") ? "extra IS NULL" : "1"
    let expiration = columns.contains("expiration") ? "expiration" : "NULL"
    let statement = try SQLStatement(
      "SELECT key, flags, \(extra), \(expiration), body, substr(version, 1, 1) = x'00' FROM \(table.sqlIdentifier)",
      on: connection)
    var reader = FleeceReader(sharedKeys: sharedKeys)
    while try statement.step() {
      let row = statement.row
      guard row.int64(1) & RowFlags.deleted == 0 else {
        try body(.deleted)
        continue
      }
      let mayBeTree = row.int64(2) != 0 && row.int64(5) == 0
      try body(KeyStoreReader.row(row, mayBeTree: mayBeTree, &reader))
    }
  }

  private static func row(_ row: StatementRow, mayBeTree: Bool, _ reader: inout FleeceReader) throws -> SourceRow {
    guard let id = row.bytes(0).flatMap({ String(validating: $0, as: UTF8.self) }) else {
      return .unreadable(id: row.string(0), reason: "its id is not valid UTF-8")
    }
    var content = row.bytes(4) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    if mayBeTree, let tree = RevisionTree(content) {
      if tree.flags.contains(.deleted) { return .deleted }
      guard let body = tree.body else {
        return .unreadable(id: id, reason: "the content of its current revision is not stored")
      }
      content = UnsafeRawBufferPointer(rebasing: content[body])
    }
    do throws(FleeceError) {
      let dataCount = reader.dataCount
      let json = try reader.json(of: content)
      return .document(
        SourceDocument(
          id: id, json: json, expiration: row.isNull(3) ? nil : row.int64(3),
          isConflicted: row.int64(1) & RowFlags.conflicted != 0, hasData: reader.dataCount > dataCount))
    } catch {
      return .unreadable(id: id, reason: "\(error)")
    }
  }

  func indexes() throws -> [SourceIndex] {
    guard schema.has(table: "indexes") else { return [] }
    let condition = try SourceSchema.columns(of: "indexes", connection).contains("whereClause") ? "whereClause" : "NULL"
    let statement = try SQLStatement(
      "SELECT name, type, keyStore, expression, \(condition), indexTableName FROM indexes ORDER BY keyStore, name",
      on: connection)
    var indexes: [SourceIndex] = []
    while try statement.step() {
      let row = statement.row
      var store = row.string(2)
      if store.hasPrefix("kv_") { store.removeFirst(3) }
      guard let collection = KeyStoreReader.collection(ofTable: "kv_" + store) else { continue }
      indexes.append(
        SourceIndex(
          name: row.string(0), kind: SourceIndex.Kind(rawValue: Int(row.int64(1))), collection: collection,
          expression: row.string(3), condition: row.isNull(4) || row.string(4).isEmpty ? nil : row.string(4),
          tokenizerOptions: TokenizerOptions.parse(schema.tables[row.string(5)] ?? "")))
    }
    return indexes
  }

  /// Returns those tables of a collection that exist: the document table, then the tombstone table.
  private func tables(of collection: SourceCollection) -> [String] {
    ["kv_", "kv_del_"].map { $0 + collection.store }.filter(schema.has(table:))
  }

  /// Returns the collections, and the tables that are named like those of collections but belong to none.
  private static func collections(in tables: [String]) -> ([SourceCollection], unusable: [String]) {
    var collections: [SourceCollection] = []
    var unusable: [String] = []
    let stores = tables.filter { table in
      // Tables of indexes contain a colon.
      table == "kv_default" || table.utf8.starts(with: "kv_.".utf8) && !table.utf8.contains(UInt8(ascii: ":"))
    }
    // Tables as Couchbase Lite names them take precedence over others with the name of the same collection.
    for table in stores.filter(isEscaped) + stores.filter({ !isEscaped($0) }) {
      if let collection = collection(ofTable: table),
        !collections.contains(where: { $0.scope == collection.scope && $0.name == collection.name })
      {
        collections.append(collection)
      } else {
        unusable.append(table)
      }
    }
    collections.sort {
      ($0.store != "default" ? 1 : 0, $0.scope, $0.name) < ($1.store != "default" ? 1 : 0, $1.scope, $1.name)
    }
    return (collections, unusable)
  }

  /// Returns the collection whose documents a table contains; nil for other tables.
  private static func collection(ofTable table: String) -> SourceCollection? {
    let store = String(table.dropFirst(3))
    if store == "default" { return .default }
    let parts = store.replacing("\\", with: "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.first == "", parts.dropFirst().allSatisfy(isName) else { return nil }
    switch parts.count {
    case 2: return SourceCollection(scope: "_default", name: parts[1], store: store)
    case 3: return SourceCollection(scope: parts[1], name: parts[2], store: store)
    default: return nil
    }
  }

  /// Returns whether Couchbase Lite allows a name of a scope or collection.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), first != UInt8(ascii: "%") else { return false }
    return name.utf8.count <= 251
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "%") }
  }

  /// Returns whether the uppercase letters of a table name follow backslashes, as Couchbase Lite writes them.
  private static func isEscaped(_ table: String) -> Bool {
    let plain = table.replacing("\\", with: "")
    return table == plain.map { $0.isASCII && $0.isUppercase ? "\\\($0)" : String($0) }.joined()
  }
}
