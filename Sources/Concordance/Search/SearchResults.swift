/// The result of a search: the hits of a page, the number of matches, and facets.
///
/// ```swift
/// let results = try pages.search("memory barrier")
/// print(results.total)  // 12, or 12+ if not all matches were counted
/// for hit in results.hits { print(hit.rank, hit.id) }
/// ```
///
/// All parts of the result are read from one snapshot of the database.
public struct SearchResults: Sendable {
  /// The number of matching documents, exact or a lower bound; see ``SearchRequest/counting``. If the hits are sorted,
  /// there may be more matches than can be paged through; see ``SearchRequest/sortedCount``.
  public let total: SearchTotal
  /// The requested facets, in the order of ``SearchRequest/facets``.
  public let facets: [Facet]
  /// The hits of the page, best first, or in the order of ``SearchRequest/sort``.
  public let hits: [SearchHit]
  /// The groups of matches with the same or nearly the same text, largest first, see
  /// ``SearchRequest/duplicateGroupCount``.
  public let duplicateGroups: [DuplicateGroup]
  /// Whether the query, such as `*` or `-draft`, has no words to search for. The hits are then all documents that
  /// satisfy the conditions and that the query does not exclude, sorted by id or ``SearchRequest/sort``. Their scores
  /// are 0.
  public let isUnranked: Bool
  /// A message for the user about a part of the query that was ignored or treated as text; nil if there is none.
  public let notice: String?
  /// The corrections and the relaxation that were made because too few documents contain all words; nil if there were
  /// none. Hits with only some of the words can follow the others even if it is nil; see ``matchesAnyWord``.
  public let relaxation: SearchRelaxation?
  /// Whether documents with only some of the words of a search-box query match too, because of
  /// ``SearchRequest/Matching/any`` or because fewer documents contain all words than ``SearchRequest/relaxes``
  /// describes. If ``relaxation`` is nil, at least ten documents contain all words, or the request asked for any of the
  /// words.
  ///
  /// ```swift
  /// let label = results.matchesAnyWord ? "documents with some of the words" : "documents with all words"
  /// ```
  public let matchesAnyWord: Bool
  /// The query with replacements for words that documents contain but that are probably misspelt; nil if there are no
  /// such words.
  ///
  /// The search used the words as typed; offer this query to the user. A word is replaced if its replacement occurs in
  /// a hundred times as many documents, or near the next word of the query.
  public let suggestedQuery: String?
  /// What was read from the server, for ``SearchRequest/explains``; nil for a database in a file.
  public internal(set) var server: ServerReading?
  /// The servers that could not be reached and whose documents are missing, for
  /// ``SearchRequest/allowsPartialResults``. Empty if the results are complete.
  public let missingServers: [MissingServer]
}
