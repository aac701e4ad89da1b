import ArgumentParser
import Concordance

struct InitClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create the tables of a database on one or several PostgreSQL servers.",
    discussion: """
      The tables are in the schema "concordance" of an existing database, which must have the encoding UTF8. Running the \
      command again changes nothing, except that it updates tables of an older version.

      With several addresses, each server has a part of the shards. Other commands use the first address; the others are \
      stored there, so they must not contain passwords, and all clients must reach the servers at these addresses:

        $ concord cluster init postgresql://db1/corpus postgresql://db2/corpus --shards 32
      """)

  @Argument(help: ArgumentHelp("The addresses of the database's servers, postgresql://…", valueName: "url"))
  var urls: [String]

  @Option(
    help: ArgumentHelp(
      """
      The number of parts into which documents are divided: a power of two from 1 to 256. It cannot be changed later. \
      (default: 1; with several servers, at least 4 for each)
      """, valueName: "n"))
  var shards: Int?

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let isNew = try Database.initialize(urls: urls, shards: shards)
    let name = DatabaseAddress.withoutPassword(urls.first ?? "")
    guard isNew else { return global.makeMessages().note("\(name): was already created") }
    let count = try Database.clusterStatus(url: urls.first ?? "").documentCounts.count
    let servers = urls.count == 1 ? "" : " on \(urls.count) servers"
    global.makeMessages().note("\(name): created with \(count) \(count == 1 ? "shard" : "shards")\(servers)")
  }
}
