import DocumentStore
import Foundation
import PostgresAccess
import SQLiteAccess
import TestSupport
import Testing

@testable import Concordance
@testable import PostgresStore

/// Documents of many sizes: a result contains at most a few megabytes.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct LargeDocumentTests {
  private static let largeSize = 200_000

  private static func fill(_ database: Database) throws {
    let collection = try database.defaultCollection()
    try database.inBatch {
      for number in 0..<1_200 {
        // The scan has reached its largest batches when the large documents follow.
        let length = number < 1_180 ? number % 10 : number % 5 == 4 ? 70_000 : LargeDocumentTests.largeSize
        try collection.save(
          document: MutableDocument(
            id: "doc\(number)", data: ["number": number, "text": String(repeating: "x", count: length)]))
      }
    }
  }

  @Test func resultsAreSmallAlsoIfLargeDocumentsFollowSmallOnes() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try LargeDocumentTests.fill(database)
    let session = ConnectionSession(try #require(database.engine.store.remote as? PostgresStorage))
    try session.beginReading()
    defer { session.end() }
    let shape = TableShape.documents(table: "documents", collection: 1, isOnCitus: false)
    let large = shape.columns.firstIndex { $0.largestJoined != nil }
    let body = try #require(large)
    var sizes: [Int] = []
    let rows = try RemoteRows.open(
      session, shape,
      ("SELECT row, \(shape.columns[body].selected) FROM cx_doc WHERE collection = 1 ORDER BY row", [], [body]),
      on: session.nodes.shardNodes, order: []
    ) { batch in
      sizes.append((0..<batch.count).reduce(0) { $0 + batch.bytes($1, 1).count })
    }
    var count = 0
    while !rows.isAtEnd {
      count += 1
      try rows.advance()
    }
    #expect(count == 1_200)
    // Four documents of 70 kB, but no large ones.
    #expect(sizes.max().map { $0 > 280_000 && $0 < 400_000 } == true, "\(sizes)")

    let table = DocumentTable(session, table: "documents", collection: 1)
    try table.willSave(["doc1190", "doc1191", "doc3"])
    for (id, isLarge) in [("doc1190", true), ("doc3", false)] {
      let number = try #require(try table.row(ofID: id))
      guard case .fetched(let result, let index)? = session.documents.row(number, of: 1)?.value else {
        Issue.record("\(id) was not read")
        continue
      }
      #expect(result.bytes(index, body + 1).isEmpty == isLarge, "\(id)")
    }
  }

  @Test(arguments: [1, 2, PairOfDatabases.citus]) func largeDocumentsAreThoseOfAFile(nodes: Int) throws {
    let stores = try PairOfDatabases(shards: nodes == 1 ? 1 : 4, nodes: nodes)
    _ = try stores.both { database in
      try database.defaultCollection().createIndex(withName: "numbers", config: ValueIndexConfiguration(["number"]))
      try LargeDocumentTests.fill(database)
    }
    try stores.compare("a scan")
    for condition in ["number > 1100", "meta().id IN ['doc1190', 'doc1191', 'doc3']", "meta().id = 'doc1190'"] {
      let rows = try stores.both {
        try $0.createQuery("SELECT meta().id, text FROM _ WHERE \(condition) ORDER BY meta().id").execute()
          .map { $0.toJSON() }
      }
      #expect(rows.0 == rows.1, "\(condition)")
    }
    // Large documents are replaced by equal, changed and small ones, and change their expiration, which keeps the body.
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      let importer = try DocumentImporter(into: collection)
      for number in 1_188..<1_192 {
        let text = String(repeating: number % 2 == 0 ? "x" : "y", count: LargeDocumentTests.largeSize)
        try importer.add(id: "doc\(number)", json: Array("{\"number\":\(number),\"text\":\"\(text)\"}".utf8))
      }
      _ = try importer.finish()
      try collection.save(document: MutableDocument(id: "doc1192", data: ["number": 1]))
      try collection.purge(id: "doc1193")
      try collection.setDocumentExpiration(id: "doc1196", expiration: Date(timeIntervalSince1970: 4_000_000_000))
      try collection.delete(document: #require(try collection.document(id: "doc1195")))
    }
    try stores.compare("after changes")
    #expect(try stores.remote.verify().isEmpty)
  }

  /// Large keys of value indexes are read one by one, also if rows of several servers are merged in their order.
  @Test(arguments: [1, 2, PairOfDatabases.citus]) func largeKeysAreThoseOfAFile(nodes: Int) throws {
    let stores = try PairOfDatabases(shards: nodes == 1 ? 1 : 4, nodes: nodes)
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      try collection.createIndex(withName: "texts", config: ValueIndexConfiguration(["text", "number"]))
      try database.inBatch {
        for number in 0..<200 {
          let text = String(repeating: "x", count: number % 9 == 0 ? 20_000 : 10) + "\(number % 7)"
          try collection.save(document: MutableDocument(id: "doc\(number)", data: ["text": text, "number": number]))
        }
      }
    }
    for order in ["text, number", "text DESC, number DESC"] {
      let query = "SELECT meta().id, text FROM _ WHERE text >= 'x' ORDER BY \(order)"
      let rows = try stores.both { try $0.createQuery(query).execute().map { $0.toJSON() } }
      #expect(rows.0.count == 200)
      #expect(rows.0 == rows.1, "\(order)")
    }
  }

  /// A scan of a batch reads the bodies of large documents later than their rows.
  @Test func aScanOmitsLargeDocumentsThatItHasDeleted() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try database.inBatch {
      for number in 0..<6 {
        let text = String(repeating: "x", count: LargeDocumentTests.largeSize)
        try collection.save(document: MutableDocument(id: "doc\(number)", data: ["text": text]))
      }
    }
    var found: [String] = []
    try database.inBatch {
      try collection.forEachDocument { document in
        found.append(document.id)
        if document.id == "doc1" { try collection.purge(id: "doc3") }
        if document.id == "doc2" { try collection.delete(document: #require(try collection.document(id: "doc4"))) }
        return true
      }
    }
    #expect(found == ["doc0", "doc1", "doc2", "doc5"])
  }
}
