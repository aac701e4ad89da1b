@_spi(Command) import Concordance
import JSONText

/// Parses a search request from the query string or a JSON body. Both use the same names, which are those of
/// Meilisearch for options that it supports.
struct SearchRequestReader {
  private static let maximumSnippetCount = 10
  private static let maximumSnippetLength = 10_000
  private static let maximumFacetCount = 100
  /// The size in bytes of the documents that hits keep, which is that of a response.
  fileprivate static let documentBudget = 16 << 20

  let input: RequestInput

  static let parameters: [Endpoint.Parameter] =
    [
      .init(
        name: "q", schema: .string,
        summary:
          "The query; any text is valid. * finds all documents. Optional if filter, sort or facets is given."),
      .init(name: "limit", schema: .count, summary: "The maximum number of hits, 20 by default."),
      .init(name: "offset", schema: .count, summary: "The number of hits to skip."),
      .init(name: "filter", schema: .string, summary: "An SQL++ condition that hits must satisfy."),
      .init(name: "sort", schema: .string, summary: "SQL++ ORDER BY terms; by default, hits are sorted by score."),
      .init(
        name: "facets", schema: .string,
        summary: "Comma-separated properties whose values are counted; type:20 lists 20 values instead of 10."),
      .init(name: "fields", schema: .string, summary: "The fields to search, separated by commas."),
      .init(name: "syntax", schema: .choice(["box", "fts5"]), summary: "The query language."),
      .init(name: "index", schema: .string, summary: "The full-text index; by default the only one, or `search`."),
      .init(
        name: "snippets", schema: .countAtMost(maximumSnippetCount),
        summary: "The number of snippets per hit, 1 by default."),
      .init(name: "relax", schema: .boolean, summary: "Whether to correct and relax a query that has too few matches."),
      .init(name: "explain", schema: .boolean, summary: "Whether hits include an explanation of their scores."),
      .init(name: "document", schema: .boolean, summary: "Whether hits include their documents; true by default."),
      matchParameter,
      .init(
        name: "unique", schema: .boolean,
        summary: "Whether hits with the same or nearly the same text as better hits are left out; they list their ids."),
      .init(
        name: "partial", schema: .boolean,
        summary: "Whether PostgreSQL servers that cannot be reached are left out; missingServers then lists them."),
    ] + RankingParameters.parameters

  static let matchParameter = Endpoint.Parameter(
    name: "matches", schema: .countAtMost(SearchResponseWriter.Contents.maximumMatchCount),
    summary: "The maximum number of matches listed per hit, 1,000 by default; 0 lists none.")

  /// A search and what the response contains.
  typealias Search = (request: SearchRequest, contents: SearchResponseWriter.Contents)

  func query() throws -> Search {
    var request = SearchRequest(input.string("q") ?? "", syntax: try syntax(input.string("syntax")))
    request.filter(input.string("filter"), input.string("sort"))
    request.facets = try facets(input.list("facets"))
    request.fields = try input.list("fields")
    request.index = input.string("index")
    try RankingParameters.apply(to: &request, match: input.string("match"))
    try RankingParameters.apply(to: &request, model: input.string("model")) { try input.number($0) }
    request.snippetCount = try input.count("snippets", default: 1, limit: SearchRequestReader.maximumSnippetCount)
    request.relaxes = try input.boolean("relax", default: true)
    request.explains = try input.boolean("explain", default: false)
    request.groupsDuplicates = try input.boolean("unique", default: false)
    request.allowsPartialResults = try input.boolean("partial", default: false)
    request.limit = try input.count("limit", default: 20, limit: maximumCount)
    request.offset = try input.count("offset", default: 0)
    return try completed(request, contents())
  }

  func body() throws -> Search {
    let body = try JSONBody(input.bodyObject(), keys: SearchRequestReader.bodyMembers.map(\.key))
    let (query, similar) = (try body.string("q"), try body.string("like"))
    if query != nil, similar != nil {
      throw Problem.invalidParameter("q", "a search for documents like another one has no query; leave out q or like")
    }
    var request = similar.map { SearchRequest(like: $0) } ?? SearchRequest(query ?? "")
    request.syntax = try syntax(body.string("syntax"))
    request.filter(try body.string("filter"), try body.string("sort"), try body.parameters("parameters"))
    request.facets = try facets(body.list("facets"))
    request.fields = try body.list("fields")
    request.index = try body.string("index")
    try RankingParameters.apply(to: &request, match: body.string("match"))
    try RankingParameters.apply(to: &request, model: body.string("model")) { try body.number($0) }
    request.weights = try body.numbers("weights")
    for member in try body.object("selections") { request.selections[member.key] = try selected(member) }
    request.snippetCount = try body.count("snippets", default: 1, limit: SearchRequestReader.maximumSnippetCount)
    request.snippetLength = try body.count(
      "snippetLength", default: request.snippetLength, limit: SearchRequestReader.maximumSnippetLength)
    request.relaxes = try body.boolean("relax", default: true)
    request.explains = try body.boolean("explain", default: false)
    request.groupsDuplicates = try body.boolean("unique", default: false)
    request.allowsPartialResults = try body.boolean("partial", default: false)
    request.limit = try body.count("limit", default: 20, limit: maximumCount)
    request.offset = try body.count("offset", default: 0)
    var contents = SearchResponseWriter.Contents()
    contents.includesDocuments = try body.boolean("document", default: true)
    contents.matchCount = try body.count("matches", default: contents.matchCount, limit: contents.matchCount)
    return try completed(request, contents)
  }

