import Foundation
import GRDB
import PatternMatching
import TestSupport
import Testing
import TextIndex

@testable import TrigramIndex

/// Compares the posting lists of trigrams as read by this library with FTS5's results.
@Suite struct TrigramListTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func resultsAgreeWithFTS5(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try TrigramTable(pageSize: [32, 64, 4050].randomElement(using: &random) ?? 64)
    for _ in 0..<60 {
      try table.change(&random)
      let query = Self.query(&random, depth: 2)
      let expected = try table.queue.read { try FTS5FallbackTrigramSearch(table.table, $0).chunks(for: query) }
      let found = try table.queue.read {
        try TrigramSearch(TrigramPostingLists(table.table, $0)).chunks(for: query) ?? []
      }
      // Posting lists of frequent trigrams are skipped, so there may be false positives, but no false negatives.
      #expect(Set(expected).isSubset(of: Set(found.map { Int64($0) })), "\(query)")
      #expect(found == found.sorted())
      if !query.hasConjunction { #expect(found.map { Int64($0) } == expected, "\(query)") }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func listsAreReadForCandidates(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try TrigramTable(pageSize: seed % 2 == 0 ? 64 : 4050)
    for _ in 0..<30 {
      try table.change(&random)
      let share = Int.random(in: 1...20, using: &random)
      let candidates = (1...300).filter { _ in Int.random(in: 0..<share, using: &random) == 0 }.map { UInt32($0) }
      try table.queue.read { db in
        let lists = try TrigramPostingLists(table.table, db)
        for trigram in TrigramTable.trigrams {
          let found = try lists.chunks(with: trigram, among: candidates)
          #expect(try found == lists.chunks(with: trigram).intersection(candidates))
        }
      }
    }
  }

  @Test func listSpansManyPages() throws {
    let table = try TrigramTable(pageSize: 64)
    try table.queue.write { db in
      for row in 1...5000 { try table.insert(Int64(row), [.a, row % 7 == 0 ? .b : .c], db) }
    }
    try table.queue.read { db in
      let lists = try TrigramPostingLists(table.table, db)
      #expect(try lists.chunks(with: .a) == (1...5000).map { UInt32($0) })
      #expect(try lists.chunks(with: .b) == (1...5000).filter { $0 % 7 == 0 }.map { UInt32($0) })
      #expect(try lists.chunks(with: Trigram(0x7A, 0x7A, 0x7A)).isEmpty)
      #expect(try lists.pageCount(of: .a) > lists.pageCount(of: .b))
    }
  }

  /// FTS5 buffers the changes of a transaction in memory, so FTS5 itself is queried.
  @Test func transactionSeesItsOwnChanges() throws {
    let table = try TrigramTable(pageSize: 64)
    try table.queue.write { db in
      try table.insert(1, [.a], db)
      #expect(throws: FTS5FallbackRequired.self) { _ = try TrigramPostingLists(table.table, db) }
      #expect(try FTS5FallbackTrigramSearch(table.table, db).chunks(for: .trigram(.a)) == [1])
    }
  }

  @Test(arguments: [1, 2] as [UInt64]) func damagedListsThrowOrReturnRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try TrigramTable(pageSize: 64)
    for _ in 0..<40 { try table.change(&random) }
    let blocks = try table.blocks()
    var refused = 0
    for _ in 0..<200 {
      guard let (id, original) = blocks.randomElement(using: &random), !original.isEmpty else { continue }
      var block = original
      if Int.random(in: 0..<4, using: &random) == 0 {
        block.removeLast(Int.random(in: 1...block.count, using: &random))
      }
      for _ in 0..<3 where !block.isEmpty {
        block[Int.random(in: 0..<block.count, using: &random)] =
          [0, 1, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      try table.write(block, id)
      do {
        let query = TrigramQuery.or([.trigram(.a), .trigram(.b), .trigram(.c)])
        let found = try table.queue.read {
          try TrigramSearch(TrigramPostingLists(table.table, $0)).chunks(for: query) ?? []
        }
        #expect(found == found.sorted())
      } catch is DoclistCorruption {
        refused += 1
      } catch is FTS5FallbackRequired {
        refused += 1
      }
      try table.write(original, id)
    }
    #expect(refused > 20)
  }

  /// The last leaf of the segment limits the estimated size of the last list.
  @Test func damagedLastLeafReservesLittleMemory() throws {
    let table = try TrigramTable(pageSize: 4050)
    try table.queue.write { db in
      for row in 1...100 as ClosedRange<Int64> { try table.insert(row, [.a, .b], db) }
    }
    let structure = try #require(try table.blocks().first { $0.id == 10 }).block
    try #require(structure.suffix(2) == [1, 1])
    // The largest number of a leaf, 0x7FFFFFFF.
    try table.write(Array(structure.dropLast()) + [0x87, 0xFF, 0xFF, 0xFF, 0x7F], 10)
    try table.queue.read { db in
      let lists = try TrigramPostingLists(table.table, db)
      #expect(try lists.pageCount(of: .b) > 1 << 30)
      #expect(try lists.chunks(with: .a) == (1...100).map { UInt32($0) })
      #expect(throws: DoclistCorruption.self) { _ = try lists.chunks(with: .b) }
    }
  }

  @Test(arguments: [1, 2] as [UInt64]) func verificationOfDamageDoesNotCrash(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try TrigramTable(pageSize: 64)
    for _ in 0..<40 { try table.change(&random) }
    func problem() throws -> String? {
      try table.queue.write {
        try SegmentVerification(table: table.table.name, detail: .none, largestRow: 300).problem($0)
      }
    }
    #expect(try problem() == nil)
    var problems = 0
    for (id, original) in try table.blocks() where !original.isEmpty {
      var block = original
      if Bool.random(using: &random) { block.removeLast(Int.random(in: 1...block.count, using: &random)) }
      for _ in 0..<3 where !block.isEmpty {
        block[Int.random(in: 0..<block.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      try table.write(block, id)
      if try problem() != nil {
        problems += 1
      } else {
        // FTS5 is queried then.
        try table.queue.write { db in
          do { try table.table.checkIntegrity(db) } catch let error as DatabaseError {
            #expect(error.resultCode == .SQLITE_CORRUPT)
          }
        }
      }
      try table.write(original, id)
    }
    #expect(problems > 10)
  }

  private static func query(_ random: inout SeededGenerator, depth: Int) -> TrigramQuery {
    let operands = (0..<Int.random(in: 2...9, using: &random)).map { _ -> TrigramQuery in
      depth > 1 && Bool.random(using: &random)
        ? query(&random, depth: depth - 1) : .trigram(TrigramTable.trigrams.randomElement(using: &random) ?? .a)
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .or(operands)
    case 1: return .and(operands)
    default: return operands[0]
    }
  }
}

/// The FTS5 table of a pattern index in an in-memory database.
private final class TrigramTable {
  static let trigrams = (0..<12).map { Trigram(0x61, 0x62, 0x61 + $0) }
  let queue: DatabaseQueue
  let table = PatternIndexTable(name: "concordance_pi_1")
  private var rows: [Int64: [Trigram]] = [:]

  init(pageSize: Int) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try TrigramTokenizer.register($0) }
    queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try table.create(db)
      try db.execute(sql: "INSERT INTO \(table.name) (\(table.name), rank) VALUES ('pgsz', ?)", arguments: [pageSize])
    }
  }

  /// Adds, changes and removes some rows in one transaction.
  func change(_ random: inout SeededGenerator) throws {
    try queue.write { db in
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let row = Int64.random(in: 1...300, using: &random)
        if let old = rows.removeValue(forKey: row) {
          try run(table.removal, row, old, db)
          if Bool.random(using: &random) { continue }
        }
        let trigrams = TrigramTable.trigrams.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        guard !trigrams.isEmpty else { continue }
        try run(table.insertion, row, trigrams, db)
        rows[row] = trigrams
      }
      if Int.random(in: 0..<12, using: &random) == 0 { try table.optimize(db) }
    }
  }

  func insert(_ row: Int64, _ trigrams: [Trigram], _ db: Database) throws {
    try run(table.insertion, row, trigrams, db)
  }

  func blocks() throws -> [(id: Int64, block: [UInt8])] {
    try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT id, block FROM \(table.name)_data").map { row in
        (id: row["id"] as Int64? ?? 0, block: [UInt8](row["block"] as Data? ?? Data()))
      }
    }
  }

  func write(_ block: [UInt8], _ id: Int64) throws {
    try queue.write {
      try $0.execute(sql: "UPDATE \(table.name)_data SET block = ? WHERE id = ?", arguments: [Data(block), id])
    }
  }

  private func run(_ sql: String, _ row: Int64, _ trigrams: [Trigram], _ db: Database) throws {
    let text = String(decoding: trigrams.flatMap(\.bytes), as: UTF8.self)
    try db.execute(sql: sql, arguments: [row, text])
  }
}

extension Trigram {
  fileprivate static var a: Trigram { TrigramTable.trigrams[0] }
  fileprivate static var b: Trigram { TrigramTable.trigrams[1] }
  fileprivate static var c: Trigram { TrigramTable.trigrams[2] }
}

extension TrigramQuery {
  fileprivate var hasConjunction: Bool {
    switch self {
    case .and: true
    case .or(let operands): operands.contains(where: \.hasConjunction)
    default: false
    }
  }
}
