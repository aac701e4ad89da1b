import DocumentStore
import Foundation
import GRDB
import JSONText
import MapReduce
import QueryCompiler
import SQLiteAccess
import TextIndex

extension IndexCatalog.Kind {
  /// Views.
  static let view = IndexCatalog.Kind("view")
}

/// Views: tables of the rows that map functions emit. They are updated when they are queried, not when documents
/// change.
struct ViewIndexKind: IndexKind {
  let catalogName = IndexCatalog.Kind.view
  let configurations: [any StoredIndexConfiguration.Type] = [ViewConfiguration.self]

  func indexes(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredView] {
    try IndexCatalog.entries(.view, of: collection.id, db).map { entry in
      guard let configuration = try? JSONDecoder().decode(ViewConfiguration.self, from: Data(entry.definition.utf8))
      else {
        throw StoreError(
          .corrupt, "the definition of the view \"\(entry.name)\" cannot be read", recovery: .rebuildIndexes)
      }
      return StoredView(id: entry.id, name: entry.name, configuration: configuration, version: entry.version)
    }
  }

  func mayBeOutdated(version: String, definition: String) -> Bool { version != SortKeyEncoder.version }

  func isStatement(_ sql: String, ofObject name: String) -> Bool { ViewTables.isStatement(sql, ofObject: name) }
}

extension DatabaseEngine {
  /// Returns the views of a collection, by name.
  func storedViews(of collection: CollectionRecord, _ db: GRDB.Database) throws -> [StoredView] {
    try indexes(ViewIndexKind(), of: collection, db)
  }
}

/// A view in a database file.
struct StoredView: Sendable {
  let id: Int64
  let name: String
  let configuration: ViewConfiguration
  /// The version of the sort keys.
  let version: String

  var tables: ViewTables { ViewTables(id: id) }
}

extension StoredView: StoredIndex {
  var isOutdated: Bool { version != SortKeyEncoder.version }

  func add(to schema: inout CollectionSchema) {}

  func summary(_ db: GRDB.Database) throws -> IndexSummary {
    let (documents, size) = try tables.statistics(db)
    var summary = IndexSummary(
      name: name, kind: "view", documentCount: documents, size: size, isOutdated: isOutdated)
    summary.expressions = configuration.expressionTexts
    summary.where = configuration.where
    summary.key = configuration.key
    summary.value = configuration.value
    summary.reduce = configuration.reduce
    return summary
  }

  var exportedConfiguration: any StoredIndexConfiguration { configuration }

  func problem(in collection: CollectionRecord, _ db: GRDB.Database) throws -> String? {
    if isOutdated { return "was built by another version; rebuild it" }
    let verification = try ViewVerification(tables, of: collection, db)
    // Map functions in Swift are not stored in the file, so rows are not compared with their results.
    if configuration.isFunction { return try verification.problem(map: nil) }
    let definition = try configuration.definition()
    return try verification.problem(map: definition.makeMap(of: collection, db))
  }

  func makeWriter(_ context: IndexWriterContext) throws -> any StoredIndexWriter { ViewWriter() }

  func rebuild(in change: IndexChange, abandoningTable: Bool) throws {
    if abandoningTable {
      try IndexCatalog.remove(id, change.db)
      try configuration.definition().create(name, in: change)
      return
    }
    try tables.clear(change.db)
    try IndexCatalog.setVersion(id, SortKeyEncoder.version, change.db)
    try change.catalogDidChange()
  }

  func drop(_ db: GRDB.Database) throws {
    try tables.drop(db)
    try IndexCatalog.remove(id, db)
  }
}

/// Ignores changes to documents, because a view is updated when it is queried.
private struct ViewWriter: StoredIndexWriter {
  func update(_ document: SavedDocument) {}
  func remove(_ document: StoredDocument, _ parser: JSONParser) {}
}

extension ViewConfiguration: StoredIndexConfiguration {
  static let distinctiveKey = "map"
}

extension ViewDefinition: StoredIndexDefinition {
  static var unavailableOnPostgreSQL: String? { "views are" }

  func adopt(_ existing: StoredView, in change: IndexChange) throws -> Bool {
    existing.configuration == configuration && !existing.isOutdated
  }

  func create(_ name: String, in change: IndexChange) throws {
    let json = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
    let id = try IndexCatalog.add(
      .view, name, on: change.record.id, definition: json, version: SortKeyEncoder.version, change.db)
    try ViewTables(id: id).create(change.db)
    try change.catalogDidChange()
  }

  /// Returns a map function that evaluates the expressions.
  func makeMap(of collection: CollectionRecord, _ db: GRDB.Database) throws -> ViewUpdate.Map {
    let mapper = try DocumentMapper(key: key, value: value, condition: condition, of: collection, db)
    let (keyIsArray, valueIsDocument) = (keyIsArray, valueIsDocument)
    return { document, emit in
      guard let values = try mapper.values(for: document), let first = values.key[0] else { return }
      let value: ViewValue =
        valueIsDocument ? .document : values.value.map { .json(Array($0.text.utf8)) } ?? .none
      emit(ViewUpdate.Emission(keyIsArray ? .array(values.key.map { $0 ?? .null }) : first, value))
    }
  }
}
