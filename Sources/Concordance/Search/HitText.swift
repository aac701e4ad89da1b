import JSONText
import Synchronization
import TextIndex

/// The title and the matches of a hit, found in the text of its document.
///
/// If a search creates no snippets, the title is read and the text is analyzed when they are first requested. Analyzing
/// the text of ten hits in advance would take as long as the rest of the search.
final class HitText: Sendable {
  struct Content {
    var title: String?
    var matches: [SearchMatch] = []
  }

  /// What has been read from the document.
  private struct Known {
    var title: String?
    var hasTitle = false
    var matches: [SearchMatch]?
  }

  private let body: [UInt8]
  /// The query that found the document; nil if the document is already analyzed.
  private let query: FullTextQuery?
  private let known: Mutex<Known>

  /// Creates the text of a hit that is already analyzed.
  init(_ content: Content) {
    body = []
    query = nil
    known = Mutex(Known(title: content.title, hasTitle: true, matches: content.matches))
  }

  /// Creates the text of a hit that is analyzed on demand.
  ///
  /// - Parameters:
  ///   - body: the JSON text of the document.
  ///   - query: the query that found it.
  init(_ body: [UInt8], _ query: FullTextQuery) {
    self.body = body
    self.query = query
    known = Mutex(Known())
  }

  // Getters cannot throw. `Database.verify` and a search with snippets report damaged documents.

  /// The title; nil if there is none, or if the document is damaged. The text is not analyzed.
  var title: String? {
    let (title, isKnown) = known.withLock { ($0.title, $0.hasTitle) }
    if isKnown { return title }
    let found: String? = try? withRoot { SearchHit.title(of: $0) }
    known.withLock { ($0.title, $0.hasTitle) = (found, true) }
    return found
  }

  /// The matches; empty if the document is damaged.
  var matches: [SearchMatch] {
    if let matches = known.withLock({ $0.matches }) { return matches }
    guard let query,
      let found = try? withRoot({ root in
        try Highlighter(query).highlight(root, snippetCount: 0, snippetLength: 0).matches
      })
    else { return [] }
    let matches = found.map { SearchMatch($0) }
    known.withLock { $0.matches = matches }
    return matches
  }

  /// Returns the text after its analysis, which does not keep the document.
  func analyzed() -> HitText { HitText(Content(title: title, matches: matches)) }

  private func withRoot<T>(_ read: (JSONElement) throws -> T) throws -> T {
    try JSONParser.withShared { parser in
      try body.withUnsafeBytes { bytes in try read(parser.parse(bytes)) }
    }
  }
}
