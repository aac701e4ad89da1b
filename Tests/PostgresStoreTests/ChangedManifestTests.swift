import Concordance
import Foundation
import PostgresAccess
import TestSupport
import Testing

/// Another program updates the tables of an open database, or deletes them and creates others.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct ChangedManifestTests {
  /// Returns the errors of a read and of a write.
  private static func errors(_ collection: Collection) -> [CBLError?] {
    [
      #expect(throws: CBLError.self) { _ = try collection.document(id: "a") },
      #expect(throws: CBLError.self) { try collection.save(document: MutableDocument(id: "b", data: ["n": 2])) },
    ]
  }

  @Test func anOpenDatabaseNoticesANewerVersionAndOtherShards() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
    let admin = try PostgresConnection(url)
    try admin.execute("UPDATE concordance.cx_manifest SET version = version + 1")
    for error in ChangedManifestTests.errors(collection) {
      #expect(error?.code == CBLError.databaseTooNew)
      #expect(error?.message.contains("written by a newer version") == true, "\(error?.message ?? "")")
    }
    try admin.execute("UPDATE concordance.cx_manifest SET version = version - 1, shards = 4")
    for error in ChangedManifestTests.errors(collection) {
      #expect(error?.message.contains("created again since it was opened") == true)
    }
    try admin.execute("UPDATE concordance.cx_manifest SET shards = 2")
    #expect(try collection.document(id: "a")?.int(forKey: "n") == 1)
    #expect(collection.count == 1)
  }
}
