import GRDB
import QueryModel
import Testing

@testable import TextIndex

/// Random transactions with insertions, replacements, removals, savepoints and rollbacks, whose changes are written as
/// segments or through FTS5, compared with a scan of the documents.
@Suite struct TransactionChangesTests {
  private struct Stop: Error {}

  private static let words = (0..<30).map { "w\($0)" }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func answersAgreeWithAScan(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["a", "b"])
    try index.command("pgsz", [64, 300, 4050].randomElement(using: &random) ?? 64)
    for _ in 0..<30 {
      let before = index.documents
      let isRolledBack = Int.random(in: 0..<5, using: &random) == 0
      do {
        try index.queue.write { db in
          let writer = try FullTextWriter(
            index.index, smallestSegment: [0, 1000, Int.max].randomElement(using: &random) ?? 0,
            memory: [1, 200_000].randomElement(using: &random) ?? 1, db)
          defer { writer.discard() }
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            try change(index, writer, &random)
            if Bool.random(using: &random) { try checkSearches(index, writer, db, &random) }
            try savepoint(index, writer, db, &random)
          }
          try writer.flush(syncing: false)
          if isRolledBack { throw Stop() }
        }
      } catch is Stop {
        index.documents = before
      }
    }
    try index.queue.read { db in
      for word in TransactionChangesTests.words { try check(word, index, db) }
    }
    #expect(try index.problem() == nil)
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try index.problem() == nil)
  }

  /// Changes documents inside a savepoint, which is rolled back in half of the cases.
  private func savepoint(
    _ index: TestIndex, _ writer: FullTextWriter, _ db: Database, _ random: inout SeededGenerator
  ) throws {
    let before = index.documents
    try writer.flush(syncing: false)
    try db.execute(sql: "SAVEPOINT inner_batch")
    try change(index, writer, &random)
    if Bool.random(using: &random) { try checkSearches(index, writer, db, &random) }
    if Bool.random(using: &random) {
      writer.discard()
      try db.execute(sql: "ROLLBACK TO inner_batch")
      index.documents = before
    } else {
      try writer.flush(syncing: false)
    }
    try db.execute(sql: "RELEASE inner_batch")
  }

  private func change(_ index: TestIndex, _ writer: FullTextWriter, _ random: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      let row = Int64.random(in: 1...80, using: &random)
      if let known = index.documents.removeValue(forKey: row) {
        try writer.remove(index.terms(known), rowID: row)
        if Bool.random(using: &random) { continue }
      }
      let json = document(&random)
      try writer.insert(index.terms(json), rowID: row)
      index.documents[row] = json
    }
  }

  private func checkSearches(
    _ index: TestIndex, _ writer: FullTextWriter, _ db: Database, _ random: inout SeededGenerator
  ) throws {
    try writer.flush(syncing: true)
    for word in TransactionChangesTests.words.shuffled(using: &random).prefix(3) { try check(word, index, db) }
  }

  private func check(_ word: String, _ index: TestIndex, _ db: Database) throws {
    let query = try FullTextQuery(MatchParser().parse(word), in: index.index)
    let expected = index.documents.filter { $0.value.contains("\(word) ") }.keys.sorted()
    #expect(try query.ranked(db, limit: 1000).map(\.rowID).sorted() == expected)
    #expect(try FTS5FallbackSearch(query).all(db, nil).rows == expected)
  }

  /// Returns a document whose words are each followed by a space.
  private func document(_ random: inout SeededGenerator) -> String {
    let texts = [0..<12, 0..<40].map { range in
      (0..<Int.random(in: range, using: &random)).map { _ in
        "\(TransactionChangesTests.words.randomElement(using: &random) ?? "") "
      }.joined()
    }
    return "{\"a\":\"\(texts[0])\",\"b\":\"\(texts[1])\"}"
  }
}
