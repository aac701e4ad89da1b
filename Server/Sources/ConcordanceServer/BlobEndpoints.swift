import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Blobs: binary content that documents refer to.
enum BlobEndpoints {
  private static let blob = "/databases/{database}/collections/{collection}/documents/{id}/blobs/{key}"
  private static let contentParameters = [
    Endpoint.Parameter(
      name: "Range", schema: .string, summary: "The part to return, such as bytes=0-99; only one range.",
      isHeader: true),
    Endpoint.Parameter(
      name: "If-Range", schema: .string,
      summary: "Returns the part only if the blob has this ETag, otherwise the whole content.", isHeader: true),
    Endpoint.Parameter(
      name: "If-None-Match", schema: .string, summary: "Returns 304 if the blob has this ETag.", isHeader: true),
  ]
  private static let content = [
    (status: 200, description: "The content.", mediaType: Optional("application/octet-stream")),
    (status: 206, description: "A part of the content.", mediaType: Optional("application/octet-stream")),
    (status: 304, description: "The blob has the ETag of If-None-Match.", mediaType: nil),
  ]

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: blob, operation: "getDocumentBlob",
      summary: "Returns the content of a blob in a document property, with its content type.",
      parameters: contentParameters, responses: content
    ) { input in
      let (id, key) = (input.variables["id"] ?? "", input.variables["key"] ?? "")
      let blob = try await input.withCollection { collection in
        guard let document = try collection.document(id: id) else {
          throw Problem.notFound("there is no document \"\(id)\"")
        }
        guard let blob = document.blob(forKey: key) else {
          throw Problem.notFound("the property \"\(key)\" of the document \"\(id)\" is not a blob")
        }
        // The length in the document was written by a client and may be wrong.
        guard let stored = try collection.database.getBlob(properties: blob.properties) else {
          throw Problem.notFound("the content of the blob is missing")
        }
        return stored
      }
      return try await respond(blob, input)
    },
    Endpoint(
      method: .put, path: blob, operation: "putDocumentBlob",
      summary:
        "Stores the body as a blob in a document property, with the content type of the request. The ETag is "
        + "that of the content; revision is the document's new revision, for If-Match.",
      scope: .write, parameters: WriteCondition.blobParameters, body: ("application/octet-stream", .string),
      responses: [
        (200, "The blob is replaced.", "application/json"), (201, "The blob is created.", "application/json"),
      ], result: .component(.blob)
    ) { input in
      let (id, key) = (input.variables["id"] ?? "", input.variables["key"] ?? "")
      // In requests and lists, these names are not those of properties.
      guard !["_id", "_deleted"].contains(key) else {
        throw Problem.invalidParameter("key", "a property cannot have the name \(key)")
      }
      let (blob, condition) = (input.blob, WriteCondition(input.headers))
      let (revision, isNew) = try await input.withCollectionForWriting { collection in
        let name = "blob \"\(key)\" in the document \"\(id)\""
        guard let stored = try collection.document(id: id) else {
          try condition.check(nil, name: name)
          throw Problem.notFound("there is no document \"\(id)\"")
        }
        // The blob that GET returns.
        let properties = stored.blob(forKey: key)?.properties
        let current = try properties.flatMap { try collection.database.getBlob(properties: $0) }
        try condition.check(current?.tag, document: SavedDocumentResponse(stored).tag, name: name)
        let document = stored.toMutable().setBlob(blob, forKey: key)
        try collection.save(document: document)
        return (document.revisionID ?? "", properties == nil)
      }
      var headers: HTTPFields = [.eTag: blob.tag]
      if isNew { headers[.location] = PathText.path(input.documentPath(id) + ["blobs", key]) }
      return blob.response(isNew ? .created : .ok, headers: headers, revision: revision)
    },
    Endpoint(
      method: .get, path: "/databases/{database}/blobs/{digest}", operation: "getBlob",
      summary: "Returns the content of the blob with a digest, such as sha1-2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D.",
      parameters: contentParameters, responses: content
    ) { input in
      let digest = input.variables["digest"] ?? ""
      let blob = try await input.database().async.perform { database in
        try database.getBlob(properties: [Blob.typeProperty: Blob.blobType, Blob.blobDigestProperty: digest])
      }
      guard let blob else { throw Problem.notFound("there is no blob \"\(digest)\"") }
      return try await respond(blob, input)
    },
    Endpoint(
      method: .post, path: "/databases/{database}/blobs", operation: "createBlob",
      summary: "Stores the body as a blob and returns the JSON value by which documents refer to it.",
      scope: .write, body: ("application/octet-stream", .string),
      responses: [(201, "The blob is stored.", "application/json")], result: .component(.blob)
    ) { input in
      let blob = input.blob
      let database = try input.database()
      // Runs on the writing thread, so that waiting for another writer does not occupy a thread that searches need.
      // The result is unwrapped outside the batch, which would wrap errors thrown by the block.
      try await database.async.inBatch { Swift.Result { try database.saveBlob(blob: blob) } }.get()
      let path = PathText.path(["databases", input.variables["database"] ?? "", "blobs", blob.digest ?? ""])
      return blob.response(.created, headers: [.location: path])
    },
  ]

  private static func respond(_ blob: Blob, _ input: RequestInput) async throws -> Response {
    let length = Int(clamping: blob.length)
    var headers: HTTPFields = [
      .acceptRanges: "bytes", .eTag: blob.tag,
      // The content is untrusted: a browser must not run it.
      .contentSecurityPolicy: "sandbox; default-src 'none'",
      .contentDisposition: BlobEndpoints.isShown(blob.contentType ?? "") ? "inline" : "attachment",
    ]
    if let known = input.headers[.ifNoneMatch], let tag = headers[.eTag], EntityTags(known).contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    // A client that resumes a download sends the ETag of the content that it has partially downloaded.
    let isCurrent = input.headers[.ifRange].map { $0 == headers[.eTag] } ?? true
    // RFC 9110 defines ranges only for GET.
    let header = isCurrent && input.method == .get ? input.headers[.range] : nil
    let requested = try header.flatMap { try ByteRange($0, length: length) }
    let range = requested?.range ?? 0..<length
    guard let reader = BlobReader(blob) else { throw Problem.notFound("the content of the blob is missing") }
    if requested != nil { headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)" }
    let type = blob.contentType.flatMap { $0.allSatisfy { $0.isASCII && !$0.isNewline } ? $0 : nil }
    headers[.contentType] = type.flatMap { BlobEndpoints.isScript($0) ? nil : $0 } ?? "application/octet-stream"
    let database = try input.database()
    let body = input.producedBody(contentLength: range.count) { writer in
      var remaining = range
      var skipped = 0
      while skipped < range.lowerBound {
        let count = min(range.lowerBound - skipped, BlobReader.skippedSize)
        try await database.async.perform { _ in try reader.skip(count) }
        skipped += count
      }
      while !remaining.isEmpty {
        let count = min(remaining.count, BlobReader.partSize)
        let part = try await database.async.perform { _ in try reader.read(count) }
        try await writer.write(ByteBuffer(bytes: part))
        remaining = (remaining.lowerBound + part.count)..<remaining.upperBound
      }
      try await writer.finish(nil)
    }
    return Response(status: requested == nil ? .ok : .partialContent, headers: headers, body: body)
  }

  /// The types that a browser may display because they cannot contain scripts.
  private static let shownTypes: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "text/plain", "application/pdf",
  ]
}

