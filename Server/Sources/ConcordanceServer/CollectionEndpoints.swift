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
      body: ("application/json", indexSchema), bodyLimit: Endpoint.optionLimit,
      responses: [(204, "The index is complete.", nil)]
    ) { input in
      let configuration = try IndexRequest(JSONBody(input.bodyObject(), keys: IndexRequest.keys))
      let name = input.variables["index"] ?? ""
      guard !PathText.isDotSegment(name) else {
        throw Problem.invalidParameter("index", "the names . and .. cannot be in a path")
      }
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
    optional: [
      "language": .string, "accents": .choice(AnalyzerConfiguration.Accents.allCases.map(\.rawValue)),
      "code": .boolean, "stopWords": .choice(["none", "language"]), "where": .string, "array": .string,
    ])

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

  static let keys = ["kind", "expressions", "language", "accents", "code", "stopWords", "where", "array"]

  private let kind: Kind
  private let expressions: [String]
  private let analyzer: AnalyzerConfiguration
  private let condition: String?
  private let array: String?

  init(_ body: JSONBody) throws {
    guard let kind = try body.string("kind").flatMap({ Kind(rawValue: $0) }) else {
      throw Problem.invalidParameter("kind", "expected full-text, value or pattern")
    }
    guard let expressions = try body.strings("expressions"), !expressions.isEmpty else {
      throw Problem.invalidParameter("expressions", "expected an array of properties")
    }
    (self.kind, self.expressions) = (kind, expressions)
    (condition, array) = (try body.string("where"), try body.string("array"))
    for key in ["language", "accents", "code", "stopWords"] where kind != .fullText && body.has(key) {
      throw Problem.invalidParameter(key, "only full-text indexes analyze text")
    }
    if condition != nil, kind == .pattern || array != nil {
      throw Problem.invalidParameter("where", "pattern indexes and indexes of arrays have no condition")
    }
    if array != nil, kind != .value { throw Problem.invalidParameter("array", "only value indexes have an array") }
    analyzer = try IndexRequest.analyzer(body)
  }

  private static func analyzer(_ body: JSONBody) throws -> AnalyzerConfiguration {
    var analyzer = AnalyzerConfiguration(language: try body.string("language"))
    analyzer.accents = try body.choice("accents", default: analyzer.accents)
    analyzer.code = try body.boolean("code", default: analyzer.code)
    switch try body.string("stopWords") {
    case nil: break
    case "none"?: analyzer.stopWords = .none
    case "language"?: analyzer.stopWords = .language
    default: throw Problem.invalidParameter("stopWords", "expected none or language")
    }
    return analyzer
  }

  var configuration: any IndexConfiguration {
    switch kind {
    case .fullText:
      var configuration = FullTextIndexConfiguration(expressions, where: condition)
      configuration.analyzer = analyzer
      return configuration
    case .value:
      if let array { return ArrayIndexConfiguration(path: array, expressions: expressions) }
      return ValueIndexConfiguration(expressions, where: condition)
    case .pattern: return PatternIndexConfiguration(expressions)
    }
  }
}
