import Concordance
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSONText
import Testing

/// Databases whose files are deleted or replaced while the server runs.
@Suite(.timeLimit(.minutes(10))) struct ReplacedFileTests {
  @Test(arguments: [
    ("changes", "\(TestServer.notes)/changes?feed=events&since=now"),
    ("liveSearch", "\(TestServer.notes)/search/live?q=tea"),
    ("liveQuery", "/databases/test/query/live?q=SELECT+1+FROM+notes"),
  ])
  func eventStreamsEnd(operation: String, path: String) async throws {
    let server = try TestServer()
    try await server.run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      async let answer = send(.get, path)
      while try await !send(.get, "/metrics").text.contains("operation=\"\(operation)\"") { await Task.yield() }
      try server.replaceFile()
      let text = try await answer.text
      #expect(text.contains("event: error\n") && text.contains(#""code":"database_replaced""#), "\(text)")
    }
  }

  @Test func aLongPollFails() async throws {
    let server = try TestServer()
    try await server.run(.ahc(.http)) { (send: TestConnection) async throws -> Void in
      async let answer = send(.get, "\(TestServer.notes)/changes?feed=longpoll&since=now&timeout=300")
      while try await !send(.get, "/metrics").text.contains("concord_event_streams_active 1") { await Task.yield() }
      try server.replaceFile()
      let answered = try await answer
      #expect(answered.status == 503 && answered["code"] == .string("database_replaced"), "\(answered.text)")
    }
  }

  @Test func theReplacementIsLoggedNowAndAtShutdown() async throws {
    let messages = LogMessages()
    let server = try TestServer(logger: messages.makeLogger())
    try await server.run { (send: TestConnection) async throws -> Void in
      try server.replaceFile()
      while messages.warnings.isEmpty { _ = try await send(.get, "/health") }
    }
    let path = server.folder.appendingPathComponent("test.concord").path
    let expected =
      "\(path) was replaced while it was open: delete \(path)-wal and \(path)-shm before you open it, or the new file "
      + "will be damaged"
    #expect(messages.warnings == [expected, expected])
  }
}

extension TestServer {
  fileprivate func replaceFile() throws {
    let file = folder.appendingPathComponent("test.concord")
    try Data("new".utf8).write(to: file.appendingPathExtension("new"))
    #expect(rename(file.path + ".new", file.path) == 0)
  }
}
