import GRDBSQLite
import TextIndex

/// `concordance_hits(rows)`: the documents that a full-text query matches, as rows of their own.
///
/// ```sql
/// SELECT d.id FROM concordance_hits(?1) AS h JOIN documents AS d ON d.rowid = h.doc ORDER BY h.score DESC LIMIT 10
/// ```
///
/// What is bound is a `FullTextMatches`, made before the statement runs, since reading doclists takes statements of its own. In
/// the order of scores the best few are looked for first, more as they are asked for, and all only then, so that a LIMIT ends
/// it early, whatever other conditions there are.
enum MatchTableFunction {
  static let name = "concordance_hits"
  static let pointerType: StaticString = "concordance_hits"

  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, name, module, nil, nil)
  }

  static let documentColumn: Int32 = 0
  static let scoreColumn: Int32 = 1
  private static let inputColumn: Int32 = 2

  /// The bits of a plan's number.
  private static let hasDocument: Int32 = 1
  private static let isByScore: Int32 = 2
  private static let readsScore: Int32 = 4

  /// It is written here once and only read by SQLite.
  nonisolated(unsafe) private static let module = TableValuedFunction.module(
    connect: { connection, _, _, _, table, _ in
      TableValuedFunction.declare("doc INTEGER, score REAL, input HIDDEN", connection, table)
    },
    plan: { _, info in MatchTableFunction.plan(info) },
    filter: { cursor, plan, _, count, arguments in
      TableValuedFunction.begin(MatchTableFunction.iterator(plan, count, arguments), cursor)
    })

  private static func iterator(
    _ plan: Int32, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) -> RowIterator? {
    guard let arguments, count > 0, let matches = matches(arguments[0]) else { return nil }
    guard plan & hasDocument != 0, count > 1, let document = arguments[1] else {
      return plan & isByScore != 0
        ? RankedMatchIterator(matches) : MatchIterator(plan & readsScore != 0 ? matches.all : matches.unscored)
    }
    let all = plan & readsScore != 0 ? matches.all : matches.unscored
    return MatchIterator(all, number: all.number(ofRow: sqlite3_value_int64(document)))
  }

  /// What was bound to an argument.
  static func matches(_ argument: OpaquePointer?) -> FullTextMatches? {
    let type = UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let argument, let pointer = sqlite3_value_pointer(argument, type) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? FullTextMatches
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
    if info.pointee.colUsed & (1 << UInt64(scoreColumn)) != 0 { info.pointee.idxNum |= readsScore }
    if info.pointee.nOrderBy == 1, info.pointee.aOrderBy[0].iColumn == scoreColumn, info.pointee.aOrderBy[0].desc != 0 {
      info.pointee.idxNum |= isByScore
      info.pointee.orderByConsumed = 1
    }
    return SQLITE_OK
  }
}

/// Walks over matches in the order of their rows, or over one of them.
private final class MatchIterator: RowIterator {
  private let rows: MatchedRows
  private let end: Int
  private var number: Int

  init(_ rows: MatchedRows) {
    self.rows = rows
    (number, end) = (0, rows.count)
  }

  init(_ rows: MatchedRows, number: Int?) {
    self.rows = rows
    self.number = number ?? 0
    end = number.map { $0 + 1 } ?? 0
  }

  override var isAtEnd: Bool { number >= end }
  override var rowID: Int64 { isAtEnd ? 0 : rows.rowID(number) }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case MatchTableFunction.documentColumn: result.set(.integer(rowID), .exact)
    case MatchTableFunction.scoreColumn: result.set(.double(isAtEnd ? 0 : rows.score(number)), .exact)
    default: result.set(.missing, .exact)
    }
  }

  override func advance() { number += 1 }
}
