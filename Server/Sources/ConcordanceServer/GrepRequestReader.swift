import Concordance

/// Parses a grep request from the query string or a JSON body, which use the same names.
struct GrepRequestReader {
  /// The maximum number of context lines before or after a match.
  private static let maximumContext = 100

  let input: RequestInput

  static let parameters: [Endpoint.Parameter] = [
    .init(name: "pattern", schema: .string, summary: "The regular expression.", isRequired: true),
    .init(
      name: "case", schema: .choice(["smart", "sensitive", "insensitive"]),
      summary: "Whether case matters; with smart, the default, only if the pattern contains an uppercase letter."),
    .init(name: "literal", schema: .boolean, summary: "Whether the pattern is literal text."),
    .init(name: "word", schema: .boolean, summary: "Whether matches are whole words."),
    .init(name: "line", schema: .boolean, summary: "Whether matches are whole lines."),
    .init(name: "invert", schema: .boolean, summary: "Whether to find the lines that do not match."),
    .init(name: "multiline", schema: .boolean, summary: "Whether matches may span lines."),
    .init(
      name: "before", schema: .countAtMost(maximumContext),
      summary: "The number of context lines before a match; 0 by default."),
    .init(
      name: "after", schema: .countAtMost(maximumContext),
      summary: "The number of context lines after a match; 0 by default."),
    .init(name: "field", schema: .string, summary: "The property to search; text by default."),
    .init(name: "files", schema: .string, summary: "Comma-separated ids or prefixes of ids."),
    .init(name: "order", schema: .choice(["stored", "id", "modified"]), summary: "The order; stored by default."),
    .init(name: "limit", schema: .count, summary: "The maximum number of documents with matches; all by default."),
    .init(name: "maxCount", schema: .count, summary: "The maximum number of matching lines in a document."),
    .init(
      name: "maxColumns", schema: JSONSchema(text: #"{"type":"integer","minimum":1}"#),
      summary: "The size in bytes at which lines are cut; by default, none is. lines_truncated is true for such lines."),
    .init(
      name: "partial", schema: .boolean,
      summary: "Whether PostgreSQL servers that cannot be reached are left out; the summary lists them."),
  ]

  /// The schema of a request body. Ids in an array may contain commas.
  static let bodySchema: JSONSchema = {
    let members = parameters.map { (key: $0.name, value: $0.name == "files" ? JSONSchema.array(.string) : $0.schema) }
    return .object(Array(members.prefix(1)), optional: Array(members.dropFirst()))
  }()

  /// A search and the limits of its response.
  struct Search: Sendable {
    var request: PatternSearchRequest
    /// The maximum number of documents with matches.
    var limit = Int.max
    /// The size in bytes at which lines are cut; nil for no limit.
    var maximumColumns: Int?
  }

  func query() throws -> Search { try search(input) }

  func body() throws -> Search {
    try search(JSONBody(input.bodyObject(), keys: GrepRequestReader.parameters.map(\.name)))
  }

  private func search(_ options: some RequestOptions) throws -> Search {
    guard let pattern = try options.string("pattern") else {
      throw Problem.invalidParameter("pattern", "the parameter is missing")
    }
    var search = Search(request: PatternSearchRequest(pattern))
    try readPattern(options, &search.request)
    let context = GrepRequestReader.maximumContext
    search.request.linesBefore = try options.count("before", default: 0, limit: context)
    search.request.linesAfter = try options.count("after", default: 0, limit: context)
    search.request.allowsPartialResults = try options.boolean("partial", default: false)
    search.request.field = try options.string("field")
    search.request.idPrefixes = try options.list("files") ?? []
    search.request.numbersLines = true
    search.request.timeout = input.server.options.limits.queryTimeout
    if options.has("maxCount") {
      search.request.maximumCount = try options.count("maxCount", default: 0, limit: .max)
    }
    if options.has("limit") { search.limit = try options.count("limit", default: 0, limit: .max) }
    if options.has("maxColumns") {
      let columns = try options.count("maxColumns", default: 0, limit: .max)
      guard columns > 0 else { throw Problem.invalidParameter("maxColumns", "expected a whole number of 1 or more") }
      search.maximumColumns = columns
    }
    return search
  }

  /// Reads the options for the pattern and the order.
  private func readPattern(_ options: some RequestOptions, _ request: inout PatternSearchRequest) throws {
    switch try options.string("case") ?? "smart" {
    case "smart": request.letterCase = .smart
    case "sensitive": request.letterCase = .sensitive
    case "insensitive": request.letterCase = .insensitive
    default: throw Problem.invalidParameter("case", "expected smart, sensitive or insensitive")
    }
    switch try options.string("order") ?? "stored" {
    case "stored": request.order = .stored
    case "id": request.order = .id
    case "modified": request.order = .modified
    default: throw Problem.invalidParameter("order", "expected stored, id or modified")
    }
    request.isLiteral = try options.boolean("literal", default: false)
    request.matchesWords = try options.boolean("word", default: false)
    request.matchesWholeLines = try options.boolean("line", default: false)
    request.isInverted = try options.boolean("invert", default: false)
    request.isMultiline = try options.boolean("multiline", default: false)
  }
}
