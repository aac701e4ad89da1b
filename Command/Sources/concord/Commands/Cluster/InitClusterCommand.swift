import ArgumentParser
import Concordance

struct InitClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create the tables of a database on PostgreSQL.",
    discussion: """
      The tables are in the schema "concordance" of an existing database, which must have the encoding UTF8. Running the \
      command again changes nothing.
      """)

  @Argument(help: ArgumentHelp("The address of the database, postgresql://…", valueName: "url"))
  var url: String

  @Option(
    help: ArgumentHelp(
      "The number of parts into which documents are divided: a power of two from 1 to 256. It cannot be changed later.",
      valueName: "n"))
  var shards = 1

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let isNew = try Database.initialize(url: url, shards: shards)
    let name = DatabaseAddress.withoutPassword(url)
    global.makeMessages().note(
      isNew ? "\(name): created with \(shards) \(shards == 1 ? "shard" : "shards")" : "\(name): was already created")
  }
}
