import CouchbaseLiteFile
import Foundation

/// Creates the indexes of an imported database.
struct CouchbaseLiteIndexes {
  let database: Database
  /// The collection for the indexes of all collections; nil for the collections of the imported database.
  let target: Collection?
  let existing: DatabaseImport.ExistingDocuments
  /// The definitions of the indexes that were created in ``target``, by name.
  private var created: [String: SourceIndex] = [:]

  init(database: Database, target: Collection?, existing: DatabaseImport.ExistingDocuments) {
    self.database = database
    self.target = target
    self.existing = existing
  }

  /// Creates an index, and notes what differs from the imported one.
  mutating func create(_ index: SourceIndex, _ summary: inout CouchbaseLiteImportSummary) throws {
    let source = "the index \"\(index.name)\" of \(index.collection.scope).\(index.collection.name)"
    // An index with the same definition covers the documents of both collections. It may have been renamed.
    if created.values.contains(where: { $0.name == index.name && $0.hasDefinition(of: index) }) { return }
    guard let name = index.names.first(where: { created[$0] == nil }) else {
      summary.addNote("\(source) was not created: another imported index has its name")
      return
    }
    do {
      let collection = try target ?? database.collection(for: index.collection)
      if existing != .replace, try collection.indexes().contains(name) {
        summary.addNote("\(source) was not created: \(collection.fullName) already has an index \"\(name)\"")
        return
      }
      let conversion = try CouchbaseLiteIndexConversion(index)
      try collection.createIndex(withName: name, config: conversion.configuration)
      summary.indexCount += 1
      if target != nil { created[name] = index }
      if name != index.name {
        summary.addNote("\(source) was created as \"\(name)\", because an index of another collection has its name")
      }
      for note in conversion.notes { summary.addNote("index \"\(name)\": \(note)") }
    } catch let error as CBLError where CouchbaseLiteIndexes.errors.contains(error.code) {
      summary.addNote("\(source) was not created: \(error.message)")
    }
  }

  /// The codes of errors for index definitions that this library does not support.
  private static let errors: Set = [
    CBLError.unsupported, CBLError.invalidQuery, CBLError.invalidParameter, CBLError.invalidJSON,
  ]
}

extension SourceIndex {
  /// The names that the index may get, in order of preference.
  fileprivate var names: [String] {
    [name, "\(collection.name).\(name)", "\(collection.scope).\(collection.name).\(name)"]
  }

  /// Returns whether another index of the same name has the same kind, expressions and options.
  fileprivate func hasDefinition(of other: SourceIndex) -> Bool {
    kind == other.kind && expression == other.expression && condition == other.condition
      && tokenizerOptions == other.tokenizerOptions
  }
}
