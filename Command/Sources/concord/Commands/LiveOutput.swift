import Concordance
import Foundation

/// Prints live results until the process is interrupted.
struct LiveOutput {
  /// The queue on which results are printed, so that neither reads nor tasks wait for a slow terminal.
  let queue = DispatchQueue(label: "concord.live-output")
  private let clearsScreen = Terminal.canControl(STDOUT_FILENO)

  /// Clears the screen; if the output is not a terminal, writes an empty line between results.
  func beginResult(isFirst: Bool) {
    let output = StandardOutput()
    if clearsScreen { output.write("\u{1B}[H\u{1B}[2J\u{1B}[3J") } else if !isFirst { output.write("\n") }
    output.flush()
  }

  /// Reports the error of a run. The process ends if no later run can succeed, because the database or a collection no
  /// longer exists.
  static func report(_ error: any Error, _ messages: Messages) {
    guard let error = error as? CBLError else { return messages.error("\(error)") }
    let codes = [CBLError.notFound, CBLError.notOpen, CBLError.unreadableDatabase, CBLError.databaseTooNew]
    if error.isDatabaseReplaced || codes.contains(error.code) { ErrorReport.exit(with: error) }
    messages.error(error.advice)
  }

  /// Waits until the process is interrupted, even if it was started with the signal ignored.
  static func waitForInterrupt() -> Never {
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted) }
    signal(SIGTERM) { _ in _exit(ExitStatus.success) }
    while true { pause() }
  }

  /// Prints each element of a sequence, and waits until the process is interrupted. An error ends the process.
  func print<Element>(
    _ sequence: LiveSequence<Element>, _ line: @escaping @Sendable (Element) -> String
  ) -> Never {
    let queue = queue
    Task {
      do {
        for try await element in sequence {
          await withCheckedContinuation { continuation in
            queue.async {
              let output = StandardOutput()
              output.writeJSON(line(element))
              output.flush()
              continuation.resume()
            }
          }
        }
        exit(ExitStatus.success)
      } catch {
        queue.async { ErrorReport.exit(with: error) }
      }
    }
    LiveOutput.waitForInterrupt()
  }

  /// Returns a difference as one line of JSON: positions, and the new rows at inserted and updated positions.
  static func line(_ difference: ListDifference, count: Int, name: String, row: (Int) -> String) -> String {
    func object(_ members: [(String, Int)], row index: Int? = nil) -> String {
      let numbers = members.map { "\"\($0.0)\":\($0.1)" }
      return "{" + (numbers + [index.map { "\"\(name)\":\(row($0))" }].compactMap { $0 }).joined(separator: ",") + "}"
    }
    let deletions = difference.deletions.map(String.init)
    let insertions = difference.insertions.map { object([("index", $0)], row: $0) }
    let moves = difference.moves.map { object([("from", $0.old), ("to", $0.new)]) }
    let updates = difference.updates.map { object([("from", $0.old), ("index", $0.new)], row: $0.new) }
    let lists = [("deletions", deletions), ("insertions", insertions), ("moves", moves), ("updates", updates)]
    let members = lists.map { "\"\($0.0)\":[\($0.1.joined(separator: ","))]" } + ["\"count\":\(count)"]
    return "{\(members.joined(separator: ","))}"
  }
}
