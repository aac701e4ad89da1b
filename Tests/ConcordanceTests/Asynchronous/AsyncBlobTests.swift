import Concordance
import Foundation
import Testing

/// Blobs of documents that are saved asynchronously.
@Suite(.timeLimit(.minutes(10))) struct AsyncBlobTests {
  private let temporary: TemporaryDatabase
  private var notes: Concordance.Collection { temporary.collection }

  init() throws { temporary = try TemporaryDatabase() }

  @Test func slowStreamDoesNotDelayOtherChanges() async throws {
    let (gate, isLate) = (DispatchSemaphore(value: 0), Locked(false))
    let isReading = AsyncStream.makeStream(of: Void.self)
    let stream = ObservedStream(count: 1) {
      isReading.continuation.yield()
      if gate.wait(timeout: .now() + 20) == .timedOut { isLate.set(true) }
      gate.signal()
    }
    let slow = MutableDocument(id: "slow").setBlob(Blob(contentType: "a/b", contentStream: stream), forKey: "b")
    let notes = notes
    let saving = Task { try await notes.async.save(document: slow) }
    for await _ in isReading.stream { break }
    try await notes.async.save(document: MutableDocument(id: "quick"))
    #expect(try notes.document(id: "quick") != nil && notes.document(id: "slow") == nil)
    gate.signal()
    try await saving.value
    #expect(!isLate.value)
    #expect(try notes.document(id: "slow")?.blob(forKey: "b")?.content == Data([0]))
  }

  @Test func blocksThatWaitDoNotDelayBlobs() async throws {
    let (gate, isLate) = (DispatchSemaphore(value: 0), Locked(false))
    let (running, continuation) = AsyncStream.makeStream(of: Void.self)
    let database = temporary.database
    // As many blocks as can run at the same time.
    let blocks = (0..<4).map { _ in
      Task {
        try await database.async.perform { _ in
          continuation.yield()
          if gate.wait(timeout: .now() + 20) == .timedOut { isLate.set(true) }
        }
      }
    }
    for await _ in running.prefix(4) {}
    let blob = Blob(contentType: "a/b", contentStream: ObservedStream(count: 1) {})
    try await notes.async.save(document: MutableDocument(id: "x").setBlob(blob, forKey: "b"))
    #expect(!isLate.value)
    for _ in blocks { gate.signal() }
    for block in blocks { try await block.value }
    #expect(try notes.document(id: "x")?.blob(forKey: "b")?.content == Data([0]))
  }

  @Test func cancellingASaveEndsTheReadOfAStream() async throws {
    let gate = DispatchSemaphore(value: 0)
    let readCount = Locked(0)
    let isReading = AsyncStream.makeStream(of: Void.self)
    let stream = ObservedStream(count: 100) {
      guard readCount.increment() == 1 else { return }
      isReading.continuation.yield()
      gate.wait()
    }
    let document = MutableDocument(id: "x").setBlob(Blob(contentType: "a/b", contentStream: stream), forKey: "b")
    let notes = notes
    let saving = Task { try await notes.async.save(document: document) }
    for await _ in isReading.stream { break }
    saving.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await saving.value }
    #expect(readCount.value == 1 && notes.count == 0)
    // The beginning of the stream cannot be read again.
    expectError(CBLError.ioError, "cancelled") { try notes.save(document: document) }
  }

  @Test func rowsReadBlobsOfParametersWhenTheIterationBegins() async throws {
    try temporary.save("x", "{}")
    let readCount = Locked(0)
    let blob = Blob(contentType: "a/b", contentStream: ObservedStream(count: 1) { _ = readCount.increment() })
    let query = try temporary.database.createQuery("SELECT META().id, $b AS b FROM _")
    query.parameters = Parameters().setBlob(blob, forName: "b")
    let rows = try query.rows()
    #expect(readCount.value == 0)
    for try await row in rows { #expect(row.string(at: 0) == "x") }
    #expect(readCount.value > 0)
  }
}
