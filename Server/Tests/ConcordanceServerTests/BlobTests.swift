@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct BlobTests {
  private let blob = "\(TestServer.notes)/documents/tea/blobs/picture"

  @Test func aBlobIsStoredInAProperty() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let stored = try await send(.put, blob, "0123456789", headers: [.contentType: "image/png"])
      #expect(stored["length"] == .int64(10) && stored.status == 201 && stored.headers[.location] == blob)
      #expect(try await send(.put, blob, "0123456789", headers: [.contentType: "image/png"]).status == 200)
      let answer = try await send(.get, blob)
      #expect(answer.text == "0123456789")
      #expect(answer.headers[.contentType] == "image/png")
      #expect(answer.headers[.contentDisposition] == "inline")
      let tag = try #require(answer.headers[.eTag])
      #expect(try await send(.get, blob, headers: [.ifNoneMatch: tag]).status == 304)
      #expect(try await send(.get, "\(TestServer.notes)/documents/tea")["picture", "@type"] == .string("blob"))
    }
  }

  @Test func aStoredBlobHasTheETagOfItsContentAndTheRevisionOfItsDocument() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let stored = try await send(.put, blob, "0123456789")
      #expect(stored.headers[.eTag] == (try await send(.get, blob).headers[.eTag]))
      let document = try await send(.get, "\(TestServer.notes)/documents/tea")
      guard case .string(let revision)? = stored["revision"] else { return #expect(Bool(false), "\(stored.text)") }
      #expect(document.headers[.eTag] == "\"\(revision)\"")
    }
  }

  /// The length in a document was written by a client.
  @Test func theLengthOfABlobIsThatOfItsContent() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let stored = try await send(.put, blob, "0123456789")
      guard case .string(let digest)? = stored["digest"] else { return #expect(Bool(false), "there is no digest") }
      for length in [3, 99] {
        let document = #"{"picture":{"@type":"blob","digest":"\#(digest)","length":\#(length)}}"#
        #expect(try await send(.put, "\(TestServer.notes)/documents/tea", document).status == 200)
        #expect(try await send(.get, blob).text == "0123456789")
        #expect(try await send(.get, blob, headers: [.range: "bytes=8-"]).text == "89")
      }
    }
  }

  @Test(arguments: ["_id", "_deleted"]) func theNamesOfBulkMembersAreNoProperties(name: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.put, "\(TestServer.notes)/documents/tea/blobs/\(name)", "x")
      #expect(answer.status == 400 && answer["parameter"] == .string("key"), "\(answer.text)")
    }
  }

  @Test func headIgnoresRanges() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let blob = "\(TestServer.notes)/documents/tea/blobs/data"
      _ = try await send(.put, blob, "0123456789")
      let head = try await send(.head, blob, headers: [.range: "bytes=20-"])
      #expect(head.status == 200 && head.headers[.contentLength] == "10")
    }
  }

  @Test func scriptsAreNotServedAsScripts() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let blob = "\(TestServer.notes)/documents/tea/blobs/data"
      _ = try await send(.put, blob, "alert(1)", headers: [.contentType: "text/JavaScript"])
      #expect(try await send(.get, blob).headers[.contentType] == "application/octet-stream")
    }
  }

  @Test func aRangeIsReturned() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, blob, "0123456789")
      let answer = try await send(.get, blob, headers: [.range: "bytes=2-4"])
      #expect(answer.status == 206)
      #expect(answer.text == "234")
      #expect(answer.headers[.contentRange] == "bytes 2-4/10")
      let outside = try await send(.get, blob, headers: [.range: "bytes=10-"])
      #expect(outside.status == 416)
      #expect(outside.headers[.contentRange] == "bytes */10")
    }
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10), ("bytes=8-99", 8..<10),
    ("bytes=8-99999999999999999999", 8..<10), ("bytes=-99999999999999999999", 0..<10),
  ])
  func rangesAreParsed(header: String, range: Range<Int>) throws {
    #expect(try ByteRange(header, length: 10)?.range == range)
  }

  @Test(arguments: [
    "items=0-1", "bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "bytes=", "bytes=-", "bytes=--5", "bytes=-+5", "bytes=+5-",
    "bytes=--9223372036854775808",
  ])
  func otherRangesAreIgnored(header: String) throws {
    #expect(try ByteRange(header, length: 10) == nil)
  }

  @Test(arguments: [
    "bytes=10-", "bytes=10-12", "bytes=-0", "bytes=9223372036854775807-9223372036854775807",
    "bytes=99999999999999999999-",
  ])
  func rangesOutsideTheContentAreRejected(header: String) {
    #expect(throws: Problem.self) { try ByteRange(header, length: 10) }
  }

  @Test func aRangeOfAnotherVersionIsIgnored() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, blob, "0123456789")
      let answer = try await send(.get, blob, headers: [.range: "bytes=2-4", .ifRange: "\"other\""])
      #expect(answer.status == 200 && answer.text == "0123456789")
      let tag = try #require(answer.headers[.eTag])
      #expect(try await send(.get, blob, headers: [.range: "bytes=2-4", .ifRange: tag]).status == 206)
    }
  }

  @Test func aBlobOfAnotherRevisionIsNotReplaced() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, blob, "0123456789")
      #expect(try await send(.put, blob, "new", headers: [.ifMatch: "\"other\""]).status == 412)
      #expect(try await send(.get, blob).text == "0123456789")
      let expiration = "\(TestServer.notes)/documents/tea/expiration"
      #expect(try await send(.put, expiration, #"{"seconds":9}"#, headers: [.ifMatch: "\"other\""]).status == 412)
    }
  }

  @Test func aBlobIsFoundByItsDigest() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let stored = try await send(.post, "/databases/test/blobs", "<script>", headers: [.contentType: "text/html"])
      #expect(stored.status == 201)
      guard case .string(let digest)? = stored["digest"] else { return #expect(Bool(false), "there is no digest") }
      let path = digest.replacing("/", with: "%2F").replacing("+", with: "%2B")
      let answer = try await send(.get, "/databases/test/blobs/\(path)")
      #expect(answer.text == "<script>")
      #expect(answer.headers[.contentDisposition] == "attachment")
      #expect(answer.headers[.contentSecurityPolicy]?.hasPrefix("sandbox") == true)
    }
  }

  @Test func htmlIsNotShownByABrowser() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, blob, "<script>", headers: [.contentType: "text/html"])
      #expect(try await send(.get, blob).headers[.contentDisposition] == "attachment")
    }
  }

  @Test func missingBlobsAre404() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, blob).status == 404)
      #expect(try await send(.get, "/databases/test/blobs/sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=").status == 404)
      #expect(try await send(.put, "\(TestServer.notes)/documents/none/blobs/a", "x").status == 404)
    }
  }

  @Test func anExpirationIsSetAndRemoved() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let path = "\(TestServer.notes)/documents/tea/expiration"
      #expect(try await send(.get, path)["expiration"] == .null)
      let set = try await send(.put, path, #"{"expiration":"2999-01-31T12:00:00Z"}"#)
      #expect(set["expiration"] == .string("2999-01-31T12:00:00Z"))
      #expect(try await send(.get, path)["expiration"] == .string("2999-01-31T12:00:00Z"))
      #expect(try await send(.put, path, #"{"expiration":null}"#).status == 200)
      #expect(try await send(.get, path)["expiration"] == .null)
      for time in ["soon", "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z"] {
        #expect(try await send(.put, path, #"{"expiration":"\#(time)"}"#)["parameter"] == .string("expiration"))
      }
      #expect(try await send(.put, path, #"{"seconds":null}"#)["parameter"] == .string("seconds"))
      #expect(try await send(.get, path)["expiration"] == .null)
    }
  }

  @Test func anExpiredDocumentIsPurged() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(TestServer.notes)/documents/tea/expiration", #"{"seconds":0}"#).status == 200)
      #expect(try await send(.get, "\(TestServer.notes)/documents/tea").status == 404)
    }
  }
}
