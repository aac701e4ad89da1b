import Foundation
import JSONText
import SQLiteAccess
import Testing

@testable import DocumentStore

/// A folder that is deleted with the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A store in a temporary folder, with the default collection.
struct TemporaryStore: Sendable {
  let folder: TemporaryFolder
  let store: Store
  let collection: CollectionRecord

  var path: String { store.path }

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.path("test.concord"))
    collection = try store.write { try $0.createCollection(.default) }
  }

  @discardableResult
  func save(
    _ id: String, _ json: String, precondition: DocumentWriter.Precondition = .none
  ) throws -> DocumentWriter.Change {
    try store.write { try $0.documents(in: collection).save(id: id, body: body(json), precondition: precondition) }
  }

  func document(_ id: String) throws -> StoredDocument? {
    try store.read { try DocumentReader(collection, $0).document(id: id) }
  }

  func text(_ id: String) throws -> String? {
    try document(id).map { String(decoding: $0.body, as: UTF8.self) }
  }

  func ids(includingDeleted: Bool = false, includingExpired: Bool = false) throws -> [String] {
    try store.read { db in
      var ids: [String] = []
      let reader = DocumentReader(collection, db)
      try reader.forEach(includingDeleted: includingDeleted, includingExpired: includingExpired) {
        ids.append($0.id)
        return true
      }
      return ids
    }
  }

  func count() throws -> Int64 { try store.read { try CollectionCatalog.documentCount(collection, $0) } }
}

func body(_ json: String) throws -> DocumentBody {
  try DocumentBody(checking: Array(json.utf8), parser: JSONParser())
}

func expectStoreError(
  _ kind: StoreErrorKind, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation, performing: work)
  #expect(error?.kind == kind, sourceLocation: sourceLocation)
}
