import Concordance
import Foundation
import TestSupport
import Testing

/// Searches of the same documents in a file and on PostgreSQL, which must give the same hits and scores.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct FullTextDifferenceTests {
  private static let queries = [
    "harbour", "harbour boats", "\"old harbour\"", "boat -harbour", "title:harbour", "harb*", "harbor~",
    "lantern OR rope",
    "\"old harbour\" OR lantern", "nothing", "runing boats",
  ]
  private static let words = [
    "harbour", "harbour", "boat", "boats", "old", "old", "lantern", "rope", "running", "tide", "fog", "anchor",
  ]

  private static func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  private static func document(_ id: String, _ random: inout SeededGenerator) throws -> MutableDocument {
    let document = MutableDocument(id: id)
    // Documents without terms are also in the index.
    if Int.random(in: 0..<8, using: &random) > 0 {
      document.setString(text(3, &random), forKey: "title")
      document.setString(text(Int.random(in: 0...30, using: &random), &random), forKey: "body")
    }
    document.setInt(Int.random(in: 0...9, using: &random), forKey: "number")
    return document
  }

  private static func hits(_ database: Database) throws -> [String] {
    let collection = try database.defaultCollection()
    return try queries.flatMap { text in
      var request = SearchRequest(text)
      request.limit = 1000
      let results = try collection.search(request)
      return ["\(text): \(results.total)"] + results.hits.map { "\($0.id) \($0.score) \($0.snippets.map(\.text))" }
    }
  }

  @Test(arguments: [(1, 1), (8, 1), (8, 3), (8, PairOfDatabases.citus), (1, PairOfDatabases.citus)])
  func searchesGiveTheSameHits(shards: Int, nodes: Int) throws {
    let stores = try PairOfDatabases(shards: shards, nodes: nodes)
    var random = SeededGenerator(seed: UInt64(shards))
    for database in [stores.file, stores.remote] {
      random = SeededGenerator(seed: UInt64(shards))
      let collection = try database.defaultCollection()
      for number in 0..<60 { try collection.save(document: Self.document("doc\(number)", &random)) }
      try collection.createIndex(
        withName: "search", config: FullTextIndexConfiguration(["title", "body"], language: "en"))
    }
    for round in 0..<3 {
      for database in [stores.file, stores.remote] {
        random = SeededGenerator(seed: UInt64(round + 100))
        let collection = try database.defaultCollection()
        try database.inBatch {
          for _ in 0..<20 {
            let id = "doc\(Int.random(in: 0..<90, using: &random))"
            if Int.random(in: 0..<4, using: &random) == 0, let old = try collection.document(id: id) {
              try collection.delete(document: old)
            } else {
              try collection.save(document: Self.document(id, &random))
            }
          }
        }
      }
      let hits = try stores.both { try FullTextDifferenceTests.hits($0) }
      // With several shards, hits with equal scores may be in another order.
      for (expected, found) in shards == 1 ? [hits] : [(hits.0.sorted(), hits.1.sorted())] {
        #expect(expected.count == found.count)
        for (one, other) in zip(expected, found) where one != other { #expect(other == one) }
      }
      let query = "SELECT meta().id FROM _ WHERE MATCH(search, 'harbour') AND number > 4 ORDER BY meta().id"
      let rows = try stores.both { try $0.createQuery(query).execute().map { $0.toJSON() } }
      #expect(rows.0 == rows.1)
    }
    let problems = try stores.remote.verify().filter { $0.location.hasPrefix("index") }
    #expect(problems == [])
  }

  /// A batch that fails leaves nothing in the index, and a search in the batch sees its changes.
  @Test func searchesSeeTheChangesOfTheirTransaction() throws {
    struct Failure: Error {}
    let stores = try PairOfDatabases(shards: 1)
    let collection = try stores.remote.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try collection.save(document: MutableDocument(id: "a", data: ["text": "old harbour"]))
    #expect(throws: (any Error).self) {
      try stores.remote.inBatch {
        try collection.save(document: MutableDocument(id: "b", data: ["text": "new harbour"]))
        try collection.save(document: MutableDocument(id: "a", data: ["text": "lantern"]))
        #expect(try collection.search("harbour").hits.map(\.id) == ["b"])
        throw Failure()
      }
    }
    #expect(try collection.search("harbour").hits.map(\.id) == ["a"])
    #expect(try collection.search("lantern").hits.isEmpty)
    let other = try Database(url: stores.url)
    #expect(try other.defaultCollection().search("harbour").hits.map(\.id) == ["a"])
    try collection.save(document: MutableDocument(id: "c", data: ["text": "harbour harbour"]))
    #expect(try other.defaultCollection().search("harbour").hits.map(\.id) == ["c", "a"])
    try other.close()
    try collection.deleteIndex(forName: "search")
    #expect(throws: (any Error).self) { try collection.search("harbour") }
  }
  /// A batch whose first part becomes a segment and whose second part fails.
  @Test func thePartOfABatchThatFailsIsNotIndexed() throws {
    struct Failure: Error {}
    let stores = try PairOfDatabases(shards: 1)
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
      func save(_ numbers: Range<Int>, _ version: String) throws {
        for number in numbers {
          // The terms of 2,000 documents take more than the 1 MiB from which on a segment is begun.
          let words = (0..<100).map { "word\(number % 50)x\($0)" }.joined(separator: " ")
          let text = "\(version) unique\(number) \(words)"
          try collection.save(document: MutableDocument(id: "doc\(number)", data: ["text": text]))
        }
      }
      try database.inBatch {
        try save(0..<2_000, "first")
        #expect(throws: CBLError.self) {
          try database.inBatch {
            try save(500..<600, "second")
            throw Failure()
          }
        }
        try save(1_990..<2_010, "third")
      }
    }
    for text in ["first", "second", "third", "unique550", "unique1995", "word7x3 third"] {
      let ids = try stores.both { database in
        var request = SearchRequest(text)
        request.limit = 3_000
        return try database.defaultCollection().search(request).hits.map(\.id).sorted()
      }
      #expect(ids.0 == ids.1, "\(text)")
      #expect(ids.1.isEmpty == (text == "second"), "\(text)")
    }
    #expect(try stores.remote.verify().isEmpty)
  }
}
