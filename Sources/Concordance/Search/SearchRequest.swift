import TextIndex

/// A full-text search.
///
/// ```swift
/// var request = SearchRequest("memory barrier")
/// request.weights = ["title": 3]
/// request.limit = 20
/// let results = try pages.search(request)
/// ```
public struct SearchRequest: Hashable, Sendable {
  /// The languages of queries.
  public enum Syntax: String, Hashable, Sendable, CaseIterable {
    /// What people type: any string is valid. Words must all be there, but see ``SearchResults/relaxation``; `"a phrase"`,
    /// `-without`, `this OR that`, `(this OR that) AND other NOT without`, `field:word`, `begin*`, `tpyo~`. `*` finds all documents,
    /// and so does a query without words where the request has a condition, an order, facets or selections: see
    /// ``SearchResults/isUnranked``.
    case box
    /// The language of FTS5: `AND`, `OR`, `NOT`, `NEAR(a b, 5)`, `"a phrase"`, `{title text}: word`, `^first`, `begin*`,
    /// parentheses.
    case fts5
  }

  /// When the documents that match are counted.
  public enum Counting: Hashable, Sendable {
    /// Where their number is known, or takes a fraction of a millisecond.
    case whenCheap
    /// Always.
    case exact
  }

  /// What is sought.
  public var query: String
  /// The id of the document that others like it are sought of; then ``query`` plays no part.
  public var like: String?
  /// The language that it is written in.
  public var syntax = Syntax.box
  /// The index to search; nil for the only full-text index of the collection.
  public var index: String?
  /// The fields to search in; nil for all.
  public var fields: [String]?
  /// Factors of the score by field; those that are not named have the weight of the index's definition, which is 1 unless it
  /// says otherwise.
  public var weights: [String: Double] = [:]
  /// How soon more occurrences of a word count no more: BM25's k1, from 0, at once, to 1000; nil for the index's, usually 1.2.
  public var k1: Double?
  /// How much the length of a field counts against it: BM25's b, from 0, not at all, to 1; nil for the index's, usually 0.75.
  public var b: Double?
  /// Whether, and how, words that are typical of the best hits are added to the query; nil for no.
  public var feedback: RelevanceFeedback?
  /// Whether a search of the box is tried again where no document matches, with words corrected that are in no document, and for
  /// documents that have only some of the words. The latter also where fewer than ten documents match a query of five words or
  /// more. ``SearchResults/relaxation`` says what was done.
  public var relaxes = true
  /// Which of the documents that match are wanted; nil for all.
  public var `where`: SearchFilter?
  /// What hits are sorted by; nil for their scores, the best first.
  ///
  /// Where any of many words is enough (``like``, ``feedback``, a query that was relaxed), nearly every document matches, and
  /// only the best ``sortedCount`` are sorted.
  public var sort: SearchOrder?
  /// The properties whose values are counted over all documents that match.
  ///
  /// What is selected of a property itself does not count: with `type: hotel` selected, the facet of `type` tells how many
  /// there would be of the other types.
  public var facets: [FacetRequest] = []
  /// The values that a document must have, by the path of the property: one of those of each property. The paths are those of
  /// ``FacetRequest/property``. They are tested on every match: for a condition alone, ``where`` is faster.
  public var selections: [String: [FacetValue]] = [:]
  /// When ``SearchResults/total`` is exact.
  public var counting = Counting.whenCheap
  /// Whether each hit comes with an explanation of its score.
  public var explains = false
  /// How many hits at most.
  public var limit = 10
  /// How many of the best hits are passed over.
  public var offset = 0
  /// How many snippets of each hit, at most 100.
  public var snippetCount = 1
  /// The longest snippet that can be asked for, in bytes: 1 MiB.
  public static let maximumSnippetLength = 1 << 20

  /// About how long a snippet is, in bytes of UTF-8.
  public var snippetLength = 240

  /// How long the search may take; nil for no limit. A search that takes longer throws ``CBLError/timeout``.
  public var timeout: Duration?

  /// How many of the best are sorted where any of many words is enough. So many can be paged through with ``offset``, although
  /// ``SearchResults/total`` and ``Collection/count(matching:)`` tell all that match.
  public static let sortedCount = 100

  /// A search with the defaults.
  public init(_ query: String, syntax: Syntax = .box) {
    self.query = query
    self.syntax = syntax
  }

  /// A search for documents like one of the collection: those that share its most telling words, the document itself left
  /// out.
  ///
  /// ```swift
  /// let related = try pages.search(SearchRequest(like: "manual.md")).hits
  /// ```
  public init(like documentID: String) {
    query = ""
    like = documentID
  }

  /// Whether the query asks for all documents that pass the filters: it is `*`, or empty beside a filter, an order or facets.
  var browses: Bool {
    let text = query.split(whereSeparator: \.isWhitespace)
    guard text.isEmpty else { return text == ["*"] || text == ["*:*"] }
    return `where` != nil || sort != nil || !facets.isEmpty || !selections.isEmpty
  }

  /// How hits are scored.
  func ranking(for query: FullTextQuery) -> Ranking {
    query.defaultRanking.overridden(k1: k1, b: b, weights: weights)
  }
}
