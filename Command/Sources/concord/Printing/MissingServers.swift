import Concordance

/// Reports the servers that a search has left out.
enum MissingServers {
  /// Returns the servers as one line of JSON.
  static func line(_ servers: [MissingServer]) -> String {
    var line = JSONLine()
    line.add("missingServers", servers.map(object))
    return line.text
  }

  /// Returns the servers as a JSON array.
  static func array(_ servers: [MissingServer]) -> String {
    "[\(servers.map { object($0).text }.joined(separator: ","))]"
  }

  /// Warns that documents are missing.
  static func warn(of servers: [MissingServer], _ messages: Messages) {
    for server in servers { messages.warning("the results are incomplete: \(server.message)") }
  }

  private static func object(_ server: MissingServer) -> JSONLine {
    var object = JSONLine()
    object.add("number", server.number)
    object.add("firstShard", server.firstShard)
    object.add("lastShard", server.lastShard)
    object.add("message", server.message)
    return object
  }
}

extension [MissingServer] {
  /// The exit status if nothing is found. Nobody knows whether the documents of a missing server match.
  var nothingFoundStatus: Int32 { isEmpty ? ExitStatus.nothingFound : ExitStatus.error }
}
