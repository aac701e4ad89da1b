import Concordance
import Foundation

/// Answers requests about one open database, and about files of corpora.
///
/// | request | arguments |
/// |---|---|
/// | `open` | `path`, `readOnly` |
/// | `close`, `verify` | |
/// | `put` | `id`, `json` |
/// | `get` | `id` |
/// | `query` | `text`, `parameters`, `explains` |
/// | `search` | `text`, `syntax`, `limit`, `exact`, `where`, `sort`, `facets` |
/// | `suggest` | `text` |
/// | `index` | `kind`, `name`, `expressions`, `path`, `where` |
/// | `dropIndex` | `name` |
/// | `read` | `path`, `name`, `format` |
/// | `peer` | `messages`, `answers`, `readOnly` |
///
/// An answer has `error` and `kind` if the request failed. The kind is `library` for documented errors (`CBLError`),
/// `fuzzer` for bad requests, and the name of a Swift type for all others, which the fuzzer reports.
final class FuzzSession {
  private var database: Database?

  func answer(to line: String) -> String {
    var answer = FuzzAnswer()
    do {
      try run(FuzzRequest(line: line), &answer)
    } catch let error as CBLError {
      answer.add("error", error.message)
      answer.add("code", error.code)
      answer.add("kind", "library")
    } catch let error as FuzzError {
      answer.add("error", error.message)
      answer.add("kind", "fuzzer")
    } catch {
      answer.add("error", "\(error)")
      answer.add("kind", "\(type(of: error))")
    }
    return answer.text
  }

  private func run(_ request: FuzzRequest, _ answer: inout FuzzAnswer) throws {
    switch request.operation {
    case "open": try open(request)
    case "close": try close()
    case "verify": try verify(&answer)
    case "put":
      let document = try MutableDocument(id: request.string("id"), json: request.string("json"))
      try collection().save(document: document)
    case "get":
      let document = try collection().document(id: request.string("id"))
      if let document { answer.add("json", document.toJSON()) }
    case "query": try query(request, &answer)
    case "search": try search(request, &answer)
    case "suggest":
      answer.add("words", try collection().suggestions(for: request.string("text")).map(\.text))
    case "index": try createIndex(request)
    case "dropIndex": try collection().deleteIndex(forName: request.string("name"))
    case "peer": try FuzzPeer.run(request, on: collection(), &answer)
    case "read": try CorpusReading.read(request, &answer)
    default: throw FuzzError("there is no operation \"\(request.operation)\"")
    }
  }

  private func open(_ request: FuzzRequest) throws {
    try close()
    var config = DatabaseConfiguration()
    config.isReadOnly = request.bool("readOnly")
    config.pageCacheSize = 1 << 20
    database = try Database(path: request.string("path"), config: config)
  }

  private func close() throws {
    let open = database
    database = nil
    try open?.close()
  }

  private func opened() throws -> Database {
    guard let database else { throw FuzzError("no database is open") }
    return database
  }

  private func collection() throws -> Collection { try opened().defaultCollection() }

  private func verify(_ answer: inout FuzzAnswer) throws {
    answer.add("problems", try opened().verify().map { "\($0.location): \($0.problem)" })
  }
}

extension FuzzSession {
  /// Runs a query and adds its rows as JSON. A query that begins with `{` is in JSON.
  private func query(_ request: FuzzRequest, _ answer: inout FuzzAnswer) throws {
    let text = try request.string("text")
    let query = try text.hasPrefix("{") ? opened().createQuery(json: text) : opened().createQuery(text)
    let parameters = Parameters()
    for (name, value) in request.object("parameters") { parameters.setValue(value, forName: name) }
    query.parameters = parameters
    let rows = try query.execute().allResults().map { $0.toJSON() }
    answer.add("rows", rows)
    if request.bool("explains") { answer.add("plan", try query.explain()) }
  }

  private func search(_ request: FuzzRequest, _ answer: inout FuzzAnswer) throws {
    var search = SearchRequest(
      try request.string("text"), syntax: request.optionalString("syntax") == "fts5" ? .fts5 : .box)
    search.limit = request.int("limit", default: 10)
    search.relaxes = !request.bool("exact")
    search.counting = .exact
    search.where = request.optionalString("where").map { SearchFilter($0) }
    search.sort = request.optionalString("sort").map { SearchOrder($0) }
    search.facets = request.strings("facets").map { FacetRequest($0) }
    let results = try collection().search(search)
    answer.add("ids", results.hits.map(\.id))
    answer.add("relaxed", results.relaxation != nil)
    answer.add("snippets", results.hits.flatMap { $0.snippets.map { $0.highlighted { "[\($0)]" } } })
    answer.add("count", try collection().count(matching: search))
  }

  private func createIndex(_ request: FuzzRequest) throws {
    let expressions = request.strings("expressions")
    let config: any IndexConfiguration =
      switch try request.string("kind") {
      case "fullText": FullTextIndexConfiguration(expressions)
      case "value": ValueIndexConfiguration(expressions, where: request.optionalString("where"))
      case "array":
        ArrayIndexConfiguration(path: try request.string("path"), expressions: expressions.isEmpty ? nil : expressions)
      case "pattern": PatternIndexConfiguration(expressions)
      default: throw FuzzError("there is no such kind of index")
      }
    try collection().createIndex(withName: request.string("name"), config: config)
  }
}
