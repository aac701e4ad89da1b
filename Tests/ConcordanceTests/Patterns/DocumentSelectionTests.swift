@testable import Concordance
import DocumentStore
import Testing

/// Documents selected by ids and by the files that they were read from.
struct DocumentSelectionTests {
  private let store: TemporaryDatabase

  init() throws {
    store = try TemporaryDatabase()
    for (path, ids) in [
      ("/home/me/docs/a.md", ["docs/a.md"]), ("/home/me/docs/in/b.md", ["docs/in/b.md"]),
      ("/home/me/docs2/c.jsonl", ["docs2/c.jsonl:1", "docs2/c.jsonl:2"]),
    ] {
      let importer = try DocumentImporter(into: store.collection)
      try importer.begin(ImportSource(path: path, size: 1, modified: 1, settings: ""))
      for id in ids { try importer.add(id: id, json: Array("{}".utf8)) }
      try importer.endSource()
      _ = try importer.finish()
    }
  }

  /// The selected ids; nil for all documents, in which case no ids are read.
  private func selected(
    ids: [String] = [], sources: [String] = [], missing: DocumentSelection.Missing? = nil
  ) throws -> [String]? {
    var request = PatternSearchRequest("x")
    (request.idPrefixes, request.sourcePaths) = (ids, sources)
    return try store.database.engine.store.read { db in
      var found = DocumentSelection.Missing()
      let reader = DocumentReader(store.collection.record, db)
      let selection = try DocumentSelection(request, isIncluded: nil, reader, missing: &found)
      #expect(found.idPrefixes == missing?.idPrefixes ?? [] && found.sourcePaths == missing?.sourcePaths ?? [])
      guard case .rows(let rows) = selection else { return nil }
      return try rows.compactMap { try reader.document(rowID: $0)?.id }
    }
  }

  @Test func sourcePathsAreFilesAndFolders() throws {
    #expect(try selected(sources: ["/home/me/docs"]) == ["docs/a.md", "docs/in/b.md"])
    #expect(try selected(sources: ["/home/me/docs/in/"]) == ["docs/in/b.md"])
    #expect(try selected(sources: ["/home/me/docs2/c.jsonl"]) == ["docs2/c.jsonl:1", "docs2/c.jsonl:2"])
    #expect(try selected(ids: ["docs/a.md"], sources: ["/home/me/docs"]) == ["docs/a.md", "docs/in/b.md"])
    #expect(try selected(ids: ["docs"], sources: ["/home/me/docs2"])?.count == 4)
  }

  @Test func sourcePathsWithoutDocumentsAreMissing() throws {
    for path in ["/home/me/doc", "/home/me/docs/a", "/nosuch", ""] where !path.isEmpty {
      #expect(try selected(sources: [path], missing: .init(sourcePaths: [path])) == [])
    }
  }

  @Test func selectionOfEverythingReadsNoIDs() throws {
    for path in ["/home/me", "/home", "/"] { #expect(try selected(sources: [path]) == nil) }
    #expect(try selected(ids: ["docs"])?.count == 2)
    try store.save("other", "{}")
    #expect(try selected(sources: ["/home/me"])?.count == 4)
    #expect(try selected() == nil)
  }

  @Test func idPrefixOfEverythingReadsNoIDs() throws {
    let other = try TemporaryDatabase()
    for id in ["docs/a.md", "docs/z"] { try other.save(id, "{}") }
    func isEverything(_ prefix: String) throws -> Bool {
      var request = PatternSearchRequest("x")
      request.idPrefixes = [prefix]
      return try other.database.engine.store.read { db in
        var missing = DocumentSelection.Missing()
        let selection = try DocumentSelection(
          request, isIncluded: nil, DocumentReader(other.collection.record, db), missing: &missing)
        return selection.count == nil
      }
    }
    #expect(try isEverything("docs"))
    #expect(try isEverything("docs/"))
    #expect(try !isEverything("docs/a"))
    #expect(try !isEverything("doc"))
    // `docs2` is between `docs/…` and `docs:…`.
    for id in ["docs2", "docs:1"] { try other.save(id, "{}") }
    #expect(try !isEverything("docs"))
  }
}
