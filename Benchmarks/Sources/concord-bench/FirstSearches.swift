import Concordance

/// Measures opening a database, the first search, and the first search for each further query.
///
/// Run it in a new process each time, because indexes and vocabularies stay in memory. The searches are those of a
/// search box, with snippets: misspelt words are corrected.
func measureFirstSearches(path: String, queries: [String]) throws {
  var opened: Collection?
  let opening = try seconds { opened = try readOnlyDatabase(path).defaultCollection() }
  guard let collection = opened else { return }
  try report(["openMilliseconds": opening * 1000])
  for query in queries {
    var found: SearchResults?
    let time = try seconds { found = try collection.search(query) }
    // The same search again, and the search for the corrected words as they should have been typed.
    let later = try median(of: 21) { _ = try collection.search(query) }
    guard let found else { continue }
    let corrected = found.didYouMean ?? query
    let expected = try collection.search(corrected)
    guard expected.didYouMean == nil, expected.hits.map(\.id) == found.hits.map(\.id), expected.total == found.total
    else { throw BenchmarkError("\(query): the hits are not those of \(corrected)") }
    try report([
      "query": query, "milliseconds": time * 1000, "laterMilliseconds": later * 1000, "corrected": corrected,
      "best": found.hits.map(\.id), "hits": try collection.count(matching: SearchRequest(corrected)),
    ])
  }
}
