import CPostgres
import Foundation
import TestSupport
import Testing

@testable import PostgresAccess

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct PostgresConnectionTests {
  private func connection() throws -> PostgresConnection {
    try PostgresConnection(TemporaryCluster.makeDatabase())
  }

  @Test func parametersAndResultsKeepTheirValues() throws {
    let connection = try connection()
    let result = try connection.run(
      "SELECT $1::int8, $2::text, $3::bytea, $4::bool, $5::float8 = -0.5, $6::int4, $7::int2, $8::int8",
      [
        .int64(.min), .text("é\u{1F600}"), .bytes([0, 255]), .bool(true), .double(-0.5), .int32(.max), .int16(-1),
        .null,
      ])
    #expect(result.int64(0, 0) == .min)
    #expect(result.string(0, 1) == "é\u{1F600}")
    #expect(result.byteArray(0, 2) == [0, 255])
    #expect(result.bool(0, 3))
    #expect(result.bool(0, 4))
    #expect(result.int64(0, 5) == Int64(Int32.max))
    #expect(result.int64(0, 6) == -1)
    #expect(result.isNull(0, 7))
  }

  @Test func anEmptyValueIsNotNull() throws {
    let result = try connection().run("SELECT $1::text, $2::bytea, $3::int8[]", [.text(""), .bytes([]), .int64s([])])
    #expect((0...2).allSatisfy { !result.isNull(0, $0) })
  }

  @Test func arraysAreLists() throws {
    let result = try connection().run(
      "SELECT a, b, c, d FROM unnest($1::int8[], $2::int4[], $3::text[], $4::bytea[]) AS t (a, b, c, d)",
      [.int64s([1, .max]), .int32s([2, -3]), .texts(["", "x"]), .byteArrays([[], [7]])])
    #expect(result.count == 2)
    #expect(result.int64(1, 0) == .max)
    #expect(result.int64(1, 1) == -3)
    #expect(result.string(0, 2) == "" && result.string(1, 2) == "x")
    #expect(result.byteArray(1, 3) == [7])
  }

  @Test func severalStatementsNeedOneRoundTrip() throws {
    let connection = try connection()
    let before = connection.roundTripCount
    let results = try connection.run((0..<20).map { PostgresStatement("SELECT $1::int8 + \($0)", [.int64(100)]) })
    #expect(results.map { $0.int64(0, 0) } == (100..<120).map { Int64($0) })
    #expect(connection.roundTripCount == before + 1)
  }

  @Test func aRollbackIsPartOfTheNextRoundTrip() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a int8)")
    let before = connection.roundTripCount
    _ = try connection.run([PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES (1)")])
    #expect(connection.isInTransaction)
    try connection.rollBack()
    #expect(!connection.isInTransaction)
    #expect(try connection.run("SELECT count(*) FROM t").int64(0, 0) == 0)
    #expect(connection.roundTripCount == before + 2)
  }

  @Test func aFailedTransactionCanBeRolledBackBeforeAnyKindOfStatement() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a int8)")
    var rows = PostgresCopyRows()
    rows.append([.int64(7)])
    let operations: [() throws -> Void] = [
      { try connection.execute("SELECT 1") }, { try connection.copy(into: "t (a)", rows) },
      { _ = try connection.run([PostgresStatement("BEGIN"), PostgresStatement("COMMIT")]) },
    ]
    for operation in operations {
      _ = try? connection.run([PostgresStatement("BEGIN"), PostgresStatement("SELECT 1 / 0")])
      try connection.rollBack()
      try operation()
      #expect(!connection.isInTransaction)
    }
    #expect(try connection.run("SELECT count(*) FROM t").int64(0, 0) == 1)
  }

  @Test func aConnectionThatIsLostAfterARollbackIsReported() throws {
    let url = try TemporaryCluster.makeDatabase()
    let (connection, other) = (try PostgresConnection(url), try PostgresConnection(url))
    let process = try connection.run([PostgresStatement("BEGIN"), PostgresStatement("SELECT pg_backend_pid()")])[1]
    try connection.rollBack()
    _ = try other.run("SELECT pg_terminate_backend($1, 10000)", [.int32(Int32(process.int64(0, 0)))])
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT 1") }
    #expect(error?.kind == .connectionLost)
  }

  @Test func aFailedStatementEndsItsBatchAndNotTheConnection() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a int8 PRIMARY KEY)")
    let error = #expect(throws: PostgresError.self) {
      _ = try connection.run([
        PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("INSERT INTO t VALUES (1)"),
        PostgresStatement("INSERT INTO t VALUES (2)"),
      ])
    }
    #expect(error?.kind == .duplicateKey && error?.state == "23505")
    // The statements of a call are one transaction.
    #expect(try connection.run("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func aStatementWithASyntaxErrorIsPreparedAgain() throws {
    let connection = try connection()
    for _ in 0..<2 {
      let error = #expect(throws: PostgresError.self) { try connection.run("SELECT * FROM missing") }
      #expect(error?.kind == .undefinedTable)
    }
    try connection.execute("CREATE TABLE missing (a int4)")
    #expect(try connection.run("SELECT * FROM missing").count == 0)
  }

  @Test func copiedRowsAreStored() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a int4, b bytea, c text)")
    var rows = PostgresCopyRows()
    for number in 0..<100_000 {
      rows.append([.int32(Int32(number)), .bytes([UInt8(number & 255)]), number % 2 == 0 ? .null : .text("\(number)")])
    }
    try connection.copy(into: "t (a, b, c)", rows)
    let sums = try connection.run("SELECT count(*), sum(a)::int8, count(c), count(DISTINCT b) FROM t")
    #expect(sums.int64(0, 0) == 100_000)
    #expect(sums.int64(0, 1) == 99_999 * 50_000)
    #expect(sums.int64(0, 2) == 50_000)
    #expect(sums.int64(0, 3) == 256)
  }

  @Test(.timeLimit(.minutes(10))) func theEndOfACopyIsSentThroughAFullSocket() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a bytea)")
    // The smallest buffer that the kernel allows.
    var size: Int32 = 1
    let length = socklen_t(MemoryLayout<Int32>.size)
    try #require(
      setsockopt(connection.functions.socket(connection.connection), SOL_SOCKET, SO_SNDBUF, &size, length) == 0)
    for number in 0..<400 {
      var rows = PostgresCopyRows()
      rows.append([.bytes([UInt8](repeating: 1, count: 100_000 + 64 * number))])
      try connection.copy(into: "t (a)", rows)
    }
    #expect(try connection.run("SELECT count(*) FROM t").int64(0, 0) == 400)
  }

  @Test func aFailedCopyStoresNothing() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a int4 PRIMARY KEY)")
    var rows = PostgresCopyRows()
    for number in [1, 2, 1] as [Int32] { rows.append([.int32(number)]) }
    #expect(throws: PostgresError.self) { try connection.copy(into: "t (a)", rows) }
    #expect(try connection.run("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func longStatementsAndResultsPassEachOther() throws {
    let connection = try connection()
    let long = PostgresValue.bytes([UInt8](repeating: 1, count: 8 << 20))
    let results = try connection.run((0..<4).map { _ in PostgresStatement("SELECT $1::bytea", [long]) })
    #expect(results.allSatisfy { $0.bytes(0, 0).count == 8 << 20 })
  }

  @Test func anInterruptedStatementIsCancelled() throws {
    struct Interruption: Error {}
    let connection = try connection()
    connection.checkInterruption = { throw Interruption() }
    #expect(throws: Interruption.self) { try connection.run("SELECT pg_sleep(60)") }
    connection.checkInterruption = {}
    #expect(try connection.run("SELECT 1").int64(0, 0) == 1)
  }

  /// A long result arrives without a pause.
  @Test func aResultThatArrivesIsInterrupted() throws {
    struct Interruption: Error {}
    let connection = try connection()
    connection.checkInterruption = { throw Interruption() }
    #expect(throws: Interruption.self) {
      try connection.run("SELECT repeat('x', 1000) FROM generate_series(1, 2000) a, generate_series(1, 100) b")
    }
    connection.checkInterruption = {}
    #expect(try connection.run("SELECT 1").int64(0, 0) == 1)
  }

  @Test func aLongBatchWithOneTextIsPreparedOnce() throws {
    let connection = try connection()
    let statements = (0..<600).map { PostgresStatement("SELECT $1::int8", [.int64(Int64($0))]) }
    _ = try connection.run(statements)
    let before = connection.roundTripCount
    #expect(try connection.run(statements).last?.int64(0, 0) == 599)
    #expect(connection.roundTripCount == before + 1)
  }

  @Test func moreStatementsThanAreKeptPreparedStillRun() throws {
    let connection = try connection()
    for number in 0..<1_200 { #expect(try connection.run("SELECT \(number)").int64(0, 0) == Int64(number)) }
  }

  /// Another user of the session, such as a connection pooler, may discard them.
  @Test func statementsThatTheServerHasForgottenArePreparedAgain() throws {
    let connection = try connection()
    _ = try connection.run("SELECT 7")
    try connection.execute("DEALLOCATE ALL")
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT 7") }
    #expect(error?.state == "26000")
    #expect(try connection.run("SELECT 7").int64(0, 0) == 7)
  }

  @Test func statementsAreNotCompiled() throws {
    #expect(try connection().run("SELECT current_setting('jit')").string(0, 0) == "off")
  }

  @Test func anUnreachableServerIsReported() {
    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection("postgresql:///x?host=/nonexistent&password=secret")
    }
    #expect(error?.kind == .notConnected)
    #expect(error?.message.contains("secret") == false)
  }

  @Test func passwordsOfAddressesAreFound() throws {
    for address in ["u:secret@db/x", "db/x?password=secret", "u:secret@a:5432,b:5432/x", "db/x?sslpassword=secret"] {
      #expect(try PostgresAddress.containsPassword("postgresql://\(address)"), "\(address)")
    }
    for address in ["u@db/x", "a:5432,b:5432/x", "db/x?passfile=/etc/pgpass", ":/x?="] {
      #expect(try !PostgresAddress.containsPassword("postgresql://\(address)"), "\(address)")
    }
  }

  @Test func deadClientsAreNoticedWithoutASchema() throws {
    let result = try connection().run("SELECT source FROM pg_settings WHERE name = 'tcp_keepalives_idle'")
    #expect(result.string(0, 0) == "session")
  }

  @Test func theNameIsAnAddress() throws {
    let name = try PostgresConnection(TemporaryCluster.makeDatabase()).name
    #expect(name.hasPrefix("postgresql://%2Ftmp%2F"), "\(name)")
    #expect(try PostgresConnection("\(name)?user=tester").name == name)
  }

  @Test func disabledPreparedTransactionsAreReported() throws {
    let connection = try PostgresConnection(TemporaryCluster(settings: ["max_prepared_transactions=0"]).url())
    try connection.execute("BEGIN")
    let error = #expect(throws: PostgresError.self) { _ = try connection.run("PREPARE TRANSACTION 'x'") }
    #expect(error?.message.contains("set max_prepared_transactions = 20 in postgresql.conf") == true)
  }

  @Test func aMissingLibraryNamesItsPackage() {
    let error = #expect(throws: PostgresError.self) { _ = try PostgresLibrary(name: "libpq.so.missing") }
    #expect(error?.kind == .libraryMissing)
    #expect(error?.message.contains("libpq5") == true)
  }

  @Test func notificationsArrive() throws {
    let url = try TemporaryCluster.makeDatabase()
    let (listener, sender) = (try PostgresConnection(url), try PostgresConnection(url))
    try listener.execute("LISTEN news")
    try sender.execute("NOTIFY news, '7'")
    _ = try listener.run("SELECT 1")
    #expect(try listener.notifications("news") == ["7"])
  }
}
