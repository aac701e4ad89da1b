import Concordance
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import Testing

@Suite struct BulkTests {
  private let notes = TestServer.notes

  @Test func bulkSavesAndDeletesDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(
        .post, "\(notes)/bulk",
        """
        {"_id":"new","price":2.50}

        {"_id":"tea","text":"black"}
        {"_id":"coffee","_deleted":true}
        {"text":"without an id"}
        """)
      #expect(answer.status == 200)
      let statuses = answer.lines.map { $0["status"] }
      #expect(statuses == [201, 200, 204, 201].map { .int64($0) })
      #expect(answer.lines.map { $0["line"] } == [1, 3, 4, 5].map { .int64($0) })
      #expect(try await send(.get, "\(notes)/documents/new").text == #"{"price":2.50}"#)
      #expect(try await send(.get, "\(notes)/documents/tea").text == #"{"text":"black"}"#)
      #expect(try await send(.get, "\(notes)/documents/coffee").status == 404)
    }
  }

  @Test func aMalformedLineDoesNotStopTheOthers() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, "\(notes)/bulk", "{\"_id\":\"a\"\n{\"_id\":7}\n{\"_id\":\"b\"}\n")
      #expect(answer.lines.map { $0["status"] } == [400, 400, 201].map { .int64($0) })
      #expect(answer.lines[0]["error", "code"] == .string("invalid_json"))
      #expect(try await send(.get, "\(notes)/documents/b").status == 200)
    }
  }

  @Test func compressedBodiesAreRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(
        .post, "\(notes)/bulk", #"{"_id":"a"}"#, headers: [.contentEncoding: "gzip"])
      #expect(answer.status == 415)
      #expect(answer.text.contains(#""unsupported_encoding""#))
      let identity = try await send(
        .post, "\(notes)/bulk", #"{"_id":"a"}"#, headers: [.contentEncoding: "identity"])
      #expect(identity.status == 200)
    }
  }

  @Test func linesMayEndWithACarriageReturn() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, "\(notes)/bulk", "{\"_id\":\"a\"}\r\n\r\n{\"_id\":\"b\"}\r\n")
      #expect(answer.lines.map { $0["status"] } == [201, 201].map { .int64($0) })
    }
  }

  @Test(arguments: [#""false""#, "0", "{}", "null"])
  func onlyATruthValueDeletes(value: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, "\(notes)/bulk", #"{"_id":"tea","_deleted":\#(value)}"#)
      #expect(answer.lines.map { $0["status"] } == [.int64(400)])
      #expect(try await send(.get, "\(notes)/documents/tea").status == 200)
      _ = try await send(.post, "\(notes)/bulk", #"{"_id":"tea","_deleted":false}"#)
      #expect(try await send(.get, "\(notes)/documents/tea").text == "{}")
    }
  }

  @Test func aCollectionThatWasCreatedAgainIsUsed() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.delete, notes).status == 204)
      #expect(try await send(.post, "\(notes)/bulk", #"{"_id":"x"}"#).status == 404)
      #expect(try await send(.put, notes).status == 204)
      #expect(try await send(.post, "\(notes)/bulk", #"{"_id":"x"}"#).status == 200)
      #expect(try await send(.get, "\(notes)/changes").text.contains(#""id":"x""#))
    }
  }

  @Test func moreLinesThanABatchAreSaved() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let body = (0..<1500).map { #"{"_id":"n\#($0)"}"# }.joined(separator: "\n")
      #expect(try await send(.post, "\(notes)/bulk", body).lines.count == 1500)
      #expect(try await send(.get, "\(notes)/documents/n1499").status == 200)
    }
  }

  /// The lines that are not saved yet are parts of the body.
  @Test(.timeLimit(.minutes(10))) func theMemoryOfABodyIsReservedUntilTheResponseEnds() async throws {
    let server = try TestServer()
    let bodies = server.server.state.bodies
    var response: Response? = try await server.response(.post, "\(notes)/bulk", #"{"_id":"a"}"#)
    #expect(response?.status == .ok)
    #expect(throws: Problem.self) { try bodies.makeReservation().add(256 << 20) }
    withExtendedLifetime(response) {}
    response = nil
    while (try? bodies.makeReservation().add(256 << 20)) == nil { await Task.yield() }
    try await server.database.async.close()
    try FileManager.default.removeItem(at: server.folder)
  }

  @Test func documentsAreListedByIDWithTheirText() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/documents")
      #expect(answer.headers[.contentType] == "application/x-ndjson")
      #expect(answer.lines.map { $0["_id"] } == ["a/b.md", "coffee", "tea"].map { .string($0) })
      #expect(answer.text.contains("1.50"))
      let rest = try await send(.get, "\(notes)/documents?after=a/b.md&limit=1")
      #expect(rest.lines.map { $0["_id"] } == [.string("coffee")])
    }
  }

  /// A part ends after 1,000 documents or 256 KiB.
  @Test func allPartsOfAListAreSent() async throws {
    let server = try TestServer()
    let text = String(repeating: "x", count: 100_000)
    let many = try server.database.createCollection(name: "many")
    try server.database.inBatch {
      for number in 0..<2100 {
        try many.save(document: MutableDocument(id: "n\(10_000 + number)", json: #"{"n":\#(number)}"#))
      }
      for number in 0..<7 {
        try many.save(document: MutableDocument(id: "z\(number)", json: #"{"text":"\#(text)"}"#))
      }
    }
    try await server.run { (send: TestConnection) async throws -> Void in
      let documents = "/databases/test/collections/many/documents"
      let all = try await send(.get, documents)
      let ids = (0..<2100).map { "n\(10_000 + $0)" } + (0..<7).map { "z\($0)" }
      #expect(all.lines.map { $0["_id"] } == ids.map { .string($0) })
      for limit in [0, 1000, 1001, 2103] {
        let part = try await send(.get, "\(documents)?limit=\(limit)")
        #expect(part.lines.map { $0["_id"] } == ids.prefix(limit).map { .string($0) })
      }
    }
  }

  @Test func propertiesWithTheNamesOfBulkMembersAreNotListed() async throws {
    let server = try TestServer()
    let json = #"{"_id":"y","_deleted":true,"n":1.50}"#
    try server.database.collection(name: "notes")?.save(document: MutableDocument(id: "a", json: json))
    try await server.run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "\(notes)/documents?limit=1").text == #"{"_id":"a","n":1.50}"# + "\n")
    }
  }

  @Test func documentsWithLineBreaksAreListedOnOneLine() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/lines", "\n{\n  \"a\": [1,\r\n 2.50]\n}\n")
      _ = try await send(.put, "\(notes)/documents/none", "{\n}")
      let answer = try await send(.get, "\(notes)/documents?after=coffee&limit=2")
      #expect(answer.lines.map { $0["_id"] } == ["lines", "none"].map { .string($0) })
      #expect(answer.lines[0]["a", "0"] == .int64(1))
      #expect(answer.text.contains("2.50"))
      #expect(answer.lines[1].text == #"{"_id":"none"}"#)
    }
  }

  @Test func listedDocumentsCanBeSavedAgain() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let list = try await send(.get, "\(notes)/documents").text
      #expect(try await send(.put, "/databases/test/collections/copy").status == 204)
      #expect(try await send(.post, "/databases/test/collections/copy/bulk", list).lines.count == 3)
      #expect(try await send(.get, "/databases/test/collections/copy/documents").text == list)
    }
  }
}
