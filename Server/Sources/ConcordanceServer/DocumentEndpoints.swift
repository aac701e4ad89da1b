import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Reads, creates, replaces, patches and deletes documents. The revision of a document is its ETag.
enum DocumentEndpoints {
  private static let documents = "/databases/{database}/collections/{collection}/documents"

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "\(documents)/{id}", operation: "getDocument", summary: "Returns a document.",
      parameters: [
        .init(
          name: "If-None-Match", schema: .string, summary: "Returns 304 if the document has this ETag.", isHeader: true)
      ],
      responses: [(200, "The document.", "application/json"), (304, "The document has this ETag.", nil)],
      result: .object, handle: get),
    Endpoint(
      method: .put, path: "\(documents)/{id}", operation: "putDocument", summary: "Creates or replaces a document.",
      scope: .write, parameters: WriteCondition.parameters, body: ("application/json", .object),
      responses: [
        (200, "The document is replaced.", "application/json"), (201, "The document is created.", "application/json"),
      ], result: .component(.savedDocument), handle: put),
    Endpoint(
      method: .patch, path: "\(documents)/{id}", operation: "patchDocument",
      summary: "Changes properties of a document with a JSON merge patch (RFC 7396).", scope: .write,
      parameters: WriteCondition.parameters, body: (MergePatch.mediaType, .object),
      result: .component(.savedDocument), handle: patch),
    Endpoint(
      method: .delete, path: "\(documents)/{id}", operation: "deleteDocument", summary: "Deletes a document.",
      scope: .write, parameters: WriteCondition.parameters, responses: [(204, "The document is deleted.", nil)],
      handle: delete),
    Endpoint(
      method: .post, path: documents, operation: "createDocument",
      summary: "Creates a document with the id in _id or, if there is none, a new id.",
      scope: .write, body: ("application/json", .object),
      responses: [(201, "The document is created.", "application/json")], result: .component(.savedDocument)
    ) { input in
      let text = try input.bodyText()
      let saved = try await input.withCollectionForWriting { collection in
        let document = try input.document(id: nil, text)
        try DocumentID.checkDeletion(document)
        guard document.contains(key: DocumentID.key) else {
          try collection.save(document: document)
          return SavedDocumentResponse(document)
        }
        guard let id = document.value(forKey: DocumentID.key) as? String else {
          throw Problem.invalidParameter(DocumentID.key, "expected a string")
        }
        try DocumentID.check(id)
        guard try collection.document(id: id) == nil else {
          throw Problem(
            .conflict, "conflict", "there is a document \"\(id)\"; send PUT to its path to replace it")
        }
        let named = try MutableDocument(id: id, json: text).removeValue(forKey: DocumentID.key)
        try collection.save(document: named)
        return SavedDocumentResponse(named)
      }
      return saved.response(.created, at: input)
    },
  ]

  private static func get(_ input: RequestInput) async throws -> Response {
    let id = input.variables["id"] ?? ""
    let (text, tag) = try await input.withCollection { collection in
      guard let document = try collection.document(id: id) else { throw missing(id) }
      return (document.toJSON(), SavedDocumentResponse(document).tag)
    }
    if let known = input.headers[.ifNoneMatch], EntityTags(known).contains(tag) {
      return Response(status: .notModified, headers: [.eTag: tag])
    }
    return .json(ByteBuffer(string: text), headers: [.eTag: tag])
  }

  private static func put(_ input: RequestInput) async throws -> Response {
    let (id, text) = (input.variables["id"] ?? "", try input.bodyText())
    try DocumentID.check(id)
    let condition = WriteCondition(input.headers)
    let (saved, isNew) = try await input.withCollectionForWriting { collection in
      let stored = try collection.document(id: id)
      try condition.check(stored, id)
      let document = try input.document(id: id, text)
      try DocumentID.remove(from: document, expecting: id)
      try DocumentID.checkDeletion(document)
      try collection.save(document: document)
      return (SavedDocumentResponse(document), stored == nil)
    }
    return saved.response(isNew ? .created : .ok, at: input)
  }

  private static func patch(_ input: RequestInput) async throws -> Response {
    let id = input.variables["id"] ?? ""
    try MergePatch.checkType(input.headers)
    let changes = try DocumentID.removed(from: input.bodyObject(), expecting: id)
    let condition = WriteCondition(input.headers)
    let saved = try await input.withCollectionForWriting { collection in
      let found = try collection.document(id: id)
      try condition.check(found, id)
      guard let stored = found else { throw missing(id) }
      let document = stored.toMutable()
      try MergePatch(changes).apply(to: document)
      try collection.save(document: document)
      return SavedDocumentResponse(document)
    }
    return saved.response(.ok, at: input)
  }

  private static func delete(_ input: RequestInput) async throws -> Response {
    let id = input.variables["id"] ?? ""
    let condition = WriteCondition(input.headers)
    try await input.withCollectionForWriting { collection in
      let found = try collection.document(id: id)
      try condition.check(found, id)
      guard let stored = found else { throw missing(id) }
      try collection.delete(document: stored)
    }
    return Response(status: .noContent)
  }

  private static func missing(_ id: String) -> Problem { .notFound("there is no document \"\(id)\"") }
}

extension RequestInput {
  /// Creates a document from the text of the request body.
  fileprivate func document(id: String?, _ text: String) throws -> MutableDocument {
    do {
      let document = try MutableDocument(id: id, json: text)
      try DocumentID.checkRepetition(of: document, in: text)
      return document
    } catch let error as CBLError where error.code == CBLError.invalidJSON {
      // Reports the same error with its position.
      _ = try bodyObject()
      throw error
    }
  }
}
