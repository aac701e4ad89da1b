import DocumentStore
import JSONText
import TextIndex

/// Finds titles, matches and snippets in the documents of a page.
final class HitAnalysis {
  private let query: FullTextQuery
  private let snippetCount: Int
  private let snippetLength: Int
  /// Nil if there are no snippets.
  private let highlighter: Highlighter?

  init(_ request: SearchRequest, _ search: PreparedSearch, hasHits: Bool) throws {
    query = search.query
    snippetCount = request.snippetCount
    snippetLength = request.snippetLength
    highlighter =
      snippetCount > 0 && hasHits
      ? Highlighter(
        query, weights: request.ranking(for: query).weights, idfs: try PhraseIDFs(query, search.indexReader),
        secondaryFields: [DefinitionQuery.field]) : nil
  }

  /// - Parameter immediately: whether the text is analyzed even if there are no snippets, so that it is not kept.
  func analyze(_ document: StoredDocument, immediately: Bool) throws -> (HitText, [SearchSnippet]) {
    guard let highlighter else {
      let text = HitText(document.body, query)
      return (immediately ? text.analyzed() : text, [])
    }
    return try JSONParser.withShared { parser in
      try document.withRoot(parser) { root in
        let (matches, snippets) = try highlighter.highlight(
          root, snippetCount: snippetCount, snippetLength: snippetLength)
        let content = HitText.Content(title: SearchHit.title(of: root), matches: matches.map { SearchMatch($0) })
        return (HitText(content), snippets.map { SearchSnippet($0) })
      }
    }
  }
}
