import ArgumentParser
import Concordance

struct MergeClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the segments of the full-text indexes of a database on PostgreSQL.",
    discussion: """
      Every batch of documents adds a segment to each index. Merging them makes searches faster. Documents can be saved \
      and searched at the same time.
      """)

  @Argument(help: ArgumentHelp("The address of the database, postgresql://…", valueName: "url"))
  var url: String

  @Flag(help: "Merge all segments of each shard into one.")
  var all = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    let database = try Database(url: url, config: config)
    guard let count = try database.mergeSegments(all: all) else {
      throw CommandFailure("\(DatabaseAddress.withoutPassword(url)): another process is merging its indexes")
    }
    global.makeMessages().note("\(count) \(count == 1 ? "segment was" : "segments were") written")
  }
}
