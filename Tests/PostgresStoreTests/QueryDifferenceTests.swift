import Concordance
import Foundation
import TestSupport
import Testing

/// Queries of the same documents in a file and on PostgreSQL, which must give the same rows in the same order.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct QueryDifferenceTests {
  static let queries = [
    "SELECT count(*) FROM _",
    "SELECT meta().id, meta().sequence FROM _ WHERE number = 7 ORDER BY meta().id",
    "SELECT meta().id FROM _ WHERE meta().id = 'doc17'",
    "SELECT meta().id, title FROM _ WHERE meta().id IN ['doc3', 'doc900', 'doc44', 'missing'] ORDER BY meta().id",
    "SELECT number, count(*) AS n, avg(price) AS p FROM _ GROUP BY number ORDER BY number",
    "SELECT DISTINCT kind FROM _ ORDER BY kind",
    "SELECT * FROM _ WHERE price > 50.5 AND kind LIKE 'k1%' ORDER BY price DESC, meta().id LIMIT 5 OFFSET 2",
    "SELECT meta().id FROM _ WHERE ANY t IN tags SATISFIES t = 'tag3' END ORDER BY meta().id LIMIT 20",
    "SELECT a.number, b.title FROM _ AS a JOIN _ AS b ON b.number = a.number WHERE a.kind = 'k11' ORDER BY a.number, b.title LIMIT 10",
    "SELECT u AS tag, count(*) AS n FROM _ UNNEST tags AS u GROUP BY u ORDER BY u",
    "SELECT max(meta().sequence), min(number) FROM _",
    "SELECT meta().id FROM _ WHERE meta().sequence BETWEEN 10 AND 15 ORDER BY meta().sequence",
    "SELECT title FROM _ WHERE title IS NOT MISSING AND regexp_like(title, '^Document 1[0-9]$') ORDER BY title",
    "SELECT meta().id FROM other ORDER BY meta().id DESC LIMIT 3",
    "SELECT o.n, d.title FROM other AS o LEFT JOIN _ AS d ON meta(d).id = o.ref ORDER BY o.n LIMIT 12",
    "SELECT nonsense(1) FROM _",
  ]

  @Test func queriesGiveTheSameRows() throws {
    let stores = try PairOfDatabases(shards: 1)
    _ = try stores.both { try Corpus.fill($0, count: 1_000) }
    for text in QueryDifferenceTests.queries {
      let outcomes = stores.both { database in
        Outcome { try database.createQuery(text).execute().map { $0.toJSON() }.joined(separator: "\n") }
      }
      #expect(outcomes.0 == outcomes.1, "\(text)")
    }
  }

  @Test(arguments: [1, 3, PairOfDatabases.citus]) func queriesOfSeveralShardsGiveTheSameRows(nodes: Int) throws {
    let stores = try PairOfDatabases(shards: 8, nodes: nodes)
    _ = try stores.both { try Corpus.fill($0, count: 300) }
    for text in QueryDifferenceTests.queries where text.contains("ORDER BY") {
      let outcomes = stores.both { database in
        Outcome { try database.createQuery(text).execute().map { $0.toJSON() }.joined(separator: "\n") }
      }
      #expect(outcomes.0 == outcomes.1, "\(text)")
    }
  }

  @Test(arguments: [(1, 1), (8, 1), (8, 3), (8, PairOfDatabases.citus)])
  func valueIndexesGiveTheSameRows(shards: Int, nodes: Int) throws {
    let stores = try PairOfDatabases(shards: shards, nodes: nodes)
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      // One index before the documents are saved, the others after.
      try collection.createIndex(withName: "numbers", config: ValueIndexConfiguration(["number", "price"]))
      try Corpus.fill(database, count: 400)
      try collection.createIndex(withName: "kinds", config: ValueIndexConfiguration(["kind"], where: "price > 20"))
      try collection.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
      try collection.createIndex(withName: "mixed", config: ValueIndexConfiguration(["mixed"]))
      let values: [any Sendable] = [
        1, 1.0, -1, 0.5, Int64.max, Int64.max - 1, -0.0, 1e300, "a", "A", "é", String(repeating: "long", count: 2000),
        String(repeating: "long", count: 2000) + "er", "", true,
      ]
      for (number, value) in values.enumerated() {
        try collection.save(document: MutableDocument(id: "mixed\(number)", data: ["mixed": value]))
      }
      for number in stride(from: 0, to: 400, by: 3) {
        guard let document = try collection.document(id: "doc\(number)")?.toMutable() else { continue }
        document.setInt(number % 5, forKey: "number")
        try collection.save(document: document)
      }
      try collection.delete(document: #require(try collection.document(id: "doc8")))
      try collection.purge(id: "doc9")
    }
    let queries = [
      "SELECT meta().id FROM _ WHERE number = 3 ORDER BY meta().id",
      "SELECT meta().id, price FROM _ WHERE number = 2 AND price > 40 ORDER BY price, meta().id",
      "SELECT meta().id FROM _ WHERE number BETWEEN 2 AND 4 ORDER BY number DESC, price, meta().id LIMIT 30",
      "SELECT max(number), min(number) FROM _", "SELECT count(*) FROM _ WHERE kind = 'k3' AND price > 20",
      "SELECT meta().id FROM _ WHERE ANY t IN tags SATISFIES t = 'tag4' END ORDER BY meta().id",
      "SELECT meta().id, mixed FROM _ WHERE mixed > 0 ORDER BY mixed, meta().id",
      "SELECT meta().id FROM _ WHERE mixed = 1 ORDER BY meta().id",
      "SELECT meta().id FROM _ WHERE mixed >= 'a' ORDER BY mixed, meta().id",
      "SELECT meta().id FROM _ WHERE mixed IS NOT MISSING ORDER BY mixed DESC, meta().id",
      "SELECT meta().id FROM _ WHERE number IN [1, 30, 4] ORDER BY meta().id",
    ]
    for text in queries {
      let outcomes = stores.both { database in
        Outcome { try database.createQuery(text).execute().map { $0.toJSON() }.joined(separator: "\n") }
      }
      #expect(outcomes.0 == outcomes.1, "\(text)")
      // The part about SQLite names virtual tables, whose order it may use instead of sorting.
      let plans = try stores.both { database in
        try database.createQuery(text).explain().components(separatedBy: "\nSQLite\n")[0]
          .components(separatedBy: "\n").filter { !$0.hasPrefix("rows are sorted") }
      }
      #expect(plans.0 == plans.1, "\(text)")
    }
  }

  /// Updates move rows in the tables of the server, but not in the order of results.
  @Test func rowsWithEqualValuesHaveTheOrderOfAFile() throws {
    let stores = try PairOfDatabases(shards: 1)
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      try collection.createIndex(withName: "numbers", config: ValueIndexConfiguration(["number", "price"]))
      try collection.createIndex(withName: "kinds", config: ValueIndexConfiguration(["kind"]))
      try collection.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
      try Corpus.fill(database, count: 400)
      for number in stride(from: 399, to: 0, by: -3) {
        guard let document = try collection.document(id: "doc\(number)")?.toMutable() else { continue }
        document.setInt(number % 5, forKey: "number")
        document.setString("k\(number % 4)", forKey: "kind")
        try collection.save(document: document)
      }
    }
    let conditions = [
      "kind = 'k3'", "kind > 'k1'", "kind > 'k1' ORDER BY kind", "kind > 'k1' ORDER BY kind DESC", "number = 3",
      "number = 3 AND price > 30", "number > 2 LIMIT 50", "number BETWEEN 1 AND 3 ORDER BY number DESC LIMIT 50",
      "ANY t IN tags SATISFIES t = 'tag3' END",
    ]
    for condition in conditions {
      let rows = try stores.both { database in
        try database.createQuery("SELECT meta().id FROM _ WHERE \(condition)").execute().map { $0.toJSON() }
      }
      #expect(rows.0 == rows.1, "\(condition)")
    }
  }

  @Test(arguments: [(false, 1), (true, 1), (true, 3), (true, PairOfDatabases.citus)])
  func linesWithAPatternAreTheSame(hasIndex: Bool, nodes: Int) throws {
    let stores = try PairOfDatabases(shards: nodes == 1 ? 1 : 4, nodes: nodes)
    _ = try stores.both { database in
      let collection = try database.defaultCollection()
      try Corpus.fill(database, count: 500)
      guard hasIndex else { return }
      try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["*"]))
      // More documents than those of a segment, single ones, and changed ones.
      for number in 0..<20 {
        try collection.save(document: MutableDocument(id: "doc\(number)", data: ["title": "Document 1\(number) again"]))
      }
      try collection.purge(id: "doc100")
    }
    #expect(try stores.remote.verify().isEmpty)
    for pattern in ["ment 1.", "(?i)DOCUMENT [0-9]+0$", "nothing"] {
      let found = try stores.both { database in
        var lines: [String] = []
        try database.defaultCollection().searchLines(PatternSearchRequest(pattern)) { document -> String? in
          var found = 0
          try document.forEachLine { line in
            if try !document.matches(in: line).isEmpty { found += 1 }
            return true
          }
          return found > 0 ? "\(document.id) \(found)" : nil
        } deliver: {
          lines.append($0)
          return true
        }
        // Documents are in the order of their rows, which depends on the shards.
        return nodes == 1 ? lines : lines.sorted()
      }
      #expect(found.0 == found.1, "\(pattern)")
    }
  }

  /// PostgreSQL refuses text with U+0000. In a batch, its error would fail the whole transaction.
  @Test func conditionsWithU0000GiveTheSameRows() throws {
    let stores = try PairOfDatabases(shards: 1)
    _ = try stores.both { database in
      try Corpus.fill(database, count: 50)
      try database.defaultCollection().createIndex(withName: "kinds", config: ValueIndexConfiguration(["kind"]))
    }
    let conditions = [
      "meta().id = 'doc17\u{0}'", "meta().id IN ['doc17\u{0}']", "meta().id IN ['doc17\u{0}', 'doc3']",
      "meta().id > 'doc17\u{0}'", "meta().id <= 'doc17\u{0}'", "meta().id BETWEEN 'doc17\u{0}' AND 'doc19\u{0}'",
      "meta().id LIKE 'doc17\u{0}%'", "kind = 'k1\u{0}'", "kind IN ['k1\u{0}', 'k2']", "kind > 'k1\u{0}'",
    ]
    let rows = try stores.both { database in
      try database.inBatch {
        let rows = try conditions.map { condition in
          try database.createQuery("SELECT meta().id FROM _ WHERE \(condition) ORDER BY meta().id").execute()
            .map { $0.toJSON() }.joined(separator: "\n")
        }
        try database.defaultCollection().save(document: MutableDocument(id: "new", data: ["kind": "k1"]))
        return rows
      }
    }
    for (number, condition) in conditions.enumerated() { #expect(rows.0[number] == rows.1[number], "\(condition)") }
    #expect(rows.1[0].isEmpty && !rows.1[2].isEmpty && !rows.1[3].isEmpty)
    #expect(try stores.remote.defaultCollection().document(id: "new") != nil)
  }

  @Test func anExportCanBeImported() throws {
    let stores = try PairOfDatabases(shards: 4)
    _ = try stores.both { try Corpus.fill($0, count: 200) }
    func lines(_ database: Database) throws -> [String] {
      var lines: [String] = []
      _ = try database.exportLines { lines.append(String(decoding: $0, as: UTF8.self)) }
      return lines.flatMap { $0.split(separator: "\n").map(String.init) }.sorted()
    }
    #expect(try lines(stores.file) == lines(stores.remote))
  }
}

/// Documents for queries.
enum Corpus {
  static func fill(_ database: Database, count: Int) throws {
    let importer = try DocumentImporter(into: database.defaultCollection())
    for number in 0..<count {
      let title = number % 10 == 9 ? "" : "\"title\":\"Document \(number)\","
      let text =
        "{\(title)\"number\":\(number % 37),\"kind\":\"k\(number % 13)\",\"price\":\(Double(number * 7 % 101) + 0.25),"
        + "\"tags\":[\"tag\(number % 5)\",\"tag\(number % 7)\"]}"
      try importer.add(id: "doc\(number)", json: Array(text.utf8))
    }
    _ = try importer.finish()
    let other = try database.createCollection(name: "other")
    try database.inBatch {
      for number in 0..<20 {
        try other.save(document: MutableDocument(id: "o\(number)", data: ["n": number, "ref": "doc\(number * 3)"]))
      }
      try other.delete(document: #require(try other.document(id: "o5")))
    }
  }
}
