import ArgumentParser
import Concordance
import Foundation

struct MergeClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the segments of the indexes of a database on PostgreSQL.",
    discussion: """
      Every batch of documents adds a segment to each full-text and pattern index. Merging them makes searches faster. Documents can be saved \
      and searched at the same time. With --watch, the command runs until it is interrupted, and merges again when there \
      are enough new segments.
      """)

  @Argument(
    help: ArgumentHelp(
      "The address of the database, postgresql://… (default: that of --database)", valueName: "url"))
  var url: String?

  @Flag(help: "Merge all segments of each shard into one.")
  var all = false

  @Flag(help: "Continue until SIGINT or SIGTERM, and look for new segments every --interval seconds.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "With --watch: the time between two merges in seconds, from 1 to 3600; 10 by default.", valueName: "seconds"))
  var interval: Int?

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if let interval, !(1...3_600).contains(interval) {
      throw ValidationError("--interval \(interval): the time is from 1 to 3600 seconds.")
    }
    if interval != nil, !watch { throw ValidationError("--interval requires --watch.") }
    if all, watch { throw ValidationError("--all cannot be used with --watch, which merges segments of similar size.") }
  }

  func run() throws {
    let url = try global.clusterURL(self.url)
    var config = DatabaseConfiguration()
    config.createsDatabase = false
    let database = try DatabaseAddress.advising(url) { try Database(url: url, config: config) }
    let messages = global.makeMessages()
    guard watch else {
      guard let count = try database.mergeSegments(all: all) else {
        throw CommandFailure("\(DatabaseAddress.withoutPassword(url)): another process is merging its indexes")
      }
      return report(count, messages)
    }
    // Exiting immediately is safe: a merge takes effect with its last transaction. Shells start background jobs with
    // SIGINT ignored.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted) }
    signal(SIGTERM) { _ in _exit(ExitStatus.success) }
    messages.note("merging; press Ctrl-C to stop")
    /// Whether the last attempt failed. The error is reported once, not at each attempt.
    var isFailing = false
    while true {
      do {
        // If another process merges an index, it is looked at again after the interval.
        if let count = try database.mergeSegments(), count > 0 { report(count, messages) }
        if isFailing { messages.note("merging again") }
        isFailing = false
      } catch let error as CBLError where !error.isDatabaseReplaced {
        let time = Quantity.count(interval ?? 10, "second")
        if !isFailing { messages.error("\(error.message); merging is tried again every \(time)") }
        isFailing = true
      }
      Thread.sleep(forTimeInterval: Double(interval ?? 10))
    }
  }

  private func report(_ count: Int, _ messages: Messages) {
    messages.note("\(count) \(count == 1 ? "segment was" : "segments were") written")
  }
}
