@_spi(Command) import Concordance
import Foundation

/// A run of a replicator with messages about its progress.
///
/// `@unchecked Sendable`: all variables are used on `queue` only.
final class SyncRun: @unchecked Sendable {
  /// The result of a run.
  struct Outcome {
    var sentCount = 0
    var receivedCount = 0
    var failedCount = 0
    var error: CBLError?
    /// The signal that stopped the run before all changes were exchanged.
    var interruption: Int32?
  }

  private let replicator: Replicator
  private let messages: Messages
  private let printsJSON: Bool
  private let hasFilter: Bool
  private let queue = DispatchQueue(label: "concord.sync")
  private let ended = DispatchSemaphore(value: 0)
  private let start = ContinuousClock.now
  private var outcome = Outcome()
  /// The documents whose last transmission failed. The replicator repeats it if the error is transient.
  private var failed: Set<String> = []
  /// The maximum number of documents in ``failed``. Further ones are counted at each failure.
  private static let maximumFailedCount = 100_000
  private var lastActivity = Replicator.ActivityLevel.stopped
  private var lastDrawing: ContinuousClock.Instant?
  private var interruption: Int32?
  private var signals: [any DispatchSourceSignal] = []

  /// - Parameter hasFilter: whether the replicator has a pull filter. Documents that it rejects are not failures.
  init(_ replicator: Replicator, _ messages: Messages, printsJSON: Bool, hasFilter: Bool) {
    self.replicator = replicator
    self.messages = messages
    self.printsJSON = printsJSON
    self.hasFilter = hasFilter
  }

  /// Runs the replicator until it has stopped. SIGINT and SIGTERM stop it.
  func untilEnd(reset: Bool) -> Outcome {
    for number in [SIGINT, SIGTERM] {
      // The signal is handled on the queue only.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [self] in
        // The second signal ends a run that does not stop.
        guard interruption == nil else { _exit(ExitStatus.interrupted(by: number)) }
        interruption = number
        replicator.stop()
      }
      source.resume()
      signals.append(source)
    }
    replicator.addDocumentReplicationListener(withQueue: queue) { [self] in count($0) }
    replicator.addChangeListener(withQueue: queue) { [self] in show($0.status) }
    replicator.start(reset: reset)
    ended.wait()
    return queue.sync { outcome }
  }

  private func count(_ replication: DocumentReplication) {
    for document in replication.documents {
      let name = "\(document.scope).\(document.collection)/\(document.id)"
      if let error = document.error {
        if hasFilter, !replication.isPush, error.code == CBLError.httpForbidden { continue }
        if failed.count < SyncRun.maximumFailedCount, !failed.insert(name).inserted { continue }
        outcome.failedCount += 1
        messages.error("\(name): \(error.message)")
        if printsJSON { printFailure(document, error) }
        continue
      }
      if failed.remove(name) != nil { outcome.failedCount -= 1 }
      if replication.isPush { outcome.sentCount += 1 } else { outcome.receivedCount += 1 }
      let suffix = document.flags.contains(.deleted) ? " (deleted)" : ""
      messages.detail("\(replication.isPush ? "sent" : "received") \(name)\(suffix)")
    }
  }

  private func printFailure(_ document: ReplicatedDocument, _ error: CBLError) {
    var line = JSONLine()
    line.add("status", "refused")
    line.add("collection", "\(document.scope).\(document.collection)")
    line.add("id", document.id)
    line.add("code", error.code)
    line.add("error", error.message)
    SyncRun.print(line)
  }

  private static func print(_ line: JSONLine) {
    let output = StandardOutput()
    output.writeJSON(line.text)
    output.flush()
  }

  /// Returns the message for a replicator that waits for its next attempt to connect.
  static func offlineMessage(_ status: Replicator.Status) -> String {
    var text = "offline: \(status.error?.message ?? "the connection was lost")"
    guard let retry = status.retry else { return text }
    text += "; attempt \(Quantity.count(Int(clamping: retry.failureCount)))"
    if let maximum = retry.maximumAttempts { text += " of \(Quantity.count(Int(clamping: maximum)))" }
    return text + " failed, the next one is in \(Int(clamping: Int64(retry.delay))) s"
  }

  private func show(_ status: Replicator.Status) {
    let previous = lastActivity
    let isNew = status.activity != previous
    lastActivity = status.activity
    switch status.activity {
    case .busy: draw(status.progress)
    case .offline:
      if isNew { messages.note(SyncRun.offlineMessage(status)) }
    case .idle:
      Messages.clearStatus()
      if isNew { report("idle", nil) }
    case .connecting: messages.detail("connecting")
    case .stopped:
      Messages.clearStatus()
      outcome.error = status.error
      // A continuous run that has nothing left to exchange ends only by a signal.
      if previous != .idle, status.error == nil { outcome.interruption = interruption }
      report("stopped", status.error)
      ended.signal()
    }
  }

  private func draw(_ progress: Replicator.Progress) {
    let now = ContinuousClock.now
    if let lastDrawing, lastDrawing.duration(to: now) < .milliseconds(100) { return }
    lastDrawing = now
    messages.status(
      "\(Quantity.count(Int(clamping: progress.completed))) of \(Quantity.count(Int(clamping: progress.total), "change"))"
        + "  \(Quantity.count(outcome.sentCount)) sent, \(Quantity.count(outcome.receivedCount)) received"
        + (outcome.failedCount > 0 ? ", \(Quantity.count(outcome.failedCount)) not replicated" : ""))
  }

  private func report(_ state: String, _ error: CBLError?) {
    let seconds = start.duration(to: .now) / .seconds(1)
    if printsJSON {
      var line = JSONLine()
      line.add("status", state)
      line.add("sent", outcome.sentCount)
      line.add("received", outcome.receivedCount)
      line.add("failed", outcome.failedCount)
      line.add("error", optional: error?.message ?? (outcome.interruption == nil ? nil : "interrupted"))
      line.add("seconds", (seconds * 1000).rounded() / 1000)
      SyncRun.print(line)
    } else if error == nil {
      var text =
        "\(Quantity.count(outcome.sentCount, "document")) sent, \(Quantity.count(outcome.receivedCount)) received"
      if outcome.failedCount > 0 { text += ", \(Quantity.count(outcome.failedCount)) not replicated" }
      messages.note(text + " in \(Quantity.seconds(seconds))")
    }
  }
}
