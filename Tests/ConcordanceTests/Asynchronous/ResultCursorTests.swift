import Foundation
import Testing

@testable import Concordance

@Suite(.timeLimit(.minutes(10))) struct ResultCursorTests {
  /// A task accesses rows that were already read on a thread of the cooperative thread pool, which must not wait for
  /// another reader.
  @Test func accessToBufferedRowsDoesNotWaitForTheReaderThread() throws {
    let temporary = try TemporaryDatabase()
    try temporary.save("tea", "{}")
    let (isReading, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let model = TestModel { _ in
      isReading.signal()
      _ = gate.wait(timeout: .now() + 20)
      return MutableDictionaryObject(data: ["sum": 1])
    }
    let query = try temporary.database.createQuery("SELECT PREDICTION('\(model.name)', {}, 'sum') AS x FROM _")
    let cursor = ResultCursor(query, [:])
    let (hasLooked, hasRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      _ = try? cursor.next()
      hasRead.signal()
    }.start()
    isReading.wait()
    Thread {
      _ = cursor.nextRead()
      hasLooked.signal()
    }.start()
    #expect(hasLooked.wait(timeout: .now() + 10) == .success)
    gate.signal()
    #expect(hasRead.wait(timeout: .now() + 20) == .success)
  }
}
