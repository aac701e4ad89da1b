import Foundation

/// Moves the write-ahead logs of stores that are still open into their files when the process exits normally, so that a copy
/// of the file alone is complete.
///
/// A best effort: a file that somebody is reading or writing keeps a part of its log, which the next opening reads. An exit
/// waits for it at most ``limit``; being ended in the middle of it does no harm, as SQLite's checkpoints never do.
enum ExitCheckpoint {
  /// How long an exit waits for all files, in seconds.
  private static let limit = 2.0

  /// How many stores each file is open in.
  private static let openFiles = Locked<[String: Int]>([:])
  /// A forked child has the parent's list, but must not touch its files: SQLite's locks are not those of the child.
  private static let process = getpid()

  private static let registration: Bool = {
    _ = process
    return atexit { ExitCheckpoint.run() } == 0
  }()

  static func add(_ path: String) {
    _ = registration
    openFiles.withLock { $0[path, default: 0] += 1 }
  }

  static func remove(_ path: String) {
    openFiles.withLock { files in
      let count = files[path] ?? 0
      files[path] = count > 1 ? count - 1 : nil
    }
  }

  private static func run() {
    guard getpid() == process else { return }
    let files = openFiles.withLock { Array($0.keys) }
    guard !files.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    // A thread of its own: those of Dispatch may all be held up by what the process was doing.
    Thread.detachNewThread {
      for path in files { WriteAheadLog.checkpoint(path) }
      done.signal()
    }
    _ = done.wait(timeout: .now() + limit)
  }
}
