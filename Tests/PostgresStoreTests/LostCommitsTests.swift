import Concordance
import Foundation
import PostgresAccess
import TestSupport
import Testing

/// A standby that lacks the last commits becomes the server, which later commits then change.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct LostCommitsTests {
  /// Adds a segment with 400 documents.
  private static func importDocuments(with word: String, into database: Database) throws {
    let importer = try DocumentImporter(into: database.defaultCollection())
    let padding = String(repeating: "padding ", count: 30)
    for number in 0..<400 {
      try importer.add(id: "\(word)\(number)", json: Array("{\"text\":\"\(word) \(padding)\"}".utf8))
    }
    _ = try importer.finish()
  }

  @Test func segmentsOfLostCommitsAreForgotten() throws {
    let url = try TemporaryCluster.makeDatabase()
    let path = try #require(URLComponents(string: url)?.path)
    let name = String(path.dropFirst())
    let admin = try PostgresConnection(url.replacing("\(path)?", with: "/postgres?"))
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try LostCommitsTests.importDocuments(with: "apple", into: database)
    // A database with connections cannot be copied.
    _ = try admin.run(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1", [.text(name)])
    try admin.execute("CREATE DATABASE \(name)_standby TEMPLATE \(name)")
    for word in ["harbour", "violin", "zeppelin"] {
      try LostCommitsTests.importDocuments(with: word, into: database)
    }
    #expect(try collection.search("harbour").total == .exact(400))
    try admin.execute("DROP DATABASE \(name) WITH (FORCE)")
    try admin.execute("ALTER DATABASE \(name)_standby RENAME TO \(name)")
    // The segment of these documents has the number that one of the lost segments had.
    try LostCommitsTests.importDocuments(with: "quartz", into: Database(url: url))
    let found = try collection.search("quartz")
    #expect(found.total == .exact(400))
    #expect(found.hits.count == 10 && found.hits.allSatisfy { $0.id.hasPrefix("quartz") })
    #expect(collection.count == 800)
  }
}
