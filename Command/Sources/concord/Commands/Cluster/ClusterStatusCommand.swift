import ArgumentParser
import Concordance

struct ClusterStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the servers, the shards and the size of a database on PostgreSQL.",
    discussion: """
      With --json: name, server (the version of PostgreSQL), schema, shards, documents, shardDocuments (the number of \
      documents of each shard), size (in bytes), nodes (the servers), indexes and citus (its version). A server that \
      is not available has a message instead of a version and a size, and its shards have null instead of a number; \
      the totals are then those of the other servers. A server that was restored to another point in time than the first \
      has a message, a version and a size.

      Exit status: 0 done, 2 a server is not available or was restored to another point in time, or another error.
      """)

  @Argument(
    help: ArgumentHelp(
      "The address of the database, postgresql://… (default: that of --database)", valueName: "url"))
  var url: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let url = try global.clusterURL(url)
    let status = try DatabaseAddress.advising(url) { try Database.clusterStatus(url: url) }
    let output = StandardOutput()
    if json {
      output.writeJSON(ClusterStatusPrinter(status).json)
    } else {
      for line in ClusterStatusPrinter(status).lines { output.writeLine(line) }
    }
    if status.nodes.contains(where: { $0.failure != nil }) { throw ExitCode(ExitStatus.error) }
  }
}
