import Foundation
import Testing

@testable import Concordance

@Suite(.timeLimit(.minutes(10))) struct ResultCursorTests {
  @Test func fewLargeRowsAreReadAtATime() throws {
    let temporary = try TemporaryDatabase()
    let text = String(repeating: "x", count: 3 << 19)
    for number in 0..<3 { try temporary.save("d\(number)", #"{"text":"\#(text)"}"#) }
    let cursor = ResultCursor(try temporary.database.createQuery("SELECT text FROM _"), nil)
    for _ in 0..<3 {
      #expect(try cursor.next() != nil)
      #expect(cursor.nextRead() == nil)
    }
    #expect(try cursor.next() == nil)
    let small = ResultCursor(try temporary.database.createQuery("SELECT META().id FROM _"), nil)
    #expect(try small.next() != nil)
    #expect(small.nextRead() != nil)
  }

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
    let cursor = ResultCursor(query, nil)
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
