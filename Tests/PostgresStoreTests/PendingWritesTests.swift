import PostgresAccess
import Testing

@testable import PostgresStore

@Suite struct PendingWritesTests {
  @Test func savepointsAreSentWithTheChangesAfterThem() {
    var pending = PendingWrites(dividesDocuments: false)
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
    var pending = PendingWrites(dividesDocuments: false)
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
}
