import Concordance
import Foundation
import PostgresAccess
import TestSupport
import Testing

/// Files as sources of documents, and blobs, in a file and on PostgreSQL.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct SourceDifferenceTests {
  private static func importFiles(_ files: [(path: String, ids: [String])], _ database: Database) throws -> String {
    let importer = try DocumentImporter(into: database.defaultCollection())
    for (path, ids) in files {
      try importer.begin(ImportSource(path: path, size: Int64(ids.count), modified: 1_000, settings: "s"))
      for id in ids { try importer.add(id: id, json: Array("{\"path\":\"\(path)\"}".utf8)) }
      try importer.endSource()
    }
    let summary = try importer.finish()
    return "\(summary.savedCount) \(summary.removedCount) \(summary.refusedCount) \(summary.reopenedSourceCount)"
  }

  @Test(arguments: [1, PairOfDatabases.citus]) func sourcesAreReplacedAndRemoved(nodes: Int) throws {
    let stores = try PairOfDatabases(shards: 4, nodes: nodes)
    let steps: [[(path: String, ids: [String])]] = [
      [("/a", ["1", "2", "3"]), ("/b", ["4", "3"]), ("/c", [])],
      [("/a", ["1", "5"])],
      [("/b", ["3", "4"]), ("/d/e", ["6"])],
    ]
    for (number, files) in steps.enumerated() {
      let outcomes = stores.both { database in
        Outcome { try SourceDifferenceTests.importFiles(files, database) }
      }
      #expect(outcomes.0 == outcomes.1, "step \(number)")
      try stores.compare("step \(number)")
    }
    let removed = try stores.both { database in
      let importer = try DocumentImporter(into: database.defaultCollection())
      try importer.remove(sourcePath: "/a")
      return try importer.finish().removedCount
    }
    #expect(removed.0 == removed.1)
    let sources = try stores.both { database in
      let collection = try database.defaultCollection()
      return try "\(collection.importedSources().map(\.path)) \(collection.documentIDs(ofSource: "/b")) "
        + "\(collection.hasImportedSources(below: "/d")) \(collection.importedSources(ofDocuments: ["6"]).count)"
    }
    #expect(sources.0 == sources.1)
    try stores.compare("end")
  }

  @Test func blobsAreStoredAndCollected() throws {
    let stores = try PairOfDatabases(shards: 1)
    let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 31) })
    let outcomes = stores.both { database in
      Outcome {
        let collection = try database.defaultCollection()
        let document = MutableDocument(id: "picture")
        document.setBlob(Blob(contentType: "image/png", data: content), forKey: "image")
        try collection.save(document: document)
        let read = try collection.document(id: "picture")?.blob(forKey: "image")
        guard read?.content == content else { return "different" }
        try collection.purge(id: "picture")
        return "\(read?.length ?? 0)"
      }
    }
    #expect(outcomes.0 == outcomes.1)
    #expect(outcomes.1 == .value("600000"))
    try stores.remote.performMaintenance(type: .compact)
    let chunks = try PostgresConnection(stores.url).run("SELECT count(*) FROM concordance.cx_blob_chunk")
    #expect(chunks.int64(0, 0) == 0)
    try stores.remote.performMaintenance(type: .reindex)
    try stores.remote.performMaintenance(type: .fullOptimize)
    try stores.compare("end")
  }
}
