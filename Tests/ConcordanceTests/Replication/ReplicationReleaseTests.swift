import Foundation
import Testing

@testable import Concordance

/// After a replication has ended, both databases are released, so that their files are closed.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL"))
struct ReplicationReleaseTests {
  /// Calls a function when it is released.
  private final class Sentinel: Sendable {
    let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  @Test(arguments: [ReplicatorType.push, .pull, .pushAndPull]) func messages(_ type: ReplicatorType) async throws {
    try await expectRelease(type) { DatabaseEndpoint(database: $0) }
  }

  @Test(arguments: [ReplicatorType.push, .pull, .pushAndPull]) func frames(_ type: ReplicatorType) async throws {
    try await expectRelease(type) { FaultyEndpoint($0) }
  }

  @Test(arguments: 1...8) func connectionsThatAreCut(_ number: Int) async throws {
    try await expectRelease(.pushAndPull) { FaultyEndpoint($0, [.cut(number)]) }
  }

  @Test(arguments: 1...8) func truncatedFrames(_ number: Int) async throws {
    try await expectRelease(.pushAndPull) { FaultyEndpoint($0, [.truncate(number)]) }
  }

  /// Replicates databases with a conflict, and with blobs on both sides, drops them, and waits for their release.
  private func expectRelease(
    _ type: ReplicatorType, _ endpoint: (ConcordanceDatabase) -> any Endpoint
  ) async throws {
    let (releases, continuation) = AsyncStream<Int>.makeStream()
    try await replicate(type, endpoint) { side in Sentinel { continuation.yield(side) } }
    var released: Set<Int> = []
    for await side in releases {
      released.insert(side)
      if released == [0, 1] { break }
    }
    #expect(released == [0, 1])
  }

  private func replicate(
    _ type: ReplicatorType, _ endpoint: (ConcordanceDatabase) -> any Endpoint, _ sentinel: (Int) -> Sentinel
  ) async throws {
    let (active, passive) = (try TemporaryDatabase(), try TemporaryDatabase())
    for (number, side) in [active, passive].enumerated() {
      try side.save("conflict", #"{"value":\#(number)}"#)
      let document = MutableDocument(id: "blob\(number)")
      document.setBlob(Blob(contentType: "text/plain", data: Data("text \(number)".utf8)), forKey: "blob")
      try side.collection.save(document: document)
      // The database owns its listeners.
      let sentinel = sentinel(number)
      _ = side.collection.addChangeListener { _ in withExtendedLifetime(sentinel) {} }
    }
    var config = configuration(active, endpoint(passive.database), type)
    config.maxAttempts = 1
    try await run(config)
  }
}
