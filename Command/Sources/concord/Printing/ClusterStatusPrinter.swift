import Concordance

/// Prints the state of a database on PostgreSQL.
struct ClusterStatusPrinter {
  private let status: Database.ClusterStatus
  /// The number of documents of each shard; nil if its server is not available.
  private let documentCounts: [Int?]

  init(_ status: Database.ClusterStatus) {
    self.status = status
    let missing = status.nodes.filter { $0.serverVersion.isEmpty }
    documentCounts = status.documentCounts.enumerated().map { shard, count in
      missing.contains { $0.shards.contains(shard) } ? nil : Int(clamping: count)
    }
  }

  /// The state as text.
  var lines: [String] {
    let citus = status.citusVersion.map { ", Citus \(TerminalText.sanitized($0))" } ?? ""
    var lines = [
      "\(TerminalText.sanitized(status.name)): PostgreSQL \(status.serverVersion)\(citus)",
      "schema version \(status.schemaVersion), \(bound)\(Quantity.bytes(Int(clamping: status.size)))",
      shards,
    ]
    lines += status.indexes.map { index in
      "index \(TerminalText.sanitized(index.name)) of \(TerminalText.sanitized(index.collection)): "
        + "\(bound)\(Quantity.count(index.segmentCount, "segment"))"
    }
    if status.nodes.count > 1 { lines += status.nodes.enumerated().map { line(number: $0.offset + 1, $0.element) } }
    return lines
  }

  /// The state as one line of JSON.
  var json: String {
    var line = JSONLine()
    line.add("name", status.name)
    line.add("server", status.serverVersion)
    line.add("schema", status.schemaVersion)
    line.add("shards", documentCounts.count)
    line.add("documents", documentCount)
    let counts = documentCounts.map { count in count.map(String.init) ?? "null" }
    line.add("shardDocuments", json: "[\(counts.joined(separator: ","))]")
    line.add("size", Int(clamping: status.size))
    line.add("nodes", status.nodes.enumerated().map { object(number: $0.offset + 1, $0.element) })
    line.add(
      "indexes",
      status.indexes.map { index in
        var object = JSONLine()
        object.add("collection", index.collection)
        object.add("name", index.name)
        object.add("segments", index.segmentCount)
        return object
      })
    if let citus = status.citusVersion { line.add("citus", citus) }
    return line.text
  }

  private var documentCount: Int { documentCounts.reduce(0) { $0 + ($1 ?? 0) } }

  /// What precedes a number that lacks the shards of servers that are not available.
  private var bound: String { documentCounts.contains(nil) ? "at least " : "" }

  private var shards: String {
    let counts = documentCounts.compactMap { $0 }
    var text =
      "\(Quantity.count(documentCounts.count, "shard")) with \(bound)\(Quantity.count(documentCount, "document"))"
    if documentCounts.count > 1, let least = counts.min(), let most = counts.max() {
      text += ", \(Quantity.count(least)) to \(Quantity.count(most)) in each"
      if counts.count < documentCounts.count { text += " of the \(counts.count) that are available" }
    }
    return text
  }

  private func line(number: Int, _ node: Database.ClusterNode) -> String {
    let (first, last) = (node.shards.lowerBound, node.shards.upperBound)
    let shards = first == last ? "shard \(first)" : "shards \(first) to \(last)"
    let name = "node \(number): \(TerminalText.sanitized(node.name))"
    let failure = node.failure.map(TerminalText.sanitized)
    if node.serverVersion.isEmpty { return "\(name), \(shards), not available: \(failure ?? "")" }
    return "\(name), PostgreSQL \(node.serverVersion), \(shards), \(Quantity.bytes(Int(clamping: node.size)))"
      + (failure.map { ", \($0)" } ?? "")
  }

  private func object(number: Int, _ node: Database.ClusterNode) -> JSONLine {
    var object = JSONLine()
    object.add("number", number)
    object.add("name", node.name)
    object.add("firstShard", node.shards.lowerBound)
    object.add("lastShard", node.shards.upperBound)
    if !node.serverVersion.isEmpty {
      object.add("server", node.serverVersion)
      object.add("size", Int(clamping: node.size))
    }
    if let failure = node.failure { object.add("message", failure) }
    return object
  }
}
