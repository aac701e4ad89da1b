import GRDB
import SQLiteAccess
import Testing

/// Functions, aggregates, tables and collations that are implemented in Swift.
@Suite struct ExtensionTests {
  private let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  private func value(_ sql: String, _ db: Database) throws -> DatabaseValue? {
    try DatabaseValue.fetchOne(db, sql: sql)
  }

  @Test func aFunctionGetsItsArgumentsAndSetsItsResult() throws {
    try queue.inDatabase { db in
      try db.addFunction("echo", arity: nil, Echo())
      #expect(try value("SELECT echo(7)", db) == 7.databaseValue)
      #expect(try value("SELECT echo(1, 'a')", db) == "1 more".databaseValue)
      #expect(try value("SELECT echo()", db) == .null)
      #expect(try value("SELECT typeof(echo(x''))", db) == "blob".databaseValue)
      let error = #expect(throws: DatabaseError.self) { try value("SELECT echo(NULL)", db) }
      #expect(error?.message == "a \u{1F600} fault")
    }
  }

  @Test func aSchemaCannotUseAFunction() throws {
    try queue.inDatabase { db in
      try db.addFunction("echo", arity: 1, Echo())
      try db.execute(sql: "CREATE TABLE t (a); CREATE VIEW v AS SELECT echo(a) FROM t")
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM v") }
      #expect(error?.message?.contains("unsafe use of echo()") == true)
    }
  }

  @Test func aTextIsWrittenIntoMemoryOfSQLite() throws {
    try queue.inDatabase { db in
      try db.addFunction("upper_a", arity: 1) { arguments, result in
        let bytes = arguments[0].bytes
        result.setText(capacity: bytes.count) { memory in
          for (index, byte) in bytes.enumerated() { memory[index] = byte == 0x61 ? 0x41 : byte }
          return bytes.count
        }
      }
      #expect(try value("SELECT upper_a('banana')", db) == "bAnAnA".databaseValue)
      #expect(try value("SELECT upper_a('')", db) == "".databaseValue)
    }
  }

  @Test func anAggregateHasAStateForEachGroup() throws {
    try queue.inDatabase { db in
      try db.addAggregate("product", Product())
      try db.execute(sql: "CREATE TABLE t (g, n); INSERT INTO t VALUES (1, 2), (1, 3), (2, 7)")
      #expect(try Int64.fetchAll(db, sql: "SELECT product(n) FROM t GROUP BY g ORDER BY g") == [6, 7])
      #expect(try Int64.fetchAll(db, sql: "SELECT product(n) FROM t WHERE g = 3") == [1])
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT product('a')") }
    }
  }

  @Test func aConnectionReleasesItsFunctions() throws {
    weak var function: Echo?
    try autoreleasing {
      let queue = try DatabaseQueue()
      try queue.inDatabase { db in
        let echo = Echo()
        function = echo
        try db.addFunction("echo", arity: 1, echo)
        _ = try value("SELECT echo(1)", db)
      }
      #expect(function != nil)
      try queue.close()
    }
    #expect(function == nil)
  }

