package import GRDB
import SQLiteAccess

/// Reads the totals and all segments of an FTS5 table, and checks everything on the way: what is damaged is found before FTS5 is
/// handed it.
///
/// FTS5's own check trusts some of the lengths that it comes to, and reads past the end of a block where they are wrong (3.40).
package struct SegmentVerification {
  /// The data after each rowid of the doclists.
  package enum Detail {
    /// Positions in so many columns.
    case full(columnCount: Int)
    /// Nothing.
    case none
  }

  let table: String
  let detail: Detail
  /// Whether any row that the table should hold is larger than is read here.
  let hasLargeRows: Bool

  package init(table: String, detail: Detail, largestRow: Int64) {
    self.table = table
    self.detail = detail
    hasLargeRows = largestRow > Int64(DoclistRows.maximumRow)
  }

  /// What is wrong with the table, in words; nil when nothing is, and where its form is not known: then only FTS5 can tell.
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

  /// What is wrong with the settings that FTS5 keeps with the table: with others than those that are written here, FTS5 might find
  /// something else, or nothing.
  private func settingsProblem(_ db: Database) throws -> String? {
    var hasVersion = false
    for row in try Row.fetchAll(db, sql: "SELECT k, v FROM \(table)_config") {
      let (key, value): (DatabaseValue, DatabaseValue) = (row["k"], row["v"])
      let number = value.storage.value as? Int64
      switch String.fromDatabaseValue(key) {
      case "version" where number == DoclistFormat.version: hasVersion = true
      case "version": return "its settings are damaged (version is \(value)); rebuild it"
      case let name? where DoclistFormat.knownSettings.contains(name) && (number ?? -1) >= 0: break
      default: return "its settings are damaged (there is \(key) with the value \(value)); rebuild it"
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
      try read(segment, columnCount: columnCount, into: &check, db)
    case .none:
      var check = TermCheck { RowListSink(capacity: 0) }
      try read(segment, columnCount: 1, into: &check, db)
    }
  }

  /// Hands all terms of a segment to a check, those too that no query would come to.
  private func read<Doclist: DoclistConsumer & ~Copyable>(
    _ segment: SegmentStructure.Segment, columnCount: Int, into check: inout TermCheck<Doclist>, _ db: Database
  ) throws {
    let leaves = try SQLStatement(cached: "SELECT id, block FROM \(table)_data WHERE id BETWEEN ? AND ?", in: db)
    leaves.bind(1, segment.block(segment.firstLeaf))
    leaves.bind(2, segment.block(segment.lastLeaf))
    defer { leaves.reset() }
    var scan = LeafScan(.terms(prefix: []), [], columnCount: columnCount)
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

/// Takes the doclists of a segment, checks them and keeps nothing.
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
