@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// `concord index --watch`: indexes, and then keeps the index current until the process is interrupted.
struct WatchRun {
  let run: IndexRun
  /// Prints the report of a run that changed something, and of the first run.
  let report: (IndexReport) -> Void

  /// The time in milliseconds after which folders that cannot be watched are read again.
  private static let rescanTime: Int32 = 300_000

  /// The time in milliseconds after which changes are written again if the disk was full or the database was busy.
  private static let retryTime: Int32 = 5_000

  /// Runs until the process is interrupted.
  ///
  /// - Throws: ``CommandFailure`` if nothing can be watched; errors of the first run. A full disk, or another process
  ///   that writes for a long time, delays later runs, and other errors of the database end the process.
  func start() throws -> Never {
    let messages = run.messages
    let roots = run.files.map(FilePath.absolute)
    let watch = try FolderWatch(roots: roots, ignoring: FilePath.databaseFiles(run.database))
    var reportedCount = 0
    func index(_ changes: FolderWatch.Changes) throws -> IndexReport {
      var run = run
      run.folder = { watch.add($0) }
      if changes.isComplete { run.options.scope = changes.scope } else { watch.resetUnwatched() }
      // The parent folders report that a root is created, deleted or renamed.
      for path in roots { watch.add(FilePathComponents(path).folder) }
      let result = try run.run()
      if watch.unwatchedCount > reportedCount {
        reportUnwatched(watch, messages)
      }
      reportedCount = watch.unwatchedCount
      return result
    }
    // Exiting immediately is safe; see `ProcessSignals`. SIGTERM is the normal end of a service.
    signal(SIGINT) { _ in
      ProcessSignals.cleanUp()
      _exit(ExitStatus.interrupted)
    }
    signal(SIGTERM) { _ in
      ProcessSignals.cleanUp()
      _exit(ExitStatus.success)
    }
    report(try index(FolderWatch.Changes(isComplete: false)))
    messages.note("watching; press Ctrl-C to stop")
    /// Whether the last changes were not written. They are read again with all folders.
    var isDelayed = false
    while true {
      var changes = watch.wait(
        timeout: isDelayed ? WatchRun.retryTime : watch.unwatchedCount > 0 ? WatchRun.rescanTime : nil)
      if isDelayed {
        changes.isComplete = false
      } else if changes.isEmpty {
        guard watch.unwatchedCount > 0 else { continue }
        changes.isComplete = false
      } else if !changes.isComplete {
        messages.warning("too many changes at once; all folders are read again")
      }
      do {
        let result = try index(changes)
        if result.hasChanges || isDelayed { report(result) }
        isDelayed = false
      } catch let error as CBLError where error.recovery == .freeSpace || error.code == CBLError.busy {
        // Reported once, not at each attempt.
        if !isDelayed { messages.error("\(error.message); the changes are indexed when this is possible") }
        isDelayed = true
      }
    }
  }

  private func reportUnwatched(_ watch: FolderWatch, _ messages: Messages) {
    let limit =
      watch.unwatchedReason == ENOSPC
      ? FolderWatch.advice("max_user_watches") : String(cString: strerror(watch.unwatchedReason))
    messages.warning(
      "\(Quantity.count(watch.unwatchedCount, "folder")) cannot be watched: \(limit); all folders are read every "
        + "\(WatchRun.rescanTime / 60_000) minutes instead")
  }
}

extension IndexReport {
  /// Whether the run changed documents or reported errors.
  var hasChanges: Bool {
    summary.savedCount > 0 || summary.removedCount > 0 || summary.replacedCount > 0 || readFileCount > 0
      || deletedFileCount > 0 || errorCount > 0
  }
}
