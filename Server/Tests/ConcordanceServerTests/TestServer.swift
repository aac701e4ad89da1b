import Concordance
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONText
import Logging
import Testing

/// A server on a database in its own temporary folder, with three documents in the collection `notes`.
struct TestServer: Sendable {
  let folder: URL
  let database: Concordance.Database
  let server: ConcordanceServer

  init(_ options: ServerOptions = ServerOptions(), logger: Logger = Logger(label: "test")) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = try Database(path: folder.appendingPathComponent("test.concord").path)
    let notes = try database.createCollection(name: "notes")
    for (id, json) in [
      ("tea", #"{"text":"green tea steeping","kind":"drink","price":3}"#),
      ("coffee", #"{"text":"black coffee","kind":"drink","price":4}"#),
      ("a/b.md", #"{"text":"<script>alert(1)</script> harbour","kind":"file","price":1.50}"#),
    ] { try notes.save(document: MutableDocument(id: id, json: json)) }
    try notes.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    server = try ConcordanceServer(databases: [database], options: options, logger: logger)
  }

  static let notes = "/databases/test/collections/notes"

  /// Sends requests over real connections, then closes and deletes the database.
  ///
  /// - Parameter setup: `.live` has one connection, on which a request waits for the response before it; with
  ///   `.ahc(.http)`, concurrent requests have separate connections.
  func run(
    _ setup: TestingSetup = .live, _ body: @escaping @Sendable (TestConnection) async throws -> Void
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await server.application().test(setup) { try await body(TestConnection(client: $0)) }
    try await database.async.close()
  }
}

/// Sends requests and reads the JSON of the responses.
struct TestConnection: Sendable {
  let client: any TestClientProtocol

  func callAsFunction(
    _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, headers: HTTPFields = [:]
  ) async throws -> Answer {
    Answer(
      try await client.executeRequest(
        uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }))
  }
}

struct Answer: Sendable {
  let status: Int
  let headers: HTTPFields
  let text: String

  init(_ response: TestResponse) {
    (status, headers) = (response.status.code, response.headers)
    text = String(buffer: response.body)
  }

  /// The values of the lines of NDJSON.
  var lines: [Line] { text.split(separator: "\n").map { Line(text: String($0)) } }

  struct Line: Sendable {
    let text: String
    subscript(path: String...) -> JSONValue? { Answer.value(path, in: text) }
  }

  /// The value at a path of keys and positions; nil if there is none.
  subscript(path: String...) -> JSONValue? { Answer.value(path, in: text) }

  private static func value(_ path: [String], in text: String) -> JSONValue? {
    var value = try? JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
    for part in path {
      switch value {
      case .object(let members)?: value = members.first { $0.key == part }?.value
      case .array(let values)?:
        value = Int(part).flatMap { values.indices.contains($0) ? values[$0] : nil }
      default: return nil
      }
    }
    return value
  }
}
