import Foundation

/// What the process does when it is signalled.
enum ProcessSignals {
  static func prepare() {
    // Writing to a closed pipe then fails with EPIPE, which the output takes as the end.
    signal(SIGPIPE, SIG_IGN)
    // Committed batches stay and the open one is rolled back by whoever opens the file next, so there is nothing to
    // tidy up, and ending at once is safe. Only calls that a signal handler may make are made.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted) }
  }
}
