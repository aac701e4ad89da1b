public import TextIndex

/// A full-text search: a query and its options.
///
/// ```swift
/// var request = SearchRequest("memory barrier")
/// request.weights = ["title": 3]
/// request.limit = 20
/// let results = try pages.search(request)
/// ```
///
/// ## Topics
///
/// ### Creating a request
///
/// - ``init(_:syntax:)``
/// - ``init(like:)``
/// - ``Syntax``
///
/// ### The query
///
/// - ``query``
/// - ``like``
/// - ``syntax``
/// - ``index``
/// - ``fields``
/// - ``matching``
/// - ``relaxes``
///
/// ### Ranking
///
/// - ``weights``
/// - ``model``
/// - ``k1``
/// - ``b``
/// - ``feedback``
/// - ``explains``
///
/// ### Conditions, order and facets
///
/// - ``where``
/// - ``sort``
/// - ``sortedCount``
/// - ``facets``
/// - ``selections``
///
/// ### Duplicates
///
/// - ``groupsDuplicates``
/// - ``duplicateGroupCount``
/// - ``maximumDuplicateCount``
///
/// ### The page
///
/// - ``limit``
/// - ``offset``
/// - ``snippetCount``
/// - ``snippetLength``
/// - ``maximumSnippetCount``
/// - ``maximumSnippetLength``
/// - ``counting``
/// - ``Counting``
/// - ``timeout``
/// - ``allowsPartialResults``
public struct SearchRequest: Hashable, Sendable {
  /// The query languages for full-text searches.
  public enum Syntax: String, Hashable, Sendable, CaseIterable {
    /// The query language of the search box, in which any text is valid. Documents must contain all words unless too
    /// few do; see ``SearchRequest/relaxes``.
    ///
    /// | query | finds |
    /// |---|---|
    /// | `"a phrase"` | the words next to each other |
    /// | `-without` | documents without the word |
    /// | `this OR that` | either word |
    /// | `(this OR that) AND other NOT without` | combinations |
    /// | `field:word` | the word in a field |
    /// | `begin*` | words with a prefix |
    /// | `tpyo~` | similar words |
    /// | `*` | all documents, see ``SearchResults/isUnranked`` |
    ///
    /// A query without words also finds all documents if the request has a condition, an order, facets or selections.
    case box
    /// FTS5 query syntax: `AND`, `OR`, `NOT`, `NEAR(a b, 5)`, `"a phrase"`, `{title text}: word`, `^first`, `begin*`,
    /// parentheses. A malformed query throws ``CBLError/invalidQuery``.
    case fts5
  }

  /// Which documents match a query of several words.
  public enum Matching: String, Hashable, Sendable, CaseIterable {
    /// Documents with all words, unless the query is relaxed; see ``SearchRequest/relaxes``.
    case all
    /// Documents with any of the words. Phrases, exclusions, fields and operators in the query keep their meaning, and
    /// function words of the language of the index are ignored if there are other words.
    case any
  }

  /// When a search counts the matching documents exactly.
  public enum Counting: Hashable, Sendable {
    /// Only if the number is known, or takes a fraction of a millisecond to compute.
    case whenCheap
    /// Always.
    case exact
  }

