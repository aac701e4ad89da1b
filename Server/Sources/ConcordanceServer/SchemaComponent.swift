/// The schemas that are named in the OpenAPI document because several responses use them or because they are recursive.
enum SchemaComponent: String, CaseIterable {
  case problem = "Problem"
  case hit = "Hit"
  case searchResults = "SearchResults"
  case scoreExplanation = "ScoreExplanation"
  case facet = "Facet"
  case savedDocument = "SavedDocument"
  case blob = "Blob"
  case expiration = "Expiration"
  case index = "Index"
  case indexBuild = "IndexBuild"
  case changes = "Changes"

  var schema: JSONSchema {
    switch self {
    case .problem:
      .object(
        ["type": .string, "title": .string, "status": .count, "code": .string, "detail": .string],
        optional: ["parameter": .string, "position": SchemaComponent.range])
    case .hit:
      .object(
        [
          "id": .string, "score": .number, "snippets": .array(SchemaComponent.snippet),
          "matches": .array(SchemaComponent.match),
        ],
        optional: [
          "title": .string, "duplicates": .array(.string), "explanation": .component(.scoreExplanation),
          "document": .object,
        ])
    case .searchResults:
      .object(
        [
          "hits": .array(.component(.hit)), "processingTimeMs": .number, "query": .string, "offset": .count,
          "limit": .count,
        ],
        optional: [
          "totalHits": .count, "estimatedTotalHits": .count, "facets": .array(.component(.facet)),
          "relaxed": .object(["query": .string, "anyWord": .boolean]), "suggestedQuery": .string, "notice": .string,
          "warnings": .array(.string),
          "missingServers": .array(.object(["number": .count, "firstShard": .count, "lastShard": .count])),
        ])
    case .scoreExplanation:
      .object(
        ["score": .number],
        optional: [
          "all": .array(.component(.scoreExplanation)), "any": .array(.component(.scoreExplanation)), "term": .string,
          "documentFrequency": .count, "documentCount": .count, "idf": .number, "saturation": .number,
          "weight": .number, "model": .string, "sum": .array(.component(.scoreExplanation)),
          "length": .number,
        ])
    case .facet:
      .object(
        [
          "property": .string, "values": .array(.object(["value": .any, "count": .count])), "otherValueCount": .count,
          "documentCount": .count,
        ], optional: ["min": .number, "max": .number])
    case .savedDocument: .object(["id": .string, "revision": .string, "sequence": .count])
    case .blob:
      .object(
        ["@type": .choice(["blob"]), "digest": .string, "length": .count],
        optional: ["content_type": .string, "revision": .string])
    case .expiration: .object(["expiration": JSONSchema(text: #"{"type":["string","null"],"format":"date-time"}"#)])
    case .index:
      .object(
        [
          "name": .string, "kind": .string, "fields": .array(.string), "expressions": .array(.string),
          "documentCount": .count, "size": .count, "isOutdated": .boolean, "isIncomplete": .boolean,
        ],
        optional: [
          "language": .string, "accents": .string, "code": .boolean,
          "stopWords": .anyOf(.string, .array(.string)), "where": .string, "array": .string,
        ])
    case .indexBuild: .object(["name": .string, "indexedCount": .count], optional: ["documentCount": .count])
    case .changes:
      .object([
        "changes": .array(
          .object(
            ["id": .string, "sequence": .count, "revision": .string, "deleted": .boolean],
            optional: ["document": .object])),
        "lastSequence": .count,
      ])
    }
  }

  private static let range = JSONSchema.object(["start": .count, "end": .count])
  private static let snippet = JSONSchema.object([
    "field": .string, "text": .string, "line": .count, "continuesBefore": .boolean, "continuesAfter": .boolean,
    "matches": .array(range),
  ])
  private static let match = JSONSchema.object(["field": .string, "line": .count, "start": .count, "end": .count])
}