extension BlobEndpoints {
  /// Returns whether a browser may display content of this type. Browsers use the last type of a list.
  fileprivate static func isShown(_ type: String) -> Bool {
    !type.contains(",") && shownTypes.contains(MediaType.name(of: type))
  }

  /// Returns whether a page could load content of this type as a script or a style sheet.
  fileprivate static func isScript(_ type: String) -> Bool {
    let type = type.lowercased()
    return ["script", "css", "wasm"].contains { type.contains($0) }
  }
}

extension RequestInput {
  /// The request body as a blob.
  fileprivate var blob: Blob {
    Blob(contentType: headers[.contentType] ?? "application/octet-stream", data: Data(body.readableBytesView))
  }
}

extension Blob {
  /// The ETag of the content.
  fileprivate var tag: String { "\"\(digest ?? "")\"" }

  /// Returns the JSON value that refers to the blob.
  ///
  /// - Parameter revision: the document's new revision, which is added to the object; nil for none.
  fileprivate func response(
    _ status: HTTPResponse.Status, headers: HTTPFields = [:], revision: String? = nil
  ) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member(Blob.typeProperty, Blob.blobType)
      if let contentType { writer.member("content_type", contentType) }
      writer.member(Blob.blobDigestProperty, digest ?? "")
      writer.member("length", Int(clamping: length))
      if let revision { writer.member("revision", revision) }
    }
    return .json(writer, status: status, headers: headers)
  }
}
