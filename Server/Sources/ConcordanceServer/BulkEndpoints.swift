import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Many documents in one request or response, as NDJSON: `{"_id":"a","text":"…"}`.
enum BulkEndpoints {
  private static let collection = "/databases/{database}/collections/{collection}"

  static let all: [Endpoint] = [
    Endpoint(
      method: .post, path: "\(collection)/bulk", operation: "bulk",
      summary: "Saves documents, one a line, with their ids as _id. {\"_id\":\"a\",\"_deleted\":true} deletes one. The "
        + "response has a line for each line.",
      scope: .write, body: ("application/x-ndjson", .string),
      responses: [(200, "A result for each line.", "application/x-ndjson")], handle: save),
    Endpoint(
      method: .get, path: "\(collection)/documents", operation: "listDocuments",
      summary: "Streams the documents of a collection by id, one a line, with their ids as _id.",
      parameters: [
        .init(name: "after", schema: .string, summary: "The id after which the list begins."),
        .init(name: "limit", schema: .count, summary: "The maximum number of documents; all by default."),
      ], responses: [(200, "The documents.", "application/x-ndjson")], handle: list),
  ]

  /// The number of lines that are saved in one transaction.
  private static let batchCount = 1000

  private static func save(_ input: RequestInput) async throws -> Response {
    let lines = try input.bodyText().split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      BulkLine(number: $0 + 1, text: $1)
    }
    .filter { !$0.text.allSatisfy(\.isWhitespace) }
    let collection = try await input.withCollection { $0 }
    // The first batch runs before the response begins, so that its errors, such as a full disk, have a status.
    let first = try await save(lines.prefix(batchCount), in: collection)
    return input.streamedResponse("application/x-ndjson") { sink in
      try await sink.send(first)
      var rest = lines.dropFirst(batchCount)
      while !rest.isEmpty {
        try await sink.send(save(rest.prefix(batchCount), in: collection))
        rest = rest.dropFirst(batchCount)
      }
    }
  }

  private static func save(_ lines: ArraySlice<BulkLine>, in collection: Concordance.Collection) async throws
    -> ByteBuffer
  {
    try await collection.database.async.inBatch {
      var results = ByteBuffer()
      for line in lines {
        results.writeBytes(try line.save(in: collection))
        results.writeString("\n")
      }
      return results
    }
  }

  private static func list(_ input: RequestInput) async throws -> Response {
    let after = input.string("after")
    let limit = input.string("limit") == nil ? Int.max : try input.count("limit", default: 0)
    let collection = try await input.withCollection { $0 }
    let rows = try await collection.database.async.perform { database in
      let query = try database.createQuery(
        """
        SELECT META(c).id, c FROM `\(collection.scope.name)`.`\(collection.name)` AS c
        WHERE META(c).id > $after ORDER BY META(c).id LIMIT $limit
        """)
      query.parameters = Concordance.Parameters()
        .setString(after ?? "", forName: "after").setInt64(Int64(limit), forName: "limit")
      return try query.rows()
    }
    return input.streamedResponse("application/x-ndjson") { sink in
      var buffer = ByteBuffer()
      for try await row in rows {
        var writer = JSONWriter()
        writer.write(row.string(at: 0) ?? "")
        // The text of the document follows the id, byte for byte.
        let body = row.json(at: 1) ?? "{}"
        buffer.writeString("{\"_id\":")
        buffer.writeBytes(writer.bytes)
        buffer.writeString(body == "{}" ? "}\n" : ",\(body.dropFirst())\n")
        if buffer.readableBytes >= 16 << 10 {
          try await sink.send(buffer)
          buffer.clear()
        }
      }
      if buffer.readableBytes > 0 { try await sink.send(buffer) }
    }
  }
}

/// A line of a bulk request.
private struct BulkLine: Sendable {
  let number: Int
  let text: Substring

  /// Saves or deletes the document, and returns the result as JSON. A mistake in the line is part of the result.
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
      // An error that is not in the line ends the batch, which is rolled back.
      guard problem.status.code < 500 else { throw error }
      writer.object { writer in
        writer.member("line", number)
        writer.member("status", problem.status.code)
        writer.member("error") { $0.write(rawJSON: problem.json) }
      }
    }
    return writer.bytes
  }

  private func change(_ collection: Concordance.Collection) throws -> (id: String, status: Int, revision: String?) {
    let document = try MutableDocument(id: nil, json: String(text))
    let id = document.string(forKey: "_id")
    if document.contains(key: "_id"), id == nil { throw Problem.invalidParameter("_id", "expected a string") }
    if document.boolean(forKey: "_deleted") {
      guard let id else { throw Problem.invalidParameter("_id", "the id of the document to delete is missing") }
      guard let stored = try collection.document(id: id) else {
        throw Problem.notFound("there is no document \"\(id)\"")
      }
      try collection.delete(document: stored)
      return (id, 204, nil)
    }
    guard let id else {
      try collection.save(document: document)
      return (document.id, 201, document.revisionID)
    }
    let isNew = try collection.document(id: id) == nil
    let named = try MutableDocument(id: id, json: String(text)).removeValue(forKey: "_id")
    try collection.save(document: named)
    return (id, isNew ? 201 : 200, named.revisionID)
  }
}
