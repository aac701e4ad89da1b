import Concordance
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DocumentsOnPostgreSQLTests {
  @Test func aSavedDocumentIsRead() throws {
    let url = try TemporaryCluster.makeDatabase()
    #expect(try Database.initialize(url: url, shards: 4))
    #expect(try !Database.initialize(url: url, shards: 4))
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    let document = MutableDocument(id: "a", data: ["title": "é", "n": 1])
    try collection.save(document: document)
    #expect(try collection.document(id: "a")?.string(forKey: "title") == "é")
    #expect(collection.count == 1)
    try database.close()
    let again = try Database(url: url)
    #expect(try again.defaultCollection().document(id: "a")?.int(forKey: "n") == 1)
  }
}
