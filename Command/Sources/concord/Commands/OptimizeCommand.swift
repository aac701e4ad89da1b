import ArgumentParser
import Concordance

struct OptimizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "optimize",
    abstract: "Make searches faster and the file smaller.",
    discussion: """
      Merges the segments of the indexes and refreshes the statistics of the query planner. Run it after a large \
      amount of text has been indexed.

        $ concord optimize
        $ concord optimize --compact
        $ concord optimize --rebuild
      """)

  @Flag(help: "Rebuild every index from the documents, and recount the documents.")
  var rebuild = false

  @Flag(
    help: "Return the space of deleted documents to the file system. Requires as much free space as the file takes.")
  var compact = false

  @OptionGroup
  var memory: IndexMemoryOption

  @Flag(help: "Print the sizes as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForWriting(memory: memory)
    let before = try global.databaseSize()
    if rebuild {
      messages.detail("rebuilding the indexes")
      try database.performMaintenance(type: .reindex)
    }
    messages.detail("merging the segments of the indexes")
    try database.performMaintenance(type: .fullOptimize)
    if compact {
      messages.detail("compacting the file")
      try database.performMaintenance(type: .compact)
    }
    // Closing the last connection checkpoints the write-ahead log.
    try database.close()
    let after = try global.databaseSize()
    if json {
      var line = JSONLine()
      line.add("before", before)
      line.add("after", after)
      StandardOutput(ignoresClosedPipe: true).writeJSON(line.text)
    }
    let logSize = DatabaseFile.logSize(global.databasePath)
    let log =
      logSize == 0
      ? "" : ", of which \(Quantity.bytes(logSize)) are a log that is kept until other programs close the database"
    messages.note("\(global.databaseName): \(Quantity.bytes(before)) before, \(Quantity.bytes(after)) after\(log)")
  }
}
