import JSONText
import Synchronization
import TextIndex

/// The title and the matches of a hit, found in the text of its document.
///
/// If a search creates no snippets, the text is analyzed when the title or the matches are first requested. Analyzing
/// the text of ten hits in advance would take as long as the rest of the search.
final class HitText: Sendable {
  struct Content {
    var title: String?
    var matches: [SearchMatch] = []
  }

  private let analyze: @Sendable () throws -> Content
  private let known: Mutex<Content?>

  /// Creates the text of a hit that is already analyzed.
  init(_ content: Content) {
    analyze = { content }
    known = Mutex(content)
  }

  /// Creates the text of a hit that is analyzed on demand.
  ///
  /// - Parameters:
  ///   - body: the JSON text of the document.
  ///   - query: the query that found it.
  init(_ body: [UInt8], _ query: FullTextQuery) {
    analyze = {
      try JSONParser.withShared { parser in
        try body.withUnsafeBytes { bytes in
          let root = try parser.parse(bytes)
          let matches = try Highlighter(query).highlight(root, snippetCount: 0, snippetLength: 0).matches
          return Content(title: SearchHit.title(of: root), matches: matches.map { SearchMatch($0) })
        }
      }
    }
    known = Mutex(nil)
  }

  /// The title and the matches; empty if the document is damaged.
  var content: Content {
    if let content = known.withLock({ $0 }) { return content }
    // A getter cannot throw. `Database.verify` and a search with snippets report damaged documents.
    let content = (try? analyze()) ?? Content()
    known.withLock { $0 = content }
    return content
  }
}
