@_spi(Command) import Concordance
import JSONText

/// Writes the results of a search as JSON, with Meilisearch's names for the counts and the time.
struct SearchResponseWriter {
  /// What the response contains for each hit.
  struct Contents {
    /// The maximum number of matches that a request can ask for. A large document may have millions.
    static let maximumMatchCount = 1000

    var includesDocuments = true
    /// The maximum number of matches.
    var matchCount = maximumMatchCount
  }

  /// What a response leaves out because it would be too large.
  private struct Omissions {
    var documents = 0
    /// The hits without snippets and matches.
    var hits = 0
    var facetValues = 0
  }

  /// The size in bytes at which a response stops including documents, snippets, matches and explanations.
  private let maximumSize: Int
  private let request: SearchRequest
  private let results: SearchResults
  private let contents: Contents
  private let warnings: [String]

  init(
    _ request: SearchRequest, _ results: SearchResults, _ contents: Contents, warnings: [String] = [],
    maximumSize: Int = 16 << 20
  ) {
    self.maximumSize = maximumSize
    (self.request, self.results, self.contents, self.warnings) = (request, results, contents, warnings)
  }

  /// Returns the response to a search.
  func bytes(milliseconds: Double) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(1024 * (results.hits.count + 1))
    var omissions = Omissions()
    writer.object { writer in
      writer.list("hits", of: results.hits) { write($1, to: &$0, &omissions) }
      writer.member("processingTimeMs", milliseconds)
      writeSummary(to: &writer, &omissions)
    }
    return writer.bytes
  }

  /// Returns the data of a live search event: the response, with a difference instead of all hits.
  func bytes(of difference: ListDifference) -> [UInt8] {
    var writer = JSONWriter()
    var omissions = Omissions()
    writer.object { writer in
      writer.write(difference, name: "hit") { writer, index in
        writer.object { write(results.hits[index], to: &$0, &omissions) }
      }
      writer.member("count", results.hits.count)
      writeSummary(to: &writer, &omissions)
    }
    return writer.bytes
  }

  private func writeSummary(to writer: inout JSONWriter, _ omissions: inout Omissions) {
    writer.member("query", request.query)
    writer.member("offset", request.offset)
    writer.member("limit", request.limit)
    switch results.total {
    case .exact(let count): writer.member("totalHits", count)
    case .atLeast(let count): writer.member("estimatedTotalHits", count)
    }
    if !results.facets.isEmpty { writeFacets(to: &writer, &omissions) }
    if let relaxation = results.relaxation {
      writer.object("relaxed") { writer in
        writer.member("query", relaxation.query)
        writer.member("anyWord", relaxation.matchesAnyWord)
      }
    }
    if let suggested = results.suggestedQuery { writer.member("suggestedQuery", suggested) }
    if let notice = results.notice { writer.member("notice", notice) }
    writer.members(ofMissingServers: results.missingServers)
    let warnings = warnings + self.warnings(of: omissions)
    if !warnings.isEmpty {
      writer.member("warnings") { writer in writer.array { writer in warnings.forEach { writer.write($0) } } }
    }
  }

  private func warnings(of omissions: Omissions) -> [String] {
    let reason = "because the response would exceed \(maximumSize >> 20) MiB"
    var warnings: [String] = []
    if omissions.documents > 0 {
      warnings.append(
        "\(omissions.documents) of the documents are omitted, \(reason); read them by their ids or lower the limit")
    }
    if omissions.hits > 0 {
      warnings.append("the snippets and matches of \(omissions.hits) hits are omitted, \(reason); lower the limit")
    }
    if omissions.facetValues > 0 {
      warnings.append("\(omissions.facetValues) values of facets are omitted, \(reason); ask for fewer values")
    }
    return warnings
  }

  /// Writes a hit without the parts for which the response has no room, and counts these.
  private func write(_ hit: SearchHit, to writer: inout JSONWriter, _ omissions: inout Omissions) {
    let isFull = writer.bytes.count >= maximumSize
    if isFull, !hit.snippets.isEmpty || !hit.matches.isEmpty { omissions.hits += 1 }
    writer.member("id", hit.id)
    if let title = hit.title { writer.member("title", title) }
    writer.member("score", hit.score)
    writer.list("snippets", of: isFull ? [] : hit.snippets) { writer, snippet in
      writer.member("field", snippet.field)
      writer.member("text", snippet.text)
      writer.member("line", snippet.line)
      writer.member("continuesBefore", snippet.continuesBefore)
      writer.member("continuesAfter", snippet.continuesAfter)
      writer.list("matches", of: snippet.matches) { write($1, to: &$0) }
    }
    writer.list("matches", of: isFull ? [] : hit.matches.prefix(contents.matchCount)) { writer, match in
      writer.member("field", match.field)
      writer.member("line", match.line)
      write(match.range, to: &writer)
    }
    if !hit.duplicates.isEmpty {
      writer.member("duplicates") { writer in writer.array { writer in hit.duplicates.forEach { writer.write($0) } } }
    }
    if !isFull, let explanation = hit.explanation {
      writer.member("explanation") { write(explanation, to: &$0) }
    }
    guard contents.includesDocuments else { return }
    guard hit.hasDocument, writer.bytes.count < maximumSize else {
      omissions.documents += 1
      return
    }
    writer.member("document") { $0.write(rawJSON: hit.document.toJSON().utf8) }
  }

  private func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    writer.member("start", range.lowerBound)
    writer.member("end", range.upperBound)
  }

  /// Writes the facets without the values for which the response has no room, and counts these.
  private func writeFacets(to writer: inout JSONWriter, _ omissions: inout Omissions) {
    writer.list("facets", of: results.facets) { writer, facet in
      writer.member("property", facet.property)
      var size = writer.bytes.count
      let values = facet.values.prefix { count in
        size += count.value.maximumSize
        return size <= maximumSize
      }
      omissions.facetValues += facet.values.count - values.count
      writer.list("values", of: values) { writer, count in
        writer.member("value") { count.value.write(to: &$0) }
        writer.member("count", count.count)
      }
      writer.member("otherValueCount", facet.otherValueCount)
      writer.member("documentCount", facet.documentCount)
      if let minimum = facet.minimum { writer.member("min", minimum) }
      if let maximum = facet.maximum { writer.member("max", maximum) }
    }
  }

  private func write(_ explanation: ScoreExplanation, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("score", explanation.score)
      switch explanation.content {
      case .all(let parts): writer.member("all") { writer in writer.array { w in parts.forEach { write($0, to: &w) } } }
      case .any(let parts): writer.member("any") { writer in writer.array { w in parts.forEach { write($0, to: &w) } } }
      case .sum(let parts): writer.member("sum") { writer in writer.array { w in parts.forEach { write($0, to: &w) } } }
      case .length(let part, let queryWeight):
        writer.member("length", part)
        writer.member("weight", queryWeight)
      case .term(let term):
        writer.member("term", term.text)
        writer.member("model", term.model.name)
        writer.member("documentFrequency", term.documentFrequency)
        writer.member("documentCount", term.documentCount)
        writer.member("idf", term.idf)
        writer.member("saturation", term.saturation)
        writer.member("weight", term.weight)
      }
    }
  }
}

extension FacetValue {
  /// The largest number of bytes that the value can take in a response, with its count.
  fileprivate var maximumSize: Int {
    switch self {
    case .boolean, .integer, .double: 64
    // An escaped control character takes six bytes.
    case .string(let value): 64 + value.utf8.count * 6
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .boolean(let value): writer.write(value)
    case .integer(let value): writer.write(value)
    case .double(let value): writer.write(value)
    case .string(let value): writer.write(value)
    }
  }
}

extension JSONWriter {
  /// Writes the member `missingServers` if there are any.
  mutating func members(ofMissingServers servers: [MissingServer]) {
    guard !servers.isEmpty else { return }
    // Without the message, which contains the address of the server.
    list("missingServers", of: servers) { writer, server in
      writer.member("number", server.number)
      writer.member("firstShard", server.firstShard)
      writer.member("lastShard", server.lastShard)
    }
  }
}