  private static let bodyMembers: [(key: String, value: JSONSchema)] =
    Array(searchMembers) + RankingParameters.bodyMembers

  private static let searchMembers: KeyValuePairs<String, JSONSchema> = [
    "q": .string, "like": .string, "limit": .count, "offset": .count, "filter": .string, "parameters": .object,
    "sort": .string, "facets": .array(.string), "selections": .object, "fields": .array(.string),
    "weights": JSONSchema(text: #"{"type":"object","additionalProperties":{"type":"number"}}"#),
    "syntax": .choice(["box", "fts5"]), "index": .string, "snippets": .countAtMost(maximumSnippetCount),
    "snippetLength": .countAtMost(maximumSnippetLength),
    "relax": .boolean, "explain": .boolean, "document": .boolean,
    "matches": .countAtMost(SearchResponseWriter.Contents.maximumMatchCount), "unique": .boolean, "partial": .boolean,
  ]

  /// The schema of a request body.
  static let bodySchema = JSONSchema.object([], optional: bodyMembers)

  /// The parameters of a live search, which needs all servers.
  static let liveParameters = parameters.filter { $0.name != "partial" }

  /// The schema of the body of a live search.
  static let liveBodySchema = JSONSchema.object([], optional: bodyMembers.filter { $0.key != "partial" })

  private var maximumCount: Int { input.server.options.limits.resultCount }

  /// Parses what the response contains from the query string.
  func contents() throws -> SearchResponseWriter.Contents {
    var contents = SearchResponseWriter.Contents()
    contents.includesDocuments = try input.boolean("document", default: true)
    contents.matchCount = try input.count("matches", default: contents.matchCount, limit: contents.matchCount)
    return contents
  }

  private func completed(_ request: SearchRequest, _ contents: SearchResponseWriter.Contents) throws -> Search {
    var request = request
    let browses =
      request.like != nil || request.where != nil || request.sort != nil || !request.facets.isEmpty
      || !request.selections.isEmpty
    guard browses || !request.query.allSatisfy(\.isWhitespace) else {
      throw Problem.invalidParameter("q", "the query is empty; use * to find all documents")
    }
    request.timeout = input.server.options.limits.queryTimeout
    request.keepDocuments(contents.includesDocuments)
    return (request, contents)
  }

  /// Parses facets: `type`, or `type:20` for 20 values.
  private func facets(_ texts: [String]?) throws -> [FacetRequest] {
    let texts = texts ?? []
    guard texts.count <= SearchRequestReader.maximumFacetCount else {
      throw Problem.invalidParameter("facets", "at most \(SearchRequestReader.maximumFacetCount) properties")
    }
    let facets: [FacetRequest] = try texts.map { text in
      guard let colon = text.lastIndex(of: ":"), let limit = Int(text[text.index(after: colon)...]) else {
        return FacetRequest(text)
      }
      guard limit >= 0, limit <= maximumCount else {
        throw Problem.invalidParameter("facets", "\(text.prefix(40)): 0 to \(maximumCount) values on this server")
      }
      return FacetRequest(String(text[..<colon]), limit: limit)
    }
    var properties: Set<ExactString> = []
    for facet in facets where !properties.insert(ExactString(facet.property)).inserted {
      throw Problem.invalidParameter("facets", "\(facet.property.prefix(40)) is given more than once")
    }
    return facets
  }

  private func syntax(_ name: String?) throws -> SearchRequest.Syntax {
    guard let name else { return .box }
    guard let syntax = SearchRequest.Syntax(rawValue: name) else {
      throw Problem.invalidParameter("syntax", "expected box or fts5, not \"\(name.prefix(40))\"")
    }
    return syntax
  }

  private func selected(_ member: JSONMember) throws -> [FacetValue] {
    let values = if case .array(let values) = member.value { values } else { [member.value] }
    return try values.map { value in
      switch value {
      case .string(let text): return .string(text)
      case .boolean(let boolean): return .boolean(boolean)
      case .int64(let number): return .integer(number)
      case .double(let number): return .double(number)
      default:
        throw Problem.invalidParameter("selections", "\(member.key): expected strings, numbers or booleans")
      }
    }
  }
}

extension SearchRequest {
  /// Limits the documents that hits keep in memory, because a page may have 1,000 hits of 50 MiB.
  mutating func keepDocuments(_ keeps: Bool) { documentBudget = keeps ? SearchRequestReader.documentBudget : 0 }

  fileprivate mutating func filter(
    _ condition: String?, _ order: String?, _ parameters: Concordance.Parameters? = nil
  ) {
    self.where = condition.map { SearchFilter($0, parameters: parameters) }
    sort = order.map { SearchOrder($0) }
  }
}
