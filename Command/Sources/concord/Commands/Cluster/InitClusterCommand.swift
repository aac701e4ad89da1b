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

        $ concord cluster init postgresql://db1/corpus \\
            postgresql://db2/corpus --shards 32

      With --citus, the address is that of the coordinator of Citus, whose extension must have been created in the database. \
      Citus distributes the shards among its servers and can move them.
      """)

  @Argument(help: ArgumentHelp("The addresses of the database's servers, postgresql://…", valueName: "url"))
  var urls: [String]

  @Option(
    help: ArgumentHelp(
      """
      The number of parts into which documents are divided: a power of two from 1 to 256. It cannot be changed later. \
      (default: 1; with several servers, at least 4 for each; with --citus, 32)
      """, valueName: "n"))
  var shards: Int?

  @Flag(help: "Distribute the tables with Citus.")
  var citus = false

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if citus, urls.count > 1 {
      throw ValidationError("--citus requires one address, that of the coordinator, which knows the other servers.")
    }
  }

  func run() throws {
    for url in urls { try DatabaseAddress.check(url) }
    let isNew =
      citus
      ? try Database.initializeOnCitus(url: urls.first ?? "", shards: shards ?? 32)
      : try Database.initialize(urls: urls, shards: shards)
    let name = DatabaseAddress.withoutPassword(urls.first ?? "")
    guard isNew else { return global.makeMessages().note("\(name): was already created") }
    // Creates the default collection, as opening a new file does, for commands that only read.
    try Database(url: urls.first ?? "").close()
    let count = try Database.clusterStatus(url: urls.first ?? "").documentCounts.count
    let servers = citus ? " on Citus" : urls.count == 1 ? "" : " on \(urls.count) servers"
    global.makeMessages().note("\(name): created with \(Quantity.count(count, "shard"))\(servers)")
  }
}
