import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Endpoints for many documents in one request or response, as NDJSON: `{"_id":"a","text":"…"}`.
enum BulkEndpoints {
  private static let collection = "/databases/{database}/collections/{collection}"

  static let all: [Endpoint] = [
    Endpoint(
      method: .post, path: "\(collection)/bulk", operation: "bulk",
      summary: "Saves documents, one per line, with their ids as _id. {\"_id\":\"a\",\"_deleted\":true} deletes one. "
        + "The response contains one result line for each request line.",
      scope: .write, body: ("application/x-ndjson", .string),
      responses: [(200, "A result for each line.", "application/x-ndjson")], handle: save),
    Endpoint(
      method: .get, path: "\(collection)/documents", operation: "listDocuments",
      summary: "Streams the documents of a collection in order of id, one per line, with their ids as _id.",
      parameters: [
        .init(name: "after", schema: .string, summary: "The id after which the list starts."),
        .init(name: "limit", schema: .count, summary: "The maximum number of documents; all by default."),
      ], responses: [(200, "The documents.", "application/x-ndjson")], handle: list),
  ]

  /// The number of lines that are saved in one transaction.
  private static let batchCount = 1000

  private static func save(_ input: RequestInput) async throws -> Response {
    let collection = try await input.withExistingCollection()
    // The first batch runs before the response starts, so that its errors, such as a full disk, set the HTTP status.
    let first = try await save(BulkLines(input.body), in: collection)
    return input.streamedResponse("application/x-ndjson") { sink in
      // The other lines are parts of the body, whose memory is reserved while `input` exists.
      defer { withExtendedLifetime(input) {} }
      try await sink.send(first.results)
      var rest = first.rest
      while !rest.isEmpty {
        let next = try await save(rest, in: collection)
        try await sink.send(next.results)
        rest = next.rest
      }
    }
  }

  /// Saves the documents of the first lines in one transaction. Returns the results and the other lines.
  private static func save(_ lines: BulkLines, in collection: Concordance.Collection) async throws
    -> (results: ByteBuffer, rest: BulkLines)
  {
    try await collection.database.async.inBatch {
      var (results, rest) = (ByteBuffer(), lines)
      for _ in 0..<batchCount {
        guard let line = rest.next() else { break }
        results.writeBytes(try line.save(in: collection))
        results.writeString("\n")
      }
      return (results, rest)
    }
  }

  private static func list(_ input: RequestInput) async throws -> Response {
    let limit = input.string("limit") == nil ? Int.max : try input.count("limit", default: 0)
    let collection = try await input.withExistingCollection()
    let permit = try await input.server.limits(of: collection.database).rows.permit()
    var listing = DocumentListing(
      collection, after: input.string("after"), limit: limit, timeout: input.server.options.limits.queryTimeout)
    // The first part is read before the response starts, so that its errors set the HTTP status.
    let first = try await listing.next()
    let rest = listing
    return input.streamedResponse("application/x-ndjson") { sink in
      defer { withExtendedLifetime(permit) {} }
      var (later, part) = (rest, first)
      while let current = part {
        try await sink.send(current)
        part = try await later.next()
      }
    }
  }
}

/// The lines of a bulk request that are not blank, found as they are read.
private struct BulkLines: Sendable {
  private var bytes: ByteBufferView
  private var number = 0

  init(_ body: ByteBuffer) { bytes = body.readableBytesView }

  /// Whether all bytes were read.
  var isEmpty: Bool { bytes.isEmpty }

  mutating func next() -> BulkLine? {
    while !bytes.isEmpty {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let line = bytes[..<end]
      bytes = end == bytes.endIndex ? bytes[end...] : bytes[bytes.index(after: end)...]
      number += 1
      // A blank line contains only whitespace, such as the carriage return before the line feed.
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return BulkLine(number: number, bytes: line) }
    }
    return nil
  }
}

/// A line of a bulk request.
private struct BulkLine: Sendable {
  let number: Int
  let bytes: ByteBufferView

  /// Saves or deletes the document and returns the result as JSON. If the line has an error, the result contains it.
  func save(in collection: Concordance.Collection) throws -> [UInt8] {
    var writer = JSONWriter()
    do {
      let result = try change(collection)
      writer.object { writer in
        writer.member("line", number)
        writer.member("id", result.id)
        writer.member("status", result.status)
        if let revision = result.revision { writer.member("revision", revision) }
      }
    } catch {
      let problem = Problem(error)
      // A server error ends the batch and rolls it back.
      guard problem.status.code < 500 else { throw error }
      writer.object { writer in
        writer.member("line", number)
        writer.member("status", problem.status.code)
        writer.member("error") { $0.write(rawJSON: problem.json) }
      }
    }
    return writer.bytes
  }

  /// Returns the value of `_deleted`. Parses the text because document getters convert values of other types.
  private func isDeletion(_ text: String) throws -> Bool {
    let value = try JSONParser.withShared { try $0.parse(utf8: text)["_deleted"]?.boolean }
    guard let value else { throw Problem.invalidParameter("_deleted", "expected true or false") }
    return value
  }

  private func change(_ collection: Concordance.Collection) throws -> (id: String, status: Int, revision: String?) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.badRequest, "invalid_json", "the line is not UTF-8")
    }
    let document = try MutableDocument(id: nil, json: text)
    try DocumentID.checkRepetition(of: document, in: text)
    let id = document.string(forKey: "_id")
    if document.contains(key: "_id"), id == nil { throw Problem.invalidParameter("_id", "expected a string") }
    if document.contains(key: "_deleted"), try isDeletion(text) {
      guard let id else { throw Problem.invalidParameter("_id", "the id of the document to delete is missing") }
      guard let stored = try collection.document(id: id) else {
        throw Problem.notFound("there is no document \"\(id)\"")
      }
      try collection.delete(document: stored)
      return (id, 204, nil)
    }
    guard let id else {
      document.removeValue(forKey: "_deleted")
      try collection.save(document: document)
      return (document.id, 201, document.revisionID)
    }
    let isNew = try collection.document(id: id) == nil
    let named = try MutableDocument(id: id, json: text).withoutBulkMembers()
    try collection.save(document: named)
    return (id, isNew ? 201 : 200, named.revisionID)
  }
}

extension MutableDocument {
  /// Removes the members that only bulk lines have.
  func withoutBulkMembers() -> MutableDocument {
    removeValue(forKey: "_id").removeValue(forKey: "_deleted")
  }
}
