import Foundation
import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Verification of damaged tables reports a problem or none, but never crashes.
@Suite struct SegmentVerificationTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomDamageDoesNotCrash(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let index = try TestIndex(["f0", "f1"], AnalyzerConfiguration(language: "en"))
    try index.command("pgsz", [32, 64, 500].randomElement(using: &random) ?? 64)
    var corpus = RandomCorpus(columnCount: 2, rowLimit: 120)
    for _ in 0..<80 { try corpus.change(index, &random) }
    #expect(try index.problem() == nil)
    var problems = 0
    for _ in 0..<60 {
      let damage = try index.queue.read { try Damage(of: index.index.tableName, $0, &random) }
      try index.queue.write { try damage.execute(damage.new, $0) }
      problems += try index.problem() == nil ? 0 : 1
      try index.queue.write { try damage.execute(damage.old, $0) }
    }
    #expect(problems > 40)
    #expect(try index.problem() == nil)
  }

  /// FTS5 3.40 compares such a term with the separator of the leaf, even if only part of the term is on the leaf.
  @Test func overlongTermIsFoundBeforeFTS5ReadsIt() throws {
    let index = try Self.sample()
    try index.queue.write { db in
      try db.execute(
        sql: """
          UPDATE concordance_ft_1_idx SET term = '0' || hex(zeroblob(500000));
          UPDATE concordance_ft_1_data SET block = CAST(substr(block, 1, 4) || x'BD843F' || substr(block, 8) AS BLOB) WHERE id > 10
          """)
    }
    #expect(try index.problem() == "its table is damaged (a number is out of range); rebuild it")
  }

  @Test func unreachableTermIsFound() throws {
    let index = try Self.sample()
    // Changes the prefix byte of the first term, which the other terms share.
    try index.queue.write {
      try $0.execute(
        sql: """
          UPDATE concordance_ft_1_data SET block = CAST(substr(block, 1, 5) || '1' || substr(block, 7) AS BLOB) WHERE id > 10
          """)
    }
    #expect(try index.problem() == "its table is damaged (rows are out of order); rebuild it")
  }

  /// The counter of written leaves is increased when a segment is added.
  @Test func damagedCounterOfLeavesIsFound() throws {
    let index = try Self.sample()
    try index.queue.write { db in
      let record = try DoclistFormat.block(DoclistFormat.structureID, table: index.index.tableName, db)
      var values = try SegmentStructure.varints(record, from: 4)
      values[2] = .max
      var damaged = Array(record.prefix(4))
      for value in values { damaged.appendVarint(value) }
      try db.execute(sql: "UPDATE concordance_ft_1_data SET block = ? WHERE id = 10", arguments: [Data(damaged)])
    }
    #expect(try index.problem() == "its table is damaged (a number is out of range); rebuild it")
    // Succeeds or throws an error, depending on the version of FTS5.
    _ = try? index.queue.write { db in
      let writer = try FullTextWriter(index.index, smallestSegment: 0, db)
      try writer.insert(index.terms(#"{"text":"one more"}"#), rowID: 21)
      try writer.flush(syncing: true)
    }
  }

  @Test func rowWithoutDocumentIsFound() throws {
    let index = try TestIndex(["text"])
    try index.insert(1 << 33, #"{"text":"far away"}"#)
    #expect(try index.problem() == nil)
    let problem = try index.queue.write { try FullTextVerification(index.index, $0).problem() }
    #expect(problem == "its table is damaged (a number is out of range); rebuild it")
  }

  @Test(arguments: [
    "INSERT INTO concordance_ft_1_config VALUES ('later', 1)",
    "INSERT INTO concordance_ft_1_config VALUES (x'00FF', 1)",
    "UPDATE concordance_ft_1_config SET v = 'four' WHERE k = 'version'",
    "DELETE FROM concordance_ft_1_config WHERE k = 'version'",
    "UPDATE concordance_ft_1_config SET v = -1 WHERE k = 'hashsize'",
  ]) func invalidSettingsAreFound(damage: String) throws {
    let index = try Self.sample()
    #expect(try index.problem() == nil)
    try index.queue.write { try $0.execute(sql: damage) }
    #expect(try index.problem()?.hasPrefix("its settings are damaged (") == true)
  }

  @Test(arguments: [
    "DELETE FROM concordance_ft_1_idx",
    "DELETE FROM concordance_ft_1_idx WHERE pgno = (SELECT max(pgno) FROM concordance_ft_1_idx)",
    "DELETE FROM concordance_ft_1_idx WHERE pgno = (SELECT min(pgno) FROM concordance_ft_1_idx WHERE pgno > 3)",
    "UPDATE concordance_ft_1_idx SET pgno = pgno + 2 WHERE pgno = (SELECT max(pgno) FROM concordance_ft_1_idx)",
    "UPDATE concordance_ft_1_idx SET term = CAST(term AS TEXT)",
    "UPDATE concordance_ft_1_idx SET term = x'39' WHERE pgno = (SELECT max(pgno) FROM concordance_ft_1_idx)",
  ]) func unreachableLeavesAreFound(damage: String) throws {
    let index = try TestIndex(["text"])
    try index.command("pgsz", 64)
    for row in 1...40 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"word\(row) number\(row * 7)\"}") }
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try index.problem() == nil)
    #expect(try index.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_ft_1_idx") ?? 0 } > 4)
    try index.queue.write { try $0.execute(sql: damage) }
    #expect(try index.problem()?.hasPrefix("its table is damaged (") == true)
  }

  private static func sample() throws -> TestIndex {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, "{\"text\":\"word number \(row) of twenty\"}") }
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    return index
  }
}

/// A change of a row in one of the shadow tables of an FTS5 table.
private struct Damage {
  let old: DatabaseValue
  let new: DatabaseValue
  private let sql: String
  private let row: String

  init(of table: String, _ db: Database, _ random: inout SeededGenerator) throws {
    let targets = [
      ("\(table)_data", "CAST(id AS TEXT)", "block"), ("\(table)_data", "CAST(id AS TEXT)", "block"),
      ("\(table)_idx", "segid || ' ' || hex(term)", "pgno"), ("\(table)_idx", "segid || ' ' || pgno", "term"),
    ]
    let (name, key, column) = targets.randomElement(using: &random) ?? targets[0]
    row = try String.fetchAll(db, sql: "SELECT \(key) FROM \(name) ORDER BY 1").randomElement(using: &random) ?? ""
    sql = "UPDATE OR IGNORE \(name) SET \(column) = :value WHERE \(key) = :row"
    old =
      try DatabaseValue.fetchOne(db, sql: "SELECT \(column) FROM \(name) WHERE \(key) = ?", arguments: [row]) ?? .null
    var bytes = [UInt8](Data.fromDatabaseValue(old) ?? Data())
    if column == "pgno" {
      new = ([0, 1, 2, 5, 99, 1 << 20, .max, -5] as [Int64]).randomElement(using: &random)?.databaseValue ?? .null
      return
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    case 1: bytes += Array(repeating: 0xFF, count: Int.random(in: 1...9, using: &random))
    default:
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 2, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
    }
    new = Data(bytes).databaseValue
  }

  func execute(_ value: DatabaseValue, _ db: Database) throws {
    try db.execute(sql: sql, arguments: ["value": value, "row": row])
  }
}
