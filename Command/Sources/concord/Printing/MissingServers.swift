import Concordance

/// Reports the servers that a search has left out.
enum MissingServers {
  /// Returns the servers as one line of JSON.
  static func line(_ results: SearchResults) -> String {
    var line = JSONLine()
    line.add(
      "missingServers",
      results.missingServers.map { server in
        var object = JSONLine()
        object.add("number", server.number)
        object.add("firstShard", server.firstShard)
        object.add("lastShard", server.lastShard)
        object.add("message", server.message)
        return object
      })
    return line.text
  }
}

extension SearchCommand {
  /// Warns that documents are missing.
  func warnOfMissingServers(_ results: SearchResults, _ messages: Messages) {
    for server in results.missingServers { messages.warning("the results are incomplete: \(server.message)") }
  }
}

extension SearchResults {
  /// The exit status if there are no hits. Nobody knows whether the documents of a missing server match.
  var nothingFoundStatus: Int32 { missingServers.isEmpty ? ExitStatus.nothingFound : ExitStatus.error }
}
