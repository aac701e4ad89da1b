import Concordance

extension Collection {
  /// Returns the ids of the documents with a matching line, in ascending order, and the summary of the search.
  func matchingIDs(_ request: PatternSearchRequest) throws -> (ids: [String], summary: PatternSearchSummary) {
    var ids: [String] = []
    let summary = try searchLines(request) { document -> String? in
      var isFound = false
      try document.forEachLine { _ in
        isFound = true
        return false
      }
      return isFound ? document.id : nil
    } deliver: { id in
      ids.append(id)
      return true
    }
    return (ids.sorted(), summary)
  }
}
