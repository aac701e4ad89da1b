import GRDBSQLite
import TextIndex

/// `concordance_hits(rows)`: the documents that a full-text query matches, as rows of their own.
///
/// ```sql
/// SELECT d.id FROM concordance_hits(?1) AS h JOIN documents AS d ON d.rowid = h.doc ORDER BY h.score DESC LIMIT 10
/// ```
///
/// What is bound is a `MatchedRows`, found before the statement runs, since reading doclists takes statements of its own. In
/// the order of scores the best come first and the others only as they are asked for, so that a LIMIT ends it early,
/// whatever other conditions there are.
enum MatchTable {
  static let name = "concordance_hits"
  static let pointerType: StaticString = "concordance_hits"

  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, name, module, nil, nil)
  }

  fileprivate static let documentColumn: Int32 = 0
  fileprivate static let scoreColumn: Int32 = 1
  private static let inputColumn: Int32 = 2

  /// The bits of a plan's number.
  private static let hasDocument: Int32 = 1
  private static let isByScore: Int32 = 2

  /// It is written here once and only read by SQLite.
  nonisolated(unsafe) private static let module = RowTable.module(
    connect: { connection, _, _, _, table, _ in
      RowTable.declare("doc INTEGER, score REAL, input HIDDEN", connection, table)
    },
    plan: { _, info in MatchTable.plan(info) },
    filter: { cursor, plan, _, count, arguments in
      RowTable.begin(MatchTable.walk(plan, count, arguments), cursor)
    })

  private static func walk(
    _ plan: Int32, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) -> MatchWalk? {
    let type = UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let arguments, count > 0, let input = arguments[0], let pointer = sqlite3_value_pointer(input, type) else {
      return nil
    }
    let rows = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    guard let rows = rows as? MatchedRows else { return nil }
    guard plan & hasDocument != 0, count > 1, let document = arguments[1] else {
      return MatchWalk(rows, isByScore: plan & isByScore != 0)
    }
    return MatchWalk(rows, number: rows.number(ofRow: sqlite3_value_int64(document)))
  }

  /// A plan that does not have the input yet is none.
  private static func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let info else { return SQLITE_ERROR }
    info.pointee.estimatedCost = 1000
    info.pointee.estimatedRows = 1000
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      if constraint.iColumn == inputColumn {
        guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
        info.pointee.aConstraintUsage[index].argvIndex = 1
        info.pointee.aConstraintUsage[index].omit = 1
      } else if constraint.iColumn == documentColumn, constraint.usable != 0, info.pointee.idxNum & hasDocument == 0 {
        // Still compared by SQLite: a number with a fraction is no row.
        info.pointee.aConstraintUsage[index].argvIndex = 2
        info.pointee.idxNum |= hasDocument
        info.pointee.estimatedCost = 10
        info.pointee.estimatedRows = 1
      }
    }
    if info.pointee.nOrderBy == 1, info.pointee.aOrderBy[0].iColumn == scoreColumn, info.pointee.aOrderBy[0].desc != 0 {
      info.pointee.idxNum |= isByScore
      info.pointee.orderByConsumed = 1
    }
    return SQLITE_OK
  }
}

/// Walks over matches: in the order of their rows, the best first, or over one of them.
private final class MatchWalk: RowWalk {
  private let rows: MatchedRows
  /// The matches that are left, a heap with the best on top; nil in the order of the rows.
  private var heap: [Int]?
  private let end: Int
  /// The number of the match; nil at the end.
  private var current: Int?

  init(_ rows: MatchedRows, isByScore: Bool) {
    self.rows = rows
    end = rows.count
    super.init()
    if isByScore {
      heap = Array(0..<rows.count)
      for position in stride(from: rows.count / 2 - 1, through: 0, by: -1) { siftDown(position) }
      current = heap?.first
    } else {
      current = rows.count > 0 ? 0 : nil
    }
  }

  init(_ rows: MatchedRows, number: Int?) {
    self.rows = rows
    current = number
    end = (number ?? 0) + 1
  }

  override var isAtEnd: Bool { current == nil }
  override var rowID: Int64 { current.map { rows.rowID($0) } ?? 0 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case MatchTable.documentColumn: result.set(.integer(rowID), .exact)
    case MatchTable.scoreColumn: result.set(.double(current.map { rows.score($0) } ?? 0), .exact)
    default: result.set(.missing, .exact)
    }
  }

  override func advance() {
    guard let number = current else { return }
    guard let last = heap?.popLast() else {
      current = number + 1 < end ? number + 1 : nil
      return
    }
    if heap?.isEmpty == false {
      heap?[0] = last
      siftDown(0)
    }
    current = heap?.first
  }

  /// Of equal scores the lower row comes first.
  private func isBetter(_ one: Int, _ other: Int) -> Bool {
    let (score, otherScore) = (rows.score(one), rows.score(other))
    return score == otherScore ? one < other : score > otherScore
  }

  private func siftDown(_ start: Int) {
    guard let count = heap?.count else { return }
    var position = start
    while true {
      var best = position
      for child in [2 * position + 1, 2 * position + 2] where child < count {
        if let one = heap?[child], let other = heap?[best], isBetter(one, other) { best = child }
      }
      if best == position { return }
      heap?.swapAt(position, best)
      position = best
    }
  }
}