  /// The query, in the language that ``syntax`` selects.
  public var query: String
  /// The id of the document to find similar documents for. If it is set, ``query`` is ignored.
  public var like: String?
  /// The language of ``query``; by default, the search box language.
  public var syntax = Syntax.box
  /// The name of the index to search; nil for the only full-text index of the collection, or the one with the name
  /// ``Collection/defaultFullTextIndexName``.
  public var index: String?
  /// The fields to search; nil for all fields of the index. With an empty array, no word matches.
  public var fields: [String]?
  /// The weights of fields. Fields without an entry have the weight from the index definition, by default 1.
  public var weights: [String: Double] = [:]
  /// The ranking model; nil for that of the index, by default BM25.
  ///
  /// ```swift
  /// request.model = .jelinekMercer(lambda: 0.2)
  /// ```
  ///
  /// In a transaction that has changed the index, hits are always ranked by FTS5's BM25.
  public var model: RankingModel?
  /// How quickly repeated occurrences of a term stop raising the score (BM25's k1), from 0 (immediately) to 1000; nil
  /// for the value of the index, by default 1.2.
  public var k1: Double?
  /// How much the length of a field lowers the score (BM25's b), from 0 (not at all) to 1; nil for the value of the
  /// index, by default 0.75.
  public var b: Double?
  /// The parameters of pseudo-relevance feedback, which adds terms that are typical of the best hits; nil for none.
  public var feedback: RelevanceFeedback?
  /// Which documents match a query of the search box with several words. Documents with all words by default.
  ///
  /// ```swift
  /// var request = SearchRequest("heat transfer")
  /// request.matching = .any
  /// ```
  public var matching = Matching.all
  /// Whether a query of the search box that matches no document is tried again with misspelt words corrected, and then
  /// with any of the words. A query of three words or more is also tried with any of its words if fewer than 1,000
  /// documents match (ten, if there is a ``sort`` or ``facets``, so that such a search can have fewer matches than the
  /// same search without them). ``SearchResults/relaxation`` reports these changes, the last one only if fewer than ten
  /// documents match; ``SearchResults/matchesAnyWord`` always reports it. True by default.
  public var relaxes = true
  /// A condition that hits must satisfy; nil for none.
  public var `where`: SearchFilter?
  /// The order of the hits; nil to sort them by score, best first.
  ///
  /// If documents with only some of the words match (``like``, ``feedback``, a relaxed query), nearly every document
  /// matches, and only the ``sortedCount`` best are sorted.
  public var sort: SearchOrder?
  /// The properties whose values are counted over all matching documents.
  ///
  /// The facet of a property ignores the ``selections`` of this property: with `type: hotel` selected, the facet of
  /// `type` also reports the number of documents of the other types.
  public var facets: [FacetRequest] = []
  /// The selected values by the path of their property: a document must have one of the values of each property. Paths
  /// are written as in ``FacetRequest/property``. Selections are tested on every match; ``where`` is faster for a
  /// property without a facet.
  public var selections: [String: [FacetValue]] = [:]
  /// Whether documents with the same or nearly the same text as a better hit are left out. ``SearchHit/duplicates``
  /// lists them. False by default.
  ///
  /// The text of a document is its property `text`, or all its strings if that is not a string. Two texts are nearly
  /// the same if four fifths of their pairs of consecutive words, ignoring case and punctuation, are the same.
  /// ``SearchResults/total`` counts duplicates. Only the ``maximumDuplicateCount`` best matches are compared, and no
  /// other hits can be paged through.
  ///
  /// - Complexity: O(n) in the length of the texts of the examined matches: a few times as many as the page needs.
  public var groupsDuplicates = false
  /// The maximum number of groups of duplicates in ``SearchResults/duplicateGroups``, largest first. 0 by default.
  ///
  /// The texts of the ``maximumDuplicateCount`` best matches are read and compared.
  public var duplicateGroupCount = 0
  /// The maximum number of matches that are compared to find duplicates.
  public static let maximumDuplicateCount = 10_000
  /// When ``SearchResults/total`` is exact.
  public var counting = Counting.whenCheap
  /// Whether each hit includes an explanation of its score. False by default.
  public var explains = false
  /// The maximum number of hits. 10 by default.
  public var limit = 10
  /// The number of best hits to skip, for later pages. 0 by default.
  public var offset = 0
  /// The maximum of ``snippetCount``: 100.
  public static let maximumSnippetCount = Highlighter.maximumSnippetCount
  /// The maximum number of snippets of each hit, from 0 to ``maximumSnippetCount``. 1 by default.
  public var snippetCount = 1
  /// The maximum of ``snippetLength``: 1 MiB.
  public static let maximumSnippetLength = 1 << 20

  /// The approximate length of a snippet in bytes of UTF-8, from 0 to ``maximumSnippetLength``. 240 by default.
  public var snippetLength = 240

  /// The size in bytes of the JSON text of documents that the hits keep; nil for no limit. A hit whose
  /// document no longer fits has none (``SearchHit/hasDocument``), but the other properties of a hit.
  @_spi(Command) public var documentBudget: Int?

  /// How long the search may take; nil for no limit. A search that takes longer throws ``CBLError/timeout``.
  public var timeout: Duration?
  /// Whether a search of a database on several PostgreSQL servers leaves out servers that cannot be reached, instead of
  /// throwing an error. False by default.
  ///
  /// ```swift
  /// request.allowsPartialResults = true
  /// let results = try pages.search(request)
  /// for server in results.missingServers { print("incomplete:", server.message) }
  /// ```
  ///
  /// ``SearchResults/missingServers`` lists the servers that were left out. Then the results are those of a database
  /// without the documents of these servers: facets, document frequencies, scores, corrections and relaxations refer to
  /// the others only, and ``SearchResults/total`` is a lower bound. The first server, which has the catalog, is always
  /// needed. The option has no effect in a batch, on ``Collection/count(matching:)``, on fused and on live searches,
  /// which need all servers.
  public var allowsPartialResults = false

  /// The number of best hits that are sorted if documents with only some of the words match. Only these hits can be
  /// paged through with ``offset``, although ``SearchResults/total`` and ``Collection/count(matching:)`` count all
  /// matches.
  public static let sortedCount = 100

  /// Creates a search with the default options.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - syntax: its language; by default, the search box language, in which any text is valid.
  public init(_ query: String, syntax: Syntax = .box) {
    self.query = query
    self.syntax = syntax
  }

  /// Creates a search for documents that are similar to a document of the collection: those that share its most
  /// distinctive words, without the document itself.
  ///
  /// ```swift
  /// let related = try pages.search(SearchRequest(like: "manual.md")).hits
  /// ```
  ///
  /// - Parameter documentID: the id of the document.
  public init(like documentID: String) {
    query = ""
    like = documentID
  }

  /// Whether the query selects all documents that pass the filters: it is `*`, or it is empty and the request has a
  /// filter, an order or facets.
  var browses: Bool {
    let text = query.split(whereSeparator: \.isWhitespace)
    guard text.isEmpty else { return text == ["*"] || text == ["*:*"] }
    return `where` != nil || sort != nil || !facets.isEmpty || !selections.isEmpty
  }

  /// How hits are scored.
  func ranking(for query: FullTextQuery) -> Ranking {
    query.defaultRanking.overridden(model: model, k1: k1, b: b, weights: weights)
  }
}
