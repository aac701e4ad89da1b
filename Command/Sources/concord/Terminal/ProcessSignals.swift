import CorpusReader
import Foundation

/// Configures the signal handling of the process.
enum ProcessSignals {
  static func prepare() {
    // Writing to a closed pipe then fails with EPIPE, which ends the output.
    signal(SIGPIPE, SIG_IGN)
    // Writing beyond a file size limit (`ulimit -f`) then fails with EFBIG, which is reported.
    signal(SIGXFSZ, SIG_IGN)
    cleanUp()  // Initializes the static variables that the handlers use.
    // Exiting immediately is safe: committed batches are durable, and the next process that opens the file rolls back
    // the open one. Only async-signal-safe calls are used.
    handle(SIGINT) { _ in
      ProcessSignals.cleanUp()
      _exit(ExitStatus.interrupted)
    }
    for number in [SIGTERM, SIGHUP] {
      handle(number) { number in
        ProcessSignals.cleanUp()
        // Ends the process with the status of the signal as soon as the handler returns.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    // A process started from a pool thread inherits the signals that such threads block.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interrupts, nil)
  }

  /// Removes what would remain after the end of the process: an unfinished file, a running command and the progress
  /// line. Only async-signal-safe functions are called, because signal handlers call it.
  static func cleanUp() {
    UnfinishedFile.remove()
    Preprocessor.endCommand()
    Messages.clearStatus()
  }

  /// Installs a handler. A process started with the signal ignored, as by nohup and by shells for background jobs,
  /// continues to ignore it.
  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    let previous = signal(number, handler)
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }
}
