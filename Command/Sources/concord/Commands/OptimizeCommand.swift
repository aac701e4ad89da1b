import ArgumentParser
import Concordance

struct OptimizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "optimize",
    abstract: "Make searches faster and the file smaller.",
    discussion: """
      Merges the parts that the indexes have grown from, and refreshes the statistics that queries are planned with. \
      This is worth its time after much has been indexed.

        $ concord optimize
        $ concord optimize --compact
        $ concord optimize --rebuild
      """)

  @Flag(help: "Make every index anew from the documents, and count the documents.")
  var rebuild = false

  @Flag(
    help: "Give the space of deleted documents back to the disk. Needs as much free space as the file has.")
  var compact = false

  @Flag(help: "Print the sizes as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let database = try global.openForWriting()
    let before = DatabaseFile.size(global.databasePath)
    if rebuild {
      messages.detail("making the indexes anew")
      try database.performMaintenance(type: .reindex)
    }
    messages.detail("merging the parts of the indexes")
    try database.performMaintenance(type: .fullOptimize)
    if compact {
      messages.detail("compacting the file")
      try database.performMaintenance(type: .compact)
    }
    // What stands in the write-ahead log is moved into the file when the last one closes it.
    try database.close()
    let after = DatabaseFile.size(global.databasePath)
    if json {
      var line = JSONLine()
      line.add("before", before)
      line.add("after", after)
      StandardOutput().writeLine(line.text)
    }
    messages.note("\(global.databasePath): \(Quantity.bytes(before)) before, \(Quantity.bytes(after)) after")
  }
}
