import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Search, suggestions, similar documents and terms.
enum SearchEndpoints {
  private static let collection = "/databases/{database}/collections/{collection}"

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "\(collection)/search", operation: "search", summary: "Finds the best matches of a query.",
      parameters: SearchRequestReader.parameters, result: .component(.searchResults)
    ) { try await respond(to: SearchRequestReader(input: $0).query(), $0) },
    Endpoint(
      method: .post, path: "\(collection)/search", operation: "searchWithBody",
      summary: "Finds the best matches of a query, with all options.",
      body: ("application/json", SearchRequestReader.bodySchema), bodyLimit: Endpoint.optionLimit,
      result: .component(.searchResults)
    ) { try await respond(to: SearchRequestReader(input: $0).body(), $0) },
    Endpoint(
      method: .get, path: "\(collection)/suggest", operation: "suggest",
      summary: "Completes the last word of a query.",
      parameters: [
        .init(name: "q", schema: .string, summary: "The beginning of a query.", isRequired: true),
        .init(name: "limit", schema: .count, summary: "The maximum number of suggestions, 10 by default."),
        .init(name: "index", schema: .string, summary: "The full-text index; by default the only one, or `search`."),
      ],
      result: .object([
        "suggestions": .array(.object(["text": .string, "word": .string, "documentCount": .count]))
      ]), handle: suggest),
    Endpoint(
      method: .get, path: "\(collection)/terms", operation: "terms", summary: "Lists the terms of a full-text index.",
      parameters: [
        .init(name: "prefix", schema: .string, summary: "The prefix of the terms."),
        .init(name: "order", schema: .choice(["frequency", "term"]), summary: "The order; frequency by default."),
        .init(name: "limit", schema: .count, summary: "The maximum number of terms, 100 by default."),
        .init(name: "index", schema: .string, summary: "The full-text index; by default the only one, or `search`."),
      ],
      result: .object([
        "terms": .array(.object(["text": .string, "documentFrequency": .count], optional: ["occurrences": .count]))
      ]), handle: terms),
    Endpoint(
      method: .get, path: "\(collection)/documents/{id}/similar", operation: "similar",
      summary: "Finds the documents that are most similar to the given one.",
      parameters: [
        .init(name: "limit", schema: .count, summary: "The maximum number of hits, 10 by default."),
        .init(name: "document", schema: .boolean, summary: "Whether hits include their documents; true by default."),
        SearchRequestReader.matchParameter,
      ],
      result: .component(.searchResults)
    ) { input in
      var request = SearchRequest(like: input.variables["id"] ?? "")
      request.limit = try input.count("limit", default: 10, limit: input.server.options.limits.resultCount)
      request.timeout = input.server.options.limits.queryTimeout
      let contents = try SearchRequestReader(input: input).contents()
      request.keepDocuments(contents.includesDocuments)
      return try await respond(to: (request, contents), input)
    },
  ]

  private static func respond(to search: SearchRequestReader.Search, _ input: RequestInput) async throws -> Response {
    let start = ContinuousClock.now
    let bytes = try await input.withCollection { collection in
      let (results, warnings) = try SearchRequestReader.namingParameters(of: search.request) {
        try RankingParameters.check(search.request, in: collection)
        let results = try collection.search(search.request)
        return (results, SearchRequestReader.warnings(search.request, results, in: collection))
      }
      let writer = SearchResponseWriter(
        search.request, results, search.contents, warnings: warnings)
      return writer.bytes(milliseconds: start.duration(to: .now) / .milliseconds(1))
    }
    return .json(ByteBuffer(bytes: bytes))
  }

  private static func suggest(_ input: RequestInput) async throws -> Response {
    let (query, index) = (try input.required("q"), input.string("index"))
    let limit = try input.count("limit", default: 10, limit: input.server.options.limits.resultCount)
    let suggestions = try await input.withCollection { try $0.suggestions(for: query, index: index, limit: limit) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.list("suggestions", of: suggestions) { writer, suggestion in
        writer.member("text", suggestion.text)
        writer.member("word", suggestion.word)
        writer.member("documentCount", suggestion.documentCount)
      }
    }
    return .json(writer)
  }

  private static func terms(_ input: RequestInput) async throws -> Response {
    let (prefix, index) = (input.string("prefix") ?? "", input.string("index"))
    let limit = try input.count("limit", default: 100, limit: input.server.options.limits.resultCount)
    let name = input.string("order") ?? "frequency"
    guard let order = SearchTerm.Order(rawValue: name) else {
      throw Problem.invalidParameter("order", "expected frequency or term, not \"\(name.prefix(40))\"")
    }
    let terms = try await input.withCollection {
      try $0.terms(beginningWith: prefix, index: index, order: order, limit: limit)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.list("terms", of: terms) { writer, term in
        writer.member("text", term.text)
        writer.member("documentFrequency", term.documentFrequency)
        if let occurrences = term.occurrences { writer.member("occurrences", occurrences) }
      }
    }
    return .json(writer)
  }
}
