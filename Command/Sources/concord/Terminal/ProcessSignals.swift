import Foundation

/// What the process does when it is signalled.
enum ProcessSignals {
  static func prepare() {
    // Writing to a closed pipe then fails with EPIPE, which the output takes as the end.
    signal(SIGPIPE, SIG_IGN)
    // Writing past a limit on the size of files (`ulimit -f`) then fails with EFBIG, which is reported.
    signal(SIGXFSZ, SIG_IGN)
    // Committed batches stay and the open one is rolled back by whoever opens the file next, so there is nothing to
    // tidy up, and ending at once is safe. Only calls that a signal handler may make are made.
    let previous = signal(SIGINT) { _ in _exit(ExitStatus.interrupted) }
    // Whoever starts a command with the signal ignored, as nohup and shells in the background do, wants it to go on.
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
    // A process that is started from a thread of a pool inherits the signals that such threads block.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interrupts, nil)
  }
}
