package import GRDB
import SQLiteAccess

/// Reads and checks the totals and all segments of an FTS5 table, so that damage is found before FTS5 reads it.
///
/// In SQLite 3.40, FTS5's integrity check trusts some of the lengths that it reads, and reads past the end of a block
/// if they are wrong.
package struct SegmentVerification {
  /// The data after each rowid in doclists.
  package enum Detail {
    /// Positions in this number of columns.
    case full(columnCount: Int)
    /// No data.
    case none
  }

  let table: String
  let detail: Detail
  /// Whether the table should contain a row above ``DoclistRows/maximumRow``.
  let hasLargeRows: Bool

  package init(table: String, detail: Detail, largestRow: Int64) {
    self.table = table
    self.detail = detail
    hasLargeRows = largestRow > Int64(DoclistRows.maximumRow)
  }

  /// Returns a description of the first problem of the table; nil if there is none or if the format is unknown, so that
  /// only FTS5 can check it.
  ///
  /// - Complexity: O(n) in the size of the table.
  package func problem(_ db: Database) throws -> String? {
    do {
      if let problem = try settingsProblem(db) { return problem }
      let record = try DoclistFormat.block(DoclistFormat.structureID, table: table, db)
      guard let structure = try SegmentStructure(record) else { return nil }
      if case .full(let columnCount) = detail {
        _ = try IndexTotals(ofTable: table, columnCount: columnCount, db)
      }
      for segment in structure.segments { try check(segment, db) }
      return nil
    } catch let damage as DoclistCorruption {
      return SegmentVerification.problem(damage)
    } catch FTS5FallbackRequired.largeRows where !hasLargeRows {
      return SegmentVerification.problem(.badNumber)
    } catch is FTS5FallbackRequired {
      return nil
    }
  }

  private static func problem(_ damage: DoclistCorruption) -> String {
    "its table is damaged (\(damage.reason)); rebuild it"
  }

  /// Returns a description of the first invalid setting in FTS5's configuration table. With settings that this library
  /// does not write, FTS5 could return different rows.
  private func settingsProblem(_ db: Database) throws -> String? {
    var hasVersion = false
    for row in try Row.fetchAll(db, sql: "SELECT k, v FROM \(table)_config") {
      let (key, value): (DatabaseValue, DatabaseValue) = (row["k"], row["v"])
      let number = value.storage.value as? Int64
      switch String.fromDatabaseValue(key) {
      case "version" where number == DoclistFormat.version: hasVersion = true
      case "version": return "its settings are damaged (version is \(value)); rebuild it"
      case let name? where DoclistFormat.knownSettings.contains(name) && (number ?? -1) >= 0: break
      default: return "its settings are damaged (unexpected setting \(key) with the value \(value)); rebuild it"
      }
    }
    return hasVersion ? nil : "its settings are damaged (version is missing); rebuild it"
  }

  private func check(_ segment: SegmentStructure.Segment, _ db: Database) throws {
    switch detail {
    case .full(let columnCount):
      var check = TermCheck {
        DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
      }
      try read(segment, into: &check, db)
    case .none:
      var check = TermCheck { RowListSink(capacity: 0) }
      try read(segment, into: &check, db)
    }
  }

  /// Passes all terms of a segment to a check, including those that queries cannot reach.
  private func read<Doclist: DoclistConsumer & ~Copyable>(
    _ segment: SegmentStructure.Segment, into check: inout TermCheck<Doclist>, _ db: Database
  ) throws {
    let leaves = try SQLStatement(cached: "SELECT id, block FROM \(table)_data WHERE id BETWEEN ? AND ?", in: db)
    leaves.bind(1, segment.block(segment.firstLeaf))
    leaves.bind(2, segment.block(segment.lastLeaf))
    defer { leaves.reset() }
    var scan = LeafScan(.terms(prefix: []), [])
    var number = segment.firstLeaf
    var directory = try LeafIndexVerification(of: segment, table: table, db)
    defer { directory.end() }
    while try leaves.step() {
      guard leaves.row.int64(0) == segment.block(number) else { throw DoclistCorruption.missingBlock }
      try directory.check(leaves.row.blob(1), number)
      guard try scan.scan(leaves.row.blob(1), into: &check) else { throw DoclistCorruption.badNumber }
      number += 1
    }
    guard number > segment.lastLeaf else { throw DoclistCorruption.missingBlock }
    try directory.finish()
    try scan.finish(into: &check)
  }
}

/// Receives the doclists of a segment, checks them and discards them.
private struct TermCheck<Doclist: DoclistConsumer & ~Copyable>: DoclistConsumer, ~Copyable {
  private let make: () -> Doclist
  private var doclist: Doclist
  private var term: [UInt8] = []
  private var isIntact = true

  init(_ make: @escaping () -> Doclist) {
    self.make = make
    doclist = make()
  }

  mutating func beginDoclist(_ term: [UInt8]) {
    isIntact = term.first == DoclistFormat.termPrefix && self.term.lexicographicallyPrecedes(term)
    self.term = term
    doclist = make()
    doclist.beginDoclist(term)
  }

  mutating func readRows(_ piece: ByteReader) throws { try doclist.readRows(piece) }

  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws {
    try doclist.continueDoclist(piece, firstRow: firstRow)
  }

  mutating func endDoclist() throws {
    guard isIntact else { throw DoclistCorruption.unordered }
    try doclist.endDoclist()
  }
}
