import Foundation

/// Configures the signal handling of the process.
enum ProcessSignals {
  static func prepare() {
    // Writing to a closed pipe then fails with EPIPE, which ends the output.
    signal(SIGPIPE, SIG_IGN)
    // Writing beyond a file size limit (`ulimit -f`) then fails with EFBIG, which is reported.
    signal(SIGXFSZ, SIG_IGN)
    // Exiting immediately is safe: committed batches are durable, and the next process that opens the file rolls back
    // the open one. Only async-signal-safe calls are used.
    Messages.clearStatus()  // Initializes the static variables that the handler uses.
    let previous = signal(SIGINT) { _ in
      Messages.clearStatus()
      _exit(ExitStatus.interrupted)
    }
    // A process started with the signal ignored, as by nohup and by shells for background jobs, must continue.
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
    // A process started from a pool thread inherits the signals that such threads block.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interrupts, nil)
  }
}
