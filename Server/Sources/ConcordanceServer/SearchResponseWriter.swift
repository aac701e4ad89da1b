import Concordance
import JSONText

/// Writes the results of a search as JSON, with Meilisearch's names for the counts and the time.
struct SearchResponseWriter {
  private let request: SearchRequest
  private let results: SearchResults
  private let withDocuments: Bool

  init(_ request: SearchRequest, _ results: SearchResults, withDocuments: Bool) {
    (self.request, self.results, self.withDocuments) = (request, results, withDocuments)
  }

  func bytes(milliseconds: Double) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("hits") { writer in
        writer.array { writer in
          for hit in results.hits { write(hit, to: &writer) }
        }
      }
      writer.member("query", request.query)
      writer.member("offset", request.offset)
      writer.member("limit", request.limit)
      switch results.total {
      case .exact(let count): writer.member("totalHits", count)
      case .atLeast(let count): writer.member("estimatedTotalHits", count)
      }
      writer.member("processingTimeMs", milliseconds)
      if !results.facets.isEmpty { writeFacets(to: &writer) }
      if let relaxation = results.relaxation {
        writer.member("relaxed") { writer in
          writer.object { writer in
            writer.member("query", relaxation.query)
            writer.member("anyWord", relaxation.matchesAnyWord)
          }
        }
      }
      if let suggested = results.suggestedQuery { writer.member("suggestedQuery", suggested) }
      if let notice = results.notice { writer.member("notice", notice) }
    }
    return writer.bytes
  }

  private func write(_ hit: SearchHit, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", hit.id)
      if let title = hit.title { writer.member("title", title) }
      writer.member("score", hit.score)
      writer.member("snippets") { writer in
        writer.array { writer in
          for snippet in hit.snippets { write(snippet, to: &writer) }
        }
      }
      writer.member("matches") { writer in
        writer.array { writer in
          for match in hit.matches {
            writer.object { writer in
              writer.member("field", match.field)
              writer.member("start", match.range.lowerBound)
              writer.member("end", match.range.upperBound)
            }
          }
        }
      }
      if let explanation = hit.explanation {
        writer.member("explanation") { write(explanation, to: &$0) }
      }
      if withDocuments { writer.member("document") { $0.write(rawJSON: hit.document.toJSON().utf8) } }
    }
  }

  private func write(_ snippet: SearchSnippet, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("field", snippet.field)
      writer.member("text", snippet.text)
      writer.member("line", snippet.line)
      writer.member("continuesBefore", snippet.continuesBefore)
      writer.member("continuesAfter", snippet.continuesAfter)
      writer.member("matches") { writer in
        writer.array { writer in
          for range in snippet.matches {
            writer.object { writer in
              writer.member("start", range.lowerBound)
              writer.member("end", range.upperBound)
            }
          }
        }
      }
    }
  }

  private func writeFacets(to writer: inout JSONWriter) {
    writer.member("facets") { writer in
      writer.array { writer in
        for facet in results.facets {
          writer.object { writer in
            writer.member("property", facet.property)
            writer.member("values") { writer in
              writer.array { writer in
                for count in facet.values {
                  writer.object { writer in
                    writer.member("value") { count.value.write(to: &$0) }
                    writer.member("count", count.count)
                  }
                }
              }
            }
            writer.member("otherValueCount", facet.otherValueCount)
            writer.member("documentCount", facet.documentCount)
            if let minimum = facet.minimum { writer.member("min", minimum) }
            if let maximum = facet.maximum { writer.member("max", maximum) }
          }
        }
      }
    }
  }

  private func write(_ explanation: ScoreExplanation, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("score", explanation.score)
      switch explanation.content {
      case .all(let parts): writer.member("all") { writer in writer.array { w in parts.forEach { write($0, to: &w) } } }
      case .any(let parts): writer.member("any") { writer in writer.array { w in parts.forEach { write($0, to: &w) } } }
      case .term(let term):
        writer.member("term", term.text)
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
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .boolean(let value): writer.write(value)
    case .integer(let value): writer.write(value)
    case .double(let value): writer.write(value)
    case .string(let value): writer.write(value)
    }
  }
}
