import ArgumentParser
import Concordance

struct ClusterStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the server, the shards and the size of a database on PostgreSQL.")

  @Argument(help: ArgumentHelp("The address of the database, postgresql://…", valueName: "url"))
  var url: String

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let status = try Database.clusterStatus(url: url)
    let output = StandardOutput()
    let documents = status.documentCounts.reduce(0, +)
    if json {
      var line = JSONLine()
      line.add("name", status.name)
      line.add("server", status.serverVersion)
      line.add("schema", status.schemaVersion)
      line.add("shards", status.documentCounts.count)
      line.add("documents", Int(documents))
      line.add("size", Int(status.size))
      line.add("nodes", status.nodes.count)
      if let citus = status.citusVersion { line.add("citus", citus) }
      return output.writeLine(line.text)
    }
    let citus = status.citusVersion.map { ", Citus \(TerminalText.sanitized($0))" } ?? ""
    output.writeLine("\(TerminalText.sanitized(status.name)): PostgreSQL \(status.serverVersion)\(citus)")
    output.writeLine("schema version \(status.schemaVersion), \(Quantity.bytes(Int(status.size)))")
    let counts = status.documentCounts
    output.writeLine(
      "\(counts.count) \(counts.count == 1 ? "shard" : "shards") with \(documents) documents, "
        + "\(counts.min() ?? 0) to \(counts.max() ?? 0) in each")
    guard status.nodes.count > 1 else { return }
    for (number, node) in status.nodes.enumerated() {
      output.writeLine(
        "node \(number + 1): \(TerminalText.sanitized(node.name)), PostgreSQL \(node.serverVersion), shards "
          + "\(node.shards.lowerBound) to \(node.shards.upperBound), \(Quantity.bytes(Int(node.size)))")
    }
  }
}