  private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }

  @Test func aTableReturnsRowsForItsArgument() throws {
    try queue.inDatabase { db in
      try db.addTable("counting", Counting())
      #expect(try Int64.fetchAll(db, sql: "SELECT n FROM counting(3)") == [0, 1, 2])
      #expect(try Int64.fetchAll(db, sql: "SELECT n FROM counting") == [])
      #expect(
        try Int64.fetchAll(db, sql: "SELECT b.n FROM counting(3) AS a, counting(a.n) AS b") == [0, 0, 1])
      #expect(try Int64.fetchAll(db, sql: "SELECT rowid FROM counting(2)") == [0, 1])
    }
  }

  /// As after a failure, a list that cannot be read is not an empty list.
  @Test func aListThatCannotBeReadIsAnError() throws {
    try queue.inDatabase { db in
      try db.addTable("listing", Listing())
      let error = #expect(throws: DatabaseError.self) { try Int64.fetchAll(db, sql: "SELECT n FROM listing(3)") }
      #expect(error?.message?.hasPrefix("a list of values cannot be read") == true)
    }
  }

  @Test func collationsAreCreatedByName() throws {
    try queue.inDatabase { db in
      try db.provideCollations(ByLength.self)
      let sql = "SELECT a FROM (SELECT 'ccc' AS a UNION ALL SELECT 'b' UNION ALL SELECT 'aa') ORDER BY a COLLATE"
      #expect(try String.fetchAll(db, sql: "\(sql) by_length") == ["b", "aa", "ccc"])
      let error = #expect(throws: DatabaseError.self) { try String.fetchAll(db, sql: "\(sql) by_weight") }
      #expect(error?.message == "no such collation sequence: by_weight")
    }
  }

  @Test func textIsTokenizedByFTS5() throws {
    try queue.inDatabase { db in
      let isRegistered = try FTS5Tokenizer.register("pairs", on: db) { _, context, _, text, length, emit in
        guard var text = FTS5Text(context, text, length, emit) else { return 0 }
        var start = 0
        while start + 2 <= text.bytes.count, text.emit(start..<start + 2) { start += 2 }
        return text.result
      }
      #expect(isRegistered)
      try db.execute(
        sql: "CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'pairs'); INSERT INTO f VALUES ('abcd'), ('')")
      #expect(try Int64.fetchAll(db, sql: "SELECT rowid FROM f WHERE f MATCH 'cd'") == [1])
      #expect(try Int64.fetchAll(db, sql: "SELECT rowid FROM f WHERE f MATCH 'bc'") == [])
    }
  }

  @Test(arguments: ["a": "\"a\"", "a\"b": "\"a\"\"b\"", "\"\u{301}": "\"\"\"\u{301}\""])
  func identifiersAreQuoted(name: String, quoted: String) {
    #expect(name.sqlIdentifier == quoted)
  }
}

private final class Echo: SQLFunction {
  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    guard let first = arguments.first else { return result.setNull() }
    guard arguments.count == 1 else {
      let text = "\(arguments[from: 1].count) more"
      return Array(text.utf8).withUnsafeBytes { result.set(text: $0) }
    }
    if first.type == .null { return result.set(errorMessage: "a \u{1F600} fault") }
    result.set(first)
  }
}

private final class Product: SQLAggregate {
  override func makeState() -> SQLAggregateState { ProductState() }
}

private final class ProductState: SQLAggregateState {
  private var product: Int64 = 1

  override func add(_ argument: SQLArgument, _ result: SQLResult) {
    guard argument.type == .integer else { return result.set(errorMessage: "not an integer") }
    product *= argument.int64
  }

  override func finish(_ result: SQLResult) { result.set(product) }
}

private final class Counting: TableValuedFunction {
  init() { super.init(columns: "n, input HIDDEN") }

  override func choose(_ plan: RowTablePlan) -> Bool { plan.useArgument(1, rows: 10) }

  override func rows(plan: Int32, _ arguments: SQLArguments) -> RowIterator? {
    arguments.first.map { CountingWalk(end: $0.int64) }
  }
}

/// Reads its argument as a list, which it is not.
private final class Listing: TableValuedFunction {
  init() { super.init(columns: "n, input HIDDEN") }

  override func choose(_ plan: RowTablePlan) -> Bool { plan.useArgument(1, rows: 10) }

  override func rows(plan: Int32, _ arguments: SQLArguments) throws -> RowIterator? {
    var count: Int64 = 0
    try arguments.first?.forEachElement { _ in count += 1 }
    return CountingWalk(end: count)
  }
}

private final class CountingWalk: RowIterator {
  private let end: Int64
  private var number: Int64 = 0

  init(end: Int64) { self.end = end }

  override var isAtEnd: Bool { number >= end }
  override var rowID: Int64 { number }
  override func advance() { number += 1 }
  override func setColumn(_ column: Int32, _ result: SQLResult) { result.set(number) }
}

private final class ByLength: SQLCollation {
  override class func collation(named name: String) -> SQLCollation? { name == "by_length" ? ByLength() : nil }

  override func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    one.count - other.count
  }
}
