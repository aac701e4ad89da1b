import Concordance
@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// Compares responses with the schemas of the OpenAPI document.
@Suite struct ResponseSchemaTests {
  private static let notes = TestServer.notes

  /// Requests in an order in which all of them succeed, with the operations whose responses they check.
  private static let requests: [(operation: String, method: HTTPRequest.Method, path: String, body: String?)] = [
    ("health", .get, "/health", nil),
    ("listDatabases", .get, "/databases", nil),
    ("listCollections", .get, "/databases/test/collections", nil),
    ("listIndexes", .get, "\(notes)/indexes", nil),
    ("search", .get, "\(notes)/search?q=tea&facets=kind,price&explain=true", nil),
    ("search", .get, "\(notes)/search?q=teaa%20steping", nil),
    ("search", .get, "\(notes)/search?q=nothing%20tea&document=false", nil),
    ("searchWithBody", .post, "\(notes)/search", #"{"q":"coffee","selections":{"kind":"drink"},"facets":["kind"]}"#),
    ("suggest", .get, "\(notes)/suggest?q=ste", nil),
    ("terms", .get, "\(notes)/terms", nil),
    ("similar", .get, "\(notes)/documents/tea/similar", nil),
    ("query", .get, "/databases/test/query?q=SELECT%20*%20FROM%20notes", nil),
    ("queryWithBody", .post, "/databases/test/query", #"{"query":"SELECT 1","explain":true}"#),
    ("getDocument", .get, "\(notes)/documents/tea", nil),
    ("putDocument", .put, "\(notes)/documents/new", #"{"text":"new"}"#),
    ("patchDocument", .patch, "\(notes)/documents/new", #"{"text":"newer"}"#),
    ("createDocument", .post, "\(notes)/documents", "{}"),
    ("putDocumentBlob", .put, "\(notes)/documents/new/blobs/menu", "Fish"),
    ("createBlob", .post, "/databases/test/blobs", "Chips"),
    ("setExpiration", .put, "\(notes)/documents/new/expiration", #"{"expiration":null}"#),
    ("getExpiration", .get, "\(notes)/documents/tea/expiration", nil),
    ("changes", .get, "\(notes)/changes?documents=true", nil),
    ("stats", .get, "/stats", nil),
    ("openapi", .get, "/openapi.json", nil),
  ]

  /// Explanations of a model whose scores are sums with a part for the length.
  private static let explanations: [(operation: String, method: HTTPRequest.Method, path: String, body: String?)] = [
    ("search", .get, "/databases/test/collections/likelihood/search?q=tea%20coffee&explain=true", nil)
  ]

  @Test func responsesSatisfyTheirSchemas() async throws {
    let server = try TestServer()
    var likelihood = FullTextIndexConfiguration(["text"])
    likelihood.model = .dirichlet()
    let collection = try server.database.createCollection(name: "likelihood")
    try collection.save(document: MutableDocument(id: "tea", json: #"{"text":"green tea, no coffee"}"#))
    try collection.createIndex(withName: "likelihood", config: likelihood)
    try await server.run { (send: TestConnection) async throws -> Void in
      _ = try await send(.delete, "\(Self.notes)/documents/coffee")
      _ = try await send(.put, "\(Self.notes)/documents/coffee", #"{"text":"black coffee","kind":"drink"}"#)
      let validator = try SchemaValidator(await send(.get, "/openapi.json").text)
      for request in Self.requests + Self.explanations {
        let answer = try await send(request.method, request.path, request.body)
        #expect(answer.status < 300, "\(request.operation): \(answer.text)")
        let endpoint = try #require(ConcordanceServer.endpoints.first { $0.operation == request.operation })
        let schema = try #require(endpoint.result, "\(request.operation) has no schema").text
        let problem = try validator.problem(in: answer.text, schema: schema)
        #expect(problem == nil, "\(request.operation): \(problem ?? "") in \(answer.text)")
      }
    }
  }

  @Test func everyJSONResponseHasASchemaThatATestChecks() {
    for endpoint in ConcordanceServer.endpoints
    where endpoint.responses.contains(where: { $0.mediaType == "application/json" }) {
      #expect(endpoint.result != nil, "\(endpoint.operation)")
      #expect(Self.requests.contains { $0.operation == endpoint.operation }, "\(endpoint.operation)")
    }
  }

  @Test func problemsSatisfyTheirSchema() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let validator = try SchemaValidator(await send(.get, "/openapi.json").text)
      let answer = try await send(.get, "/databases/test/query?q=SELECT%20FROM%20notes")
      #expect(try validator.problem(in: answer.text, schema: JSONSchema.component(.problem).text) == nil)
    }
  }

  @Test(arguments: [
    ("[]", #"{"type":"object"}"#), (#"{"b":1}"#, #"{"type":"object","required":["a"]}"#),
    (#"{"b":1}"#, #"{"type":"object","additionalProperties":false,"properties":{}}"#),
    ("[1,\"\"]", #"{"type":"array","items":{"type":"integer"}}"#), ("-1", #"{"type":"integer","minimum":0}"#),
    ("\"c\"", #"{"type":"string","enum":["a","b"]}"#), ("{}", ##"{"$ref":"#/components/schemas/Problem"}"##),
    ("1", #"{"anyOf":[{"type":"string"},{"type":"boolean"}]}"#),
  ])
  func theValidatorFindsProblems(text: String, schema: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let validator = try SchemaValidator(await send(.get, "/openapi.json").text)
      #expect(try validator.problem(in: text, schema: schema) != nil)
    }
  }
}
