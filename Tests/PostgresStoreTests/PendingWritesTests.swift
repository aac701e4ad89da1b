import PostgresAccess
import Testing

@testable import PostgresStore

@Suite struct PendingWritesTests {
  @Test func savepointsAreSentWithTheChangesAfterThem() {
    var pending = PendingWrites(dividesRows: false)
    pending.append(PostgresStatement("one"))
    pending.beginSavepoint(0)
    let sent = pending.takeStatements()
    #expect(sent.map(\.text) == ["one", "SAVEPOINT cx0"])
    let wasOpen = pending.rollBack(toSavepoint: 0)
    #expect(wasOpen)
    let undone = pending.takeStatements()
    #expect(undone.map(\.text) == ["ROLLBACK TO SAVEPOINT cx0"])
  }

  @Test func aSavepointWithoutChangesIsSentIfOtherChangesFollow() {
    var pending = PendingWrites(dividesRows: false)
    pending.beginSavepoint(0)
    let nothing = pending.takeStatements()
    #expect(nothing.isEmpty)
    let savepoint = pending.takeStatements(sendingSavepoints: true)
    #expect(savepoint.map(\.text) == ["SAVEPOINT cx0"])
    let wasOpen = pending.rollBack(toSavepoint: 0)
    #expect(wasOpen)
    let undone = pending.takeStatements()
    #expect(undone.map(\.text) == ["ROLLBACK TO SAVEPOINT cx0"])
  }

  private static func document(_ row: Int64, shard: Int32 = 0) -> NewRow {
    .document(
      NewDocument(
        collection: 1, row: row, shard: shard, id: "\(row)", sequence: row, revision: 1, deleted: 0, source: nil,
        expiration: nil, body: "{}"))
  }

  private static func indexRow(_ document: Int64, isReplacing: Bool = false) -> NewRow {
    .valueIndex(
      NewIndexRow(
        insertion: "INSERT INTO cx_vi_1", replacedDocument: isReplacing ? document : nil, shard: 0,
        values: [.int64(document), .bytes([1])]))
  }

  @Test func newRowsOfATableAreInsertedTogether() {
    var pending = PendingWrites(dividesRows: false)
    for number in 1...3 as ClosedRange<Int64> {
      pending.beginSavepoint(0)
      pending.append(PendingWritesTests.document(number))
      pending.append(PendingWritesTests.indexRow(number))
      pending.releaseSavepoint(0, isReleased: true)
    }
    pending.beginSavepoint(0)
    pending.append(PendingWritesTests.document(4))
    let wasOpen = pending.rollBack(toSavepoint: 0)
    #expect(wasOpen)
    pending.append(PendingWritesTests.indexRow(5))
    let sent = pending.takeStatements()
    #expect(sent.count == 4)
    #expect(sent[0].parameters[1] == .int64s([1, 2, 3]))
    #expect(sent[1].parameters == [.int64s([1, 2, 3]), .byteArrays([[1], [1], [1]])])
    #expect(sent[2].text == "SAVEPOINT cx3")
    #expect(sent[3].parameters[0] == .int64s([5]))
    let rest = pending.takeStatements()
    #expect(rest.isEmpty)
  }

  @Test func changesThatWereUndoneDoNotCount() {
    var pending = PendingWrites(dividesRows: false)
    pending.append(PostgresStatement("one", [.bytes(Array(repeating: 0, count: 100))]))
    let size = pending.size
    pending.beginSavepoint(0)
    pending.append(PostgresStatement("two", [.bytes(Array(repeating: 0, count: 200))]))
    pending.append(PendingWritesTests.document(1))
    let isUndone = pending.rollBack(toSavepoint: 0)
    #expect(isUndone && pending.size == size)
    pending.append(PostgresStatement("three"))
    _ = pending.takeStatements()
    // The savepoint was sent, so the server undoes what was sent after it.
    pending.append(PostgresStatement("four"))
    let isUndoneAgain = pending.rollBack(toSavepoint: 0)
    #expect(isUndoneAgain && pending.size == 0)
  }

  @Test func newRowsAreInsertedBeforeLaterStatements() {
    var pending = PendingWrites(dividesRows: true)
    pending.append(PendingWritesTests.document(1, shard: 8))
    pending.append(PendingWritesTests.document(2, shard: 7))
    pending.append(PostgresStatement("DELETE"))
    // A statement cannot replace a row twice.
    for document in [3, 4, 3] as [Int64] { pending.append(PendingWritesTests.indexRow(document, isReplacing: true)) }
    let sent = pending.takeStatements()
    #expect(sent.count == 5)
    #expect(sent[0].parameters[2] == .int32s([7]) && sent[1].parameters[2] == .int32s([8]))
    #expect(sent[2].text == "DELETE")
    #expect(sent[3].parameters[0] == .int64s([3, 4]) && sent[4].parameters[0] == .int64s([3]))
  }

  @Test func savepointsThatWereSentAreReleased() {
    var pending = PendingWrites(dividesRows: false)
    for number in 0...2 { pending.beginSavepoint(number) }
    pending.append(PostgresStatement("one"))
    let nested = pending.takeStatements()
    #expect(nested.count == 4)
    // Releasing the outer one releases the inner one. One that was not sent is discarded.
    pending.beginSavepoint(3)
    pending.append(PostgresStatement("two"))
    pending.releaseSavepoint(3, isReleased: true)
    pending.releaseSavepoint(1, isReleased: true)
    pending.beginSavepoint(1)
    pending.append(PostgresStatement("three"))
    let sent = pending.takeStatements().map(\.text)
    #expect(sent == ["two", "RELEASE SAVEPOINT cx1", "SAVEPOINT cx4", "three"])
    // After a rollback, the savepoint still exists until it is released.
    let wasOpen = pending.rollBack(toSavepoint: 1)
    #expect(wasOpen)
    pending.releaseSavepoint(1, isReleased: true)
    let undone = pending.takeStatements().map(\.text)
    #expect(undone == ["ROLLBACK TO SAVEPOINT cx4", "RELEASE SAVEPOINT cx4"])
    pending.releaseSavepoint(0, isReleased: false)
    let nothing = pending.takeStatements()
    #expect(nothing.isEmpty)
  }
}
