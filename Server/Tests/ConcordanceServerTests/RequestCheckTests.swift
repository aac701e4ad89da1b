import Concordance
import ConcordanceNetwork
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import Testing

/// Requests that are refused because the server could misunderstand them.
@Suite struct RequestCheckTests {
  private let notes = TestServer.notes

  @Test(arguments: [("gzip, chunked", 501), ("Chunked", 201)])
  func aCompressedTransferIsRefused(coding: String, status: Int) async throws {
    let server = try TestServer()
    defer { try? FileManager.default.removeItem(at: server.folder) }
    let response = try await server.response(.put, "\(notes)/documents/x", "{}", headers: [.transferEncoding: coding])
    #expect(response.status.code == status)
    try await server.database.async.close()
  }

  @Test(
    arguments: [
      ("2030-01-31T12:00:00Z", 1_896_091_200), ("2030-01-31t13:00:00.5+01:00", 1_896_091_200.5),
      ("1970-01-01T00:00:00z", 0), ("2000-02-29T00:00:00Z", 951_782_400), ("2030-02-31T12:00:00Z", nil),
      ("2030-01-31T12:00:00Zgarbage", nil), ("2100-02-29T00:00:00Z", nil), ("2030-01-31T24:00:00Z", nil),
      ("2030-13-01T00:00:00Z", nil), ("2030-01-31T12:00:00", nil),
    ] as [(String, Double?)])
  func timesAreStrict(text: String, seconds: Double?) {
    #expect(Date(rfc3339: text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [("Bearer abc", "abc"), ("bearer   abc", "abc"), ("Bearer  ", nil)] as [(String, String?)])
  func spacesPrecedeTheToken(value: String, token: String?) {
    #expect(AuthorizationHeader(value)?.bearerToken == token)
  }

  @Test func repeatedKeysAreRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let options = try await send(.post, "\(notes)/search", #"{"q":"tea","q":"coffee"}"#)
      #expect(options.status == 400 && options["parameter"] == .string("q"), "\(options.text)")
      let ids = #"{"_id":"x","_id":"x"}"#
      let requests: [(HTTPRequest.Method, String)] = [
        (.put, "\(notes)/documents/x"), (.patch, "\(notes)/documents/x"), (.post, "\(notes)/documents"),
      ]
      for (method, path) in requests {
        let answer = try await send(method, path, ids)
        #expect(answer.status == 400 && answer["parameter"] == .string("_id"), "\(answer.text)")
      }
      let lines = try await send(.post, "\(notes)/bulk", #"{"_id":"tea","_deleted":false,"_deleted":true}"#)
      #expect(lines.lines.first?["status"] == .int64(400), "\(lines.text)")
    }
  }

  @Test func facetsAreLimited() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let many = (1...101).map { "a\($0)" }.joined(separator: ",")
      for facets in ["kind,kind:5", many] {
        let answer = try await send(.get, "\(notes)/search?q=tea&facets=\(facets)")
        #expect(answer.status == 400 && answer["parameter"] == .string("facets"), "\(answer.text)")
      }
    }
  }

  /// A live search needs all servers.
  @Test func liveSearchesAreDescribedWithoutPartial() {
    for endpoint in LiveEndpoints.all {
      #expect(!endpoint.parameters.contains { $0.name == "partial" })
      #expect(endpoint.body?.schema.text.contains("partial") != true)
    }
  }

  @Test func waitingChangesLeaveRoomForReads() async throws {
    var options = ServerOptions()
    options.limits.maximumQueueLength = 4
    let server = try TestServer(options)
    let writes = server.server.state.writes
    try await server.run { (send: TestConnection) async throws -> Void in
      var permits: [OperationLimit.Permit] = []
      for _ in 1...3 { permits.append(try await writes.permit()) }
      let refused = try await send(.put, "\(notes)/documents/x", "{}")
      #expect(refused.status == 503 && refused["code"] == .string("queue_full"), "\(refused.text)")
      #expect(try await send(.get, "\(notes)/documents/tea").status == 200)
      permits.removeAll()
      #expect(try await send(.put, "\(notes)/documents/x", "{}").status == 201)
    }
  }
}
