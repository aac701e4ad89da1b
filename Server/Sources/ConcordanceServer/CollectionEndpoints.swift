import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Databases, collections and indexes.
enum CollectionEndpoints {
  private static let collections = "/databases/{database}/collections"
  private static let indexes = "\(collections)/{collection}/indexes"

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/databases", operation: "listDatabases", summary: "Lists the databases of the server.",
      result: .object(["databases": .array(.object(["name": .string]))])
    ) { input in
      var writer = JSONWriter()
      writer.object { writer in
        writer.list("databases", of: input.server.databases.keys.sorted()) { $0.member("name", $1) }
      }
      return .json(writer)
    },
    Endpoint(
      method: .get, path: collections, operation: "listCollections",
      summary: "Lists the collections of a database with their document counts.",
      result: .object(["collections": .array(.object(["name": .string, "documentCount": .count]))]),
      handle: listCollections),
    Endpoint(
      method: .put, path: "\(collections)/{collection}", operation: "createCollection",
      summary: "Creates a collection, NAME or SCOPE.NAME, unless it exists.", scope: .admin,
      responses: [(204, "The collection exists.", nil)]
    ) { input in
      let names = try RequestInput.names(of: input.variables["collection"] ?? "")
      try await input.onDefinitionThread { database, _ in
        _ = try database.createCollection(name: names.collection, scope: names.scope)
      }
      return Response(status: .noContent)
    },
    Endpoint(
      method: .delete, path: "\(collections)/{collection}", operation: "deleteCollection",
      summary: "Deletes a collection with its documents and indexes.", scope: .admin,
      responses: [(204, "The collection is deleted.", nil)]
    ) { input in
      let name = input.variables["collection"] ?? ""
      try await input.onDefinitionThread { database, _ in
        let collection = try RequestInput.collection(named: name, in: database)
        try database.deleteCollection(name: collection.name, scope: collection.scope.name)
      }
      return Response(status: .noContent)
    },
    Endpoint(
      method: .get, path: indexes, operation: "listIndexes",
      summary: "Lists the indexes of a collection and the progress of those that are being built.",
      result: .object(["indexes": .array(.component(.index)), "building": .array(.component(.indexBuild))]),
      handle: listIndexes),
    Endpoint(
      method: .put, path: "\(indexes)/{index}", operation: "createIndex",
      summary: "Creates an index and adds all documents to it.", scope: .admin,
      body: ("application/json", indexSchema), responses: [(204, "The index is complete.", nil)]
    ) { input in
      let configuration = try IndexRequest(JSONBody(input.bodyObject(), keys: IndexRequest.keys))
      let name = input.variables["index"] ?? ""
      let builds = input.server.builds
      try await input.withCollectionOnDefinitionThread {
        try builds.create(name, configuration.configuration, in: $0, $1)
      }
      return Response(status: .noContent)
    },
    Endpoint(
      method: .delete, path: "\(indexes)/{index}", operation: "deleteIndex", summary: "Deletes an index.",
      scope: .admin, responses: [(204, "The index is deleted.", nil)]
    ) { input in
      let name = input.variables["index"] ?? ""
      try await input.withCollectionOnDefinitionThread { collection, _ in
        guard try collection.indexes().contains(name) else { throw Problem.notFound("there is no index \"\(name)\"") }
        try collection.deleteIndex(forName: name)
      }
      return Response(status: .noContent)
    },
  ]

  private static let indexSchema = JSONSchema.object(
    ["kind": .choice(IndexRequest.Kind.allCases.map(\.rawValue)), "expressions": .array(.string)],
    optional: ["language": .string, "where": .string])

  private static func listCollections(_ input: RequestInput) async throws -> Response {
    let bytes = try await input.database().async.perform { database in
      var writer = JSONWriter()
      let collections = try database.scopes().flatMap { try $0.collections() }
      writer.object { writer in
        writer.list("collections", of: collections) { writer, collection in
          writer.member("name", collection.fullName)
          writer.member("documentCount", Int(clamping: collection.count))
        }
      }
      return writer.bytes
    }
    return .json(ByteBuffer(bytes: bytes))
  }

  private static func listIndexes(_ input: RequestInput) async throws -> Response {
    let builds = input.server.builds
    let (summaries, running) = try await input.withCollection { (try $0.indexSummaries(), builds.builds(of: $0)) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.list("indexes", of: summaries) { $1.write(to: &$0) }
      writer.list("building", of: running) { $1.write(to: &$0) }
    }
    return .json(writer)
  }
}

/// An index definition in a request.
private struct IndexRequest: Sendable {
  /// The kinds of indexes, named as in the list of indexes.
  enum Kind: String, CaseIterable {
    case fullText = "full-text"
    case value, pattern
  }

  static let keys = ["kind", "expressions", "language", "where"]

  private let kind: Kind
  private let expressions: [String]
  private let language: String?
  private let condition: String?

  init(_ body: JSONBody) throws {
    guard let kind = try body.string("kind").flatMap({ Kind(rawValue: $0) }) else {
      throw Problem.invalidParameter("kind", "expected full-text, value or pattern")
    }
    guard let expressions = try body.strings("expressions"), !expressions.isEmpty else {
      throw Problem.invalidParameter("expressions", "expected an array of properties")
    }
    (self.kind, self.expressions) = (kind, expressions)
    (language, condition) = (try body.string("language"), try body.string("where"))
    if language != nil, kind != .fullText {
      throw Problem.invalidParameter("language", "only full-text indexes have a language")
    }
    if condition != nil, kind == .pattern {
      throw Problem.invalidParameter("where", "pattern indexes have no condition")
    }
  }

  var configuration: any IndexConfiguration {
    switch kind {
    case .fullText: FullTextIndexConfiguration(expressions, where: condition, language: language)
    case .value: ValueIndexConfiguration(expressions, where: condition)
    case .pattern: PatternIndexConfiguration(expressions)
    }
  }
}
