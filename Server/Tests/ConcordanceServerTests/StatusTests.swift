import Concordance
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import JSONText
import Testing

@Suite struct StatusTests {
  @Test func metricsContainThePostingsCache() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for _ in 0..<2 { _ = try await send(.get, "\(TestServer.notes)/search?q=tea") }
      let text = try await send(.get, "/metrics").text
      let hits = try #require(text.firstMatch(of: /concord_postings_cache_hits_total (\d+)/)?.1)
      let misses = try #require(text.firstMatch(of: /concord_postings_cache_misses_total (\d+)/)?.1)
      #expect(Int(hits) ?? 0 > 0 && Int(misses) ?? 0 > 0)
      #expect(text.contains("concord_postings_cache_limit_bytes "))
    }
  }

  @Test func aReplacedFileIsReported() async throws {
    let test = try TestServer()
    let path = test.folder.appendingPathComponent("test.concord").path
    try await test.run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/health").status == 200)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      try Data().write(to: URL(fileURLWithPath: path))
      for uri in ["/health", "\(TestServer.notes)/documents/tea"] {
        let response = try await send(.get, uri)
        #expect(response.status == 503 && response["code"] == .string("database_replaced"), "\(response.text)")
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
      #expect(try await send(.get, "\(TestServer.notes)/documents/tea").status == 200)
    }
  }

  @Test func anIndexThatIsBeingBuiltIsListed() async throws {
    let test = try TestServer()
    defer { try? FileManager.default.removeItem(at: test.folder) }
    let notes = try #require(try test.database.collection(name: "notes"))
    let builds = IndexBuilds()
    let isDone = DispatchSemaphore(value: 0)
    // The creation waits for the transaction.
    try test.database.inBatch {
      Thread.detachNewThread {
        try? builds.create("new", ValueIndexConfiguration(["kind"]), in: notes, CancellationFlag())
        isDone.signal()
      }
      while builds.builds(of: notes).isEmpty { sched_yield() }
      #expect(builds.builds(of: notes).map(\.name) == ["new"])
    }
    isDone.wait()
    #expect(builds.builds(of: notes).isEmpty)
    #expect(try notes.indexes().contains("new"))
    try test.database.close()
  }
}
